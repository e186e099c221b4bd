//===- BatchReplay.cpp - Batches that take turns --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchReplay.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

/// A stack, or all batches, on its way through what was recorded.
struct BatchReplay::Stack {
  using Buffers = BatchCopy::Buffers;
  /// What all batches of one outer index share.
  struct Outside {
    Buffers buffers;
    llvm::DenseMap<size_t, int64_t> stored;
  };

  /// The first stack of an outer index makes what all share: its `next` event
  /// is that many before its own.
  Stack(const BatchReplay &of, const LinearExpr &outer, const LinearExpr &first,
        int64_t place, Outside &outside, ptrdiff_t next, int32_t &nextBuffer)
      : buffers(2 * of.layout.size() + 1), next(next) {
    const int64_t count = of.layout.size(), group = of.layout.sizeOfGroup();
    Buffers *common = &buffers[2 * count];
    auto copy = [&](int64_t number, For whom, llvm::ArrayRef<Buffers *> own) {
      BatchCopy made{of.layout,   of.storeAtOnce, outer, first + number,
                     number,      place,          whom,  {},
                     &nextBuffer, &outside.stored};
      made.buffers.assign(own.begin(), own.end());
      made.buffers.push_back(&outside.buffers);
      return made;
    };
    for (int64_t i = 0; i < count; ++i) {
      Buffers *own = &buffers[i];
      Buffers *ofGroup = &buffers[count + i / group];
      each.push_back(copy(i, For::Each, {own, ofGroup, common}));
      if (i % group == 0)
        groups.push_back(copy(i, For::Group, {ofGroup, common}));
    }
    all.push_back(copy(0, For::All, {common}));
    shared.push_back(copy(0, For::Each, {}));
  }

  /// Who tells of the next event.
  llvm::MutableArrayRef<BatchCopy> tellers(For whom) {
    if (next < 0)
      return shared;
    return whom == For::Each ? each : whom == For::Group ? groups : all;
  }

  std::vector<Buffers> buffers;
  std::vector<BatchCopy> each, groups, all, shared;
  ptrdiff_t next;   // event; what is shared comes before the first one
  double begin = 0; // of it
};

/// When `event` comes in a batch that is behind by `lag` strips, measured in
/// the time of the first one: behind its end strips are as long as the last
/// one.
double BatchReplay::timeOf(const Event &event, double lag) const {
  auto begin = [&](size_t strip) {
    return strip < own.strips.size() ? own.strips[strip] : own.time;
  };
  auto length = [&](size_t strip) {
    return std::max(begin(strip + 1) - begin(strip), 1.0);
  };
  double done = double(event.strip) + lag +
                (event.begin - begin(event.strip)) / length(event.strip);
  size_t strip = std::min(size_t(done), own.strips.size() - 1);
  return begin(strip) + (done - double(strip)) * length(strip);
}

/// How long it takes until the stack begins that follows on one.
double BatchReplay::ofTurn() const {
  size_t count = own.strips.size() - 1;
  if (!count)
    return own.time;
  return own.time - own.strips[1] -
         (own.time - own.strips.back()) * (1 - 1 / double(count));
}

/// When stack `number` comes to `event`: as many are at work as are staggered.
/// Behind these the next ones begin: with their last strip, as it has little to
/// share out, but behind a single one.
double BatchReplay::beginOf(const Event &event, int64_t number) const {
  if (!plan.staggered)
    return event.begin;
  auto [turn, place] = std::div(number, plan.staggered);
  return double(turn) * ofTurn() +
         timeOf(event, double(place) / double(plan.staggered));
}

/// When `stack`, which is `number`, comes to its next event. What it shares is
/// ready when it begins, made while the one before is at work alone.
double BatchReplay::beginOf(const Stack &stack, int64_t number) const {
  const Event &event = eventOf(stack);
  if (stack.next >= 0)
    return beginOf(event, number);
  double ahead = 1 - event.begin / std::max(shared.time, 1.0);
  return beginOf(own.events.front(), number) -
         ahead * ofTurn() / double(std::max<int64_t>(plan.staggered, 1));
}

const BatchReplay::Event &BatchReplay::eventOf(const Stack &stack) const {
  return stack.next < 0 ? shared.events[shared.events.size() + stack.next]
                        : own.events[stack.next];
}

void BatchReplay::tell(PlanVisitor &visitor, const LinearExpr &first,
                       int32_t &nextBuffer) const {
  if (own.events.empty())
    return;
  int64_t size = graph.sizeOf(graph.batches().back());
  const LinearExpr none = 0, &firstOuter = plan.jam > size ? first : none,
                   &firstInner = plan.jam > size ? none : first;
  std::vector<Stack::Outside> outside(llvm::divideCeil(plan.jam, size));
  std::vector<Stack> stacks;
  stacks.reserve(plan.jam / layout.size());
  for (int64_t i = 0; i < plan.jam; i += layout.size()) {
    auto [turn, index] = std::div(i, size);
    stacks.emplace_back(
        *this, firstOuter + turn, firstInner + index, index, outside[turn],
        index ? 0 : -ptrdiff_t(shared.events.size()), nextBuffer);
    stacks.back().begin = beginOf(stacks.back(), i / layout.size());
    // What is shared is told before any of those that share it.
    if (index)
      stacks.back().begin =
          std::max(stacks.back().begin,
                   beginOf(own.events.front(), (i - index) / layout.size()));
  }
  // Of the next events of all stacks the earliest one is told.
  auto isEarlier = [](const Stack &left, const Stack &right) {
    return std::tie(left.begin, left.next) < std::tie(right.begin, right.next);
  };
  auto isDone = [&](const Stack &stack) {
    return stack.next == ptrdiff_t(own.events.size());
  };
  std::optional<unsigned> told;
  while (!llvm::all_of(stacks, isDone)) {
    Stack &stack = *llvm::min_element(stacks, isEarlier);
    const Event &event = eventOf(stack);
    llvm::MutableArrayRef<BatchCopy> tellers = stack.tellers(event.whom);
    ++stack.next;
    stack.begin = isDone(stack) ? std::numeric_limits<double>::max()
                                : beginOf(stack, &stack - stacks.data());
    if (event.whom == For::Once && &stack != stacks.data())
      continue;
    if (told != event.stage)
      visitor.enterStage(*(told = event.stage));
    for (BatchCopy &copy : tellers)
      event.tell(visitor, copy);
  }
}
