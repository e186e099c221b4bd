//===- ReplayBatches.cpp - Tells of several batches at once ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JamBatches.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

/// `expr` with `index` in the place of the counter of `loop`.
static LinearExpr replaceLoop(LinearExpr expr, int32_t loop,
                              const LinearExpr &index) {
  auto term = llvm::find_if(expr.terms, [&](const LinearExpr::Term &term) {
    return term.loop == loop;
  });
  if (term == expr.terms.end())
    return expr;
  int64_t coefficient = term->coefficient;
  expr.terms.erase(term);
  return expr + index * coefficient;
}

/// `count` blocks as `view` as one, `step` columns behind each other.
static BlockView apart(BlockView view, int64_t count, int64_t step) {
  if (view.columns == step)
    view.columns *= count;
  else
    std::tie(view.runs, view.runStep) = std::tuple(count, step);
  return view;
}

BlockView BatchCopy::operator()(BlockView view) const {
  for (LinearExpr *expr : {&view.row, &view.column}) {
    *expr = replaceLoop(std::move(*expr), BatchJam::batch, index);
    *expr = replaceLoop(std::move(*expr), BatchJam::outer, outer);
  }
  if (!view.buffer)
    return view;
  int64_t group = jam.groupSizeOf(view.matrix);
  auto takeGroup = [&] {
    view.row += number % group * view.rows;
    if (whom != For::Each)
      view.rows *= group;
  };
  switch (jam.sideOf(view)) {
  case BatchJam::Side::None:
    if (whom == For::All && jam.rowsForAll.contains(*view.buffer))
      view.rows = jam.count * jam.pitch;
    if (jam.storeAtOnce.contains(*view.buffer))
      view.column += place * jam.columns.lookup(*view.buffer);
    break;
  case BatchJam::Side::Rows:
    view.row += number * jam.pitch;
    if (whom == For::All)
      view.rows = jam.count * jam.pitch;
    break;
  case BatchJam::Side::Columns:
    view.column += number * jam.pitch;
    if (whom == For::All)
      view.columns = jam.count * jam.pitch;
    break;
  case BatchJam::Side::Diagonal: // a block of all columns for each group
    takeGroup();
    view.column += (number / group * jam.count + number) * jam.pitch;
    if (whom == For::All)
      view.columns = jam.count / group * jam.count * jam.pitch;
    break;
  case BatchJam::Side::Below:
    takeGroup();
    break;
  case BatchJam::Side::Beside: {
    int64_t size = jam.isGrouped[view.matrix] ? group : jam.count;
    int64_t columns = jam.columns.lookup(*view.buffer);
    view.column += number % size * columns;
    if (whom != For::Each)
      view = apart(view, size, columns);
    break;
  }
  }
  for (const Buffers *known : buffers)
    if (auto own = known->find(*view.buffer); own != known->end()) {
      view.buffer = own->second; // others are outside of all batches
      break;
    }
  return view;
}

BlockView BatchCopy::operator()(const BlockView &view,
                                const BlockView &to) const {
  BlockView own = (*this)(view);
  if (whom != For::All || !jam.comesApart(view, to))
    return own;
  // Even if they lie side by side.
  own.columns = view.columns;
  std::tie(own.runs, own.runStep) = std::tuple(jam.count, jam.pitch);
  return own;
}

BlockView BatchCopy::ofAll(BlockView view) const {
  BatchCopy first = *this;
  first.index += -place;
  first.place = 0;
  view = first(view);
  view.columns *= jam.together;
  return view;
}

Argument BatchCopy::operator()(Argument argument) const {
  if (argument.block)
    argument.block = (*this)(*argument.block);
  return argument;
}

/// A stack, or all batches, on its way through what was recorded.
struct BatchJam::Stack {
  using Buffers = BatchCopy::Buffers;
  /// What all batches of one outer index share.
  struct Outside {
    Buffers buffers;
    llvm::DenseMap<size_t, int64_t> stored;
  };

