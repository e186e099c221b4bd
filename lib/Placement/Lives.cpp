//===- Lives.cpp - When buffers are live, and what they gain --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Placement/Lives.h"

#include "trn/Placement/Growth.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir::trn;
using namespace mlir::trn::placement;

Buffer Life::describe(int64_t slots, size_t keptLoops) const {
  if (slots > 1)
    keptLoops = std::max<size_t>(keptLoops, 1);
  keptLoops = std::min(keptLoops, loops.size());
  StepRange kept = keptLoops ? loops[keptLoops - 1] : range;
  Buffer described = buffer;
  described.slots = slots;
  described.begin = kept.begin;
  described.end = kept.end;
  // In a loop without iterations: before all others, and each by itself.
  if (executions == 0) {
    described.begin = -1 - range.begin;
    described.end = -range.begin;
  }
  return described;
}

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

void LifeRecorder::beginLoop(int64_t trips) {
  double executions = open.empty() ? 1 : loops[open.back()].executions;
  open.push_back(int32_t(loops.size()));
  loops.push_back({{steps++, 0}, executions * double(trips), {}});
}

void LifeRecorder::endLoop() {
  Loop &loop = loops[open.pop_back_val()];
  for (int32_t buffer : loop.used)
    lives[buffer].lastUse = steps;
  loop.range.end = ++steps;
}

void LifeRecorder::allocate(const Buffer &buffer, bool isDecided) {
  Life &life = lives.emplace_back();
  life.buffer = buffer;
  life.isDecided = isDecided;
  life.range.begin = life.lastUse = steps++;
  double executions = open.empty() ? 1 : loops[open.back()].executions;
  const double most = std::numeric_limits<int32_t>::max();
  life.executions = int64_t(std::min(executions, most));
  around.emplace_back(open.begin(), open.end());
}

void LifeRecorder::use(int32_t buffer) {
  size_t depth = around[buffer].size();
  if (depth == open.size())
    lives[buffer].lastUse = steps;
  else
    loops[open[depth]].used.push_back(buffer);
}

void LifeRecorder::execute(llvm::ArrayRef<int32_t> buffers, bool isTransfer,
                           bool isOnTensor) {
  for (int32_t buffer : buffers) {
    use(buffer);
    lives[buffer].isTransferred |= isTransfer;
  }
  if (isOnTensor)
    tensorWork.push_back(
        {steps, open.empty() ? 1 : loops[open.back()].executions});
  ++steps;
}

Lives LifeRecorder::take() {
  // What the tensor engine executes before a step.
  std::vector<double> before(1, 0);
  for (auto [step, executions] : tensorWork)
    before.push_back(before.back() + executions);
  auto workIn = [&](StepRange range) {
    auto countBefore = [&](int64_t step) {
      return before[llvm::partition_point(
                        tensorWork,
                        [&](const auto &work) { return work.first < step; }) -
                    tensorWork.begin()];
    };
    return countBefore(range.end) - countBefore(range.begin);
  };
  for (auto [life, open] : llvm::zip_equal(lives, around)) {
    life.range.end = life.lastUse + 1;
    for (int32_t loop : llvm::reverse(open))
      life.loops.push_back(loops[loop].range);
    if (life.loops.empty())
      continue;
    double all = workIn(life.loops.front());
    life.restShare = all ? (all - workIn(life.range)) / all : 0;
  }
  return std::move(lives);
}

//===----------------------------------------------------------------------===//
// Slots and places
//===----------------------------------------------------------------------===//

llvm::SmallVector<size_t> placement::byUrgency(llvm::ArrayRef<Life> lives) {
  llvm::SmallVector<size_t> order;
  for (auto [i, life] : llvm::enumerate(lives))
    if (!life.loops.empty() && life.executions > 1)
      order.push_back(i);
  auto rank = [&](size_t i) {
    return std::tuple(-int64_t(lives[i].loops.size()), lives[i].buffer.size, i);
  };
  llvm::sort(order, [&](size_t a, size_t b) { return rank(a) < rank(b); });
  return order;
}

Problem placement::describe(llvm::ArrayRef<Life> lives, int64_t capacity) {
  Problem problem;
  problem.capacity = capacity;
  for (const Life &life : lives)
    problem.buffers.push_back(life.describe());
  return problem;
}

void placement::forEachDepth(
    llvm::ArrayRef<Life> lives, llvm::function_ref<bool(const Life &)> accept,
    llvm::function_ref<void(llvm::ArrayRef<size_t>)> serve) {
  llvm::SmallVector<size_t> order = byUrgency(lives);
  llvm::erase_if(order, [&](size_t index) {
    return lives[index].isDecided || !accept(lives[index]);
  });
  for (llvm::ArrayRef<size_t> rest = order; !rest.empty();) {
    size_t depth = lives[rest.front()].loops.size();
    llvm::ArrayRef<size_t> group = rest.take_while(
        [&](size_t index) { return lives[index].loops.size() == depth; });
    rest = rest.drop_front(group.size());
    serve(group);
  }
}

void placement::spreadEvenly(llvm::ArrayRef<Life> lives, Problem &problem) {
  Growth growth(problem);
  auto serve = [&](llvm::ArrayRef<size_t> group) {
    // As many as one unit each would fill it take turns as it is.
    llvm::SmallDenseMap<int64_t, int64_t> counts; // by loop
    for (size_t index : group)
      ++counts[lives[index].loops.front().begin];
    llvm::SmallVector<size_t> growing(group);
    llvm::erase_if(growing, [&](size_t index) {
      return counts[lives[index].loops.front().begin] > problem.capacity;
    });
    while (!growing.empty()) {
      llvm::SmallVector<Replacement> wanted;
      for (size_t index : growing)
        if (int64_t slots = problem.buffers[index].slots + 1;
            slots <= lives[index].executions)
          wanted.push_back({index, lives[index].describe(slots)});
      growing.clear();
      for (auto [replacement, isReplaced] :
           llvm::zip_equal(wanted, growth.tryReplace(wanted)))
        if (isReplaced)
          growing.push_back(replacement.index);
    }
  };
  forEachDepth(lives, [](const Life &) { return true; }, serve);
}

std::optional<Solution> placement::place(llvm::ArrayRef<Life> lives,
                                         Problem &problem) {
  if (!isSolvable(problem))
    return std::nullopt;
  llvm::SmallVector<Replacement> wanted;
  for (size_t index : byUrgency(lives)) {
    const Life &life = lives[index];
    if (problem.buffers[index].slots == 1 && life.isTransferred &&
        life.restShare != 0)
      wanted.push_back({index, life.describe(/*slots=*/1, /*keptLoops=*/1)});
  }
  Growth(problem).tryReplace(wanted);
  Solution round = nextFit(problem);
  return problem.check(round.offsets) ? solve(problem) : round;
}
