//===- Handovers.cpp - Keep apart what would wait for each other ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Depth first over the buffers, those with the longest lives first. Good
// placements have slots on slots, not across their borders, so a buffer is
// tried where one of its slots starts at the border of a slot that was placed:
//
//   placed   |  u 0   |  u 1   |
//   trials   |v 0 |v 1 |        |        cheapest first
//         |v 0 |v 1 |
//                     |v 0 |v 1 |  ...
//
//===----------------------------------------------------------------------===//

#include "trn/Placement/Solvers.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir::trn;
using namespace mlir::trn::placement;

namespace {
class Cheapening {
public:
  Cheapening(const Problem &problem, Solution start, int64_t effort)
      : problem(problem), best(std::move(start)),
        bestCost(problem.cost(best.offsets)), effort(effort),
        offsets(problem.buffers.size(), 0), placed(problem.buffers.size()),
        handovers(problem.buffers.size()) {
    for (const Handover &handover : problem.handovers) {
      handovers[handover.from].push_back(&handover);
      handovers[handover.to].push_back(&handover);
    }
    order = llvm::to_vector<24>(llvm::seq<size_t>(0, problem.buffers.size()));
    auto rank = [&](size_t i) {
      const Buffer &buffer = problem.buffers[i];
      return std::tuple(!buffer.fixed, buffer.begin - buffer.end,
                        -buffer.footprint(), i);
    };
    llvm::sort(order, [&](size_t a, size_t b) { return rank(a) < rank(b); });
  }

  Solution run() {
    extend(/*depth=*/0, /*cost=*/0);
    return std::move(best);
  }

private:
  struct Trial {
    int64_t cost, offset;
    bool operator<(const Trial &other) const {
      return std::tie(cost, offset) < std::tie(other.cost, other.offset);
    }
  };

  bool isFree(size_t index, int64_t offset, size_t depth) const {
    const Buffer &buffer = problem.buffers[index];
    if (offset < 0 || offset % buffer.alignment ||
        offset + buffer.footprint() > problem.capacity)
      return false;
    return llvm::none_of(llvm::ArrayRef(order).take_front(depth),
                         [&](size_t i) {
                           const Buffer &other = problem.buffers[i];
                           return buffer.isLiveWith(other) &&
                                  offset < offsets[i] + other.footprint() &&
                                  offsets[i] < offset + buffer.footprint();
                         });
  }

  /// The cost of the handovers between buffer `index` and those placed.
  int64_t costAt(size_t index, int64_t offset) const {
    int64_t cost = 0;
    for (const Handover *handover : handovers[index]) {
      bool leaves = handover->from == index;
      size_t other = leaves ? handover->to : handover->from;
      if (placed.test(other) &&
          problem.takesPlace(*handover, leaves ? offset : offsets[other],
                             leaves ? offsets[other] : offset))
        cost += handover->cost;
    }
    return cost;
  }

  llvm::SmallVector<Trial> trials(size_t index, size_t depth) {
    const Buffer &buffer = problem.buffers[index];
    llvm::SmallVector<int64_t> borders{0, problem.capacity};
    for (size_t other : llvm::ArrayRef(order).take_front(depth))
      for (int64_t slot = 0; slot <= problem.buffers[other].slots; ++slot)
        borders.push_back(offsets[other] + slot * problem.buffers[other].size);
    llvm::SmallVector<int64_t> starts;
    if (buffer.fixed)
      starts.push_back(*buffer.fixed);
    else
      for (int64_t border : borders)
        for (int64_t slot = 0; slot <= buffer.slots; ++slot)
          starts.push_back(border - slot * buffer.size);
    llvm::sort(starts);
    starts.erase(llvm::unique(starts), starts.end());
    effort -= int64_t(starts.size());
    llvm::SmallVector<Trial> result;
    for (int64_t start : starts)
      if (isFree(index, start, depth))
        result.push_back({costAt(index, start), start});
    llvm::sort(result);
    return result;
  }

  void extend(size_t depth, int64_t cost) {
    if (depth == order.size()) {
      bestCost = cost;
      best = {offsets, problem.highWater(offsets)};
      return;
    }
    if (effort <= 0)
      return;
    size_t index = order[depth];
    for (Trial trial : trials(index, depth)) {
      if (cost + trial.cost >= bestCost)
        return;
      offsets[index] = trial.offset;
      placed.set(index);
      extend(depth + 1, cost + trial.cost);
      placed.reset(index);
    }
  }

  const Problem &problem;
  Solution best;
  int64_t bestCost;
  int64_t effort;
  Offsets offsets;
  llvm::BitVector placed;
  /// By buffer: the handovers that it has a part in.
  std::vector<llvm::SmallVector<const Handover *>> handovers;
  llvm::SmallVector<size_t, 24> order;
};
} // namespace

Solution placement::cheapen(const Problem &problem, Solution start,
                            int64_t maxTrials) {
  return Cheapening(problem, std::move(start), maxTrials).run();
}