  /// The first stack of an outer index makes what all share: its `next` event
  /// is that many before its own.
  Stack(const BatchJam &jam, const LinearExpr &outer, const LinearExpr &first,
        int64_t place, Outside &outside, ptrdiff_t next, int32_t &nextBuffer)
      : buffers(2 * jam.count + 1), next(next) {
    Buffers *common = &buffers[2 * jam.count];
    auto copy = [&](int64_t number, For whom, llvm::ArrayRef<Buffers *> own) {
      BatchCopy made{jam,  outer, first + number, number,         place,
                     whom, {},    &nextBuffer,    &outside.stored};
      made.buffers.assign(own.begin(), own.end());
      made.buffers.push_back(&outside.buffers);
      return made;
    };
    for (int64_t i = 0; i < jam.count; ++i) {
      Buffers *own = &buffers[i];
      Buffers *group = &buffers[jam.count + i / jam.groupSize];
      each.push_back(copy(i, For::Each, {own, group, common}));
      if (i % jam.groupSize == 0)
        groups.push_back(copy(i, For::Group, {group, common}));
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
double BatchJam::timeOf(const Recorded &event, double lag) const {
  auto begin = [&](size_t strip) {
    return strip < strips.size() ? strips[strip] : time;
  };
  auto length = [&](size_t strip) {
    return std::max(begin(strip + 1) - begin(strip), 1.0);
  };
  double done = double(event.strip) + lag +
                (event.begin - begin(event.strip)) / length(event.strip);
  size_t strip = std::min(size_t(done), strips.size() - 1);
  return begin(strip) + (done - double(strip)) * length(strip);
}

/// How long it takes until the stack begins that follows on one.
double BatchJam::ofTurn() const {
  size_t count = strips.size() - 1;
  if (!count)
    return time;
  return time - strips[1] - (time - strips.back()) * (1 - 1 / double(count));
}

/// When stack `number` comes to `event`: as many are at work as are staggered.
/// Behind these the next ones begin: with their last strip, as it has little to
/// share out, but behind a single one.
double BatchJam::beginOf(const Recorded &event, int64_t number) const {
  if (!staggered)
    return event.begin;
  auto [turn, place] = std::div(number, staggered);
  return double(turn) * ofTurn() +
         timeOf(event, double(place) / double(staggered));
}

/// When `stack`, which is `number`, comes to its next event. What it shares is
/// ready when it begins, made while the one before is at work alone.
double BatchJam::beginOf(const Stack &stack, int64_t number) const {
  const Recorded &event = eventOf(stack);
  if (stack.next >= 0)
    return beginOf(event, number);
  double ahead = 1 - event.begin / std::max(sharedTime, 1.0);
  return beginOf(events.front(), number) -
         ahead * ofTurn() / double(std::max<int64_t>(staggered, 1));
}

const BatchJam::Recorded &BatchJam::eventOf(const Stack &stack) const {
  return stack.next < 0 ? shared[shared.size() + stack.next]
                        : events[stack.next];
}

void BatchJam::replay(PlanVisitor &visitor, const LinearExpr &first,
                      int32_t &nextBuffer) const {
  if (events.empty())
    return;
  int64_t size = graph.sizeOf(graph.batches().back());
  const LinearExpr none = 0, &firstOuter = jam > size ? first : none,
                   &firstInner = jam > size ? none : first;
  std::vector<Stack::Outside> outside(llvm::divideCeil(jam, size));
  std::vector<Stack> stacks;
  stacks.reserve(jam / count);
  for (int64_t i = 0; i < jam; i += count) {
    auto [turn, index] = std::div(i, size);
    stacks.emplace_back(*this, firstOuter + turn, firstInner + index, index,
                        outside[turn], index ? 0 : -ptrdiff_t(shared.size()),
                        nextBuffer);
    stacks.back().begin = beginOf(stacks.back(), i / count);
    // What is shared is told before any of those that share it.
    if (index)
      stacks.back().begin = std::max(
          stacks.back().begin, beginOf(events.front(), (i - index) / count));
  }
  // Of the next events of all stacks the earliest one is told.
  auto isEarlier = [](const Stack &left, const Stack &right) {
    return std::tie(left.begin, left.next) < std::tie(right.begin, right.next);
  };
  auto isDone = [&](const Stack &stack) {
    return stack.next == ptrdiff_t(events.size());
  };
  std::optional<unsigned> told;
  while (!llvm::all_of(stacks, isDone)) {
    Stack &stack = *llvm::min_element(stacks, isEarlier);
    const Recorded &event = eventOf(stack);
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
