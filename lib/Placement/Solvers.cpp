//===- Solvers.cpp - Find offsets for buffers -----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sharing a memory among intervals of time (dynamic storage allocation) is
// NP-hard in general, but kernels have some twenty buffers whose lives nest,
// for which first fit in a good order nearly always reaches the lower bound.
//
//===----------------------------------------------------------------------===//

#include "trn/Placement/Solvers.h"

#include "LiveTree.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::placement;

/// Effort of `solve` beyond first fit: a few milliseconds.
static constexpr int64_t maxSolveNodes = 50000;

namespace {

/// The buffers placed so far.
class Arena {
public:
  explicit Arena(const Problem &problem)
      : problem(problem), living(problem.buffers) {
    offsets.assign(problem.buffers.size(), 0);
    for (auto [i, buffer] : llvm::enumerate(problem.buffers))
      if (buffer.fixed)
        place(i, *buffer.fixed);
  }

  /// The lowest offset, not below `start`, where the buffer meets no placed one
  /// of its lifetime.
  int64_t lowestFit(size_t index, int64_t start = 0) {
    const Buffer &buffer = problem.buffers[index];
    int64_t offset = llvm::alignTo(start, buffer.alignment);
    for (size_t other : findInTheWay(buffer, start)) {
      if (!buffer.isLiveWith(problem.buffers[other]))
        continue;
      if (offset + buffer.footprint() <= offsets[other])
        break;
      offset = std::max<int64_t>(
          offset, llvm::alignTo(top(other, offsets[other]), buffer.alignment));
    }
    return offset;
  }

  void place(size_t index, int64_t offset) {
    offsets[index] = offset;
    living.insert(index);
    placed.insert(llvm::upper_bound(placed, index,
                                    [&](size_t a, size_t b) {
                                      return offsets[a] < offsets[b];
                                    }),
                  index);
  }

  void remove(size_t index) {
    living.erase(index);
    placed.erase(llvm::find(placed, index));
  }

  Solution take() const { return {offsets, problem.highWater(offsets)}; }

  int64_t top(size_t index, int64_t offset) const {
    return offset + problem.buffers[index].footprint();
  }

private:
  /// At least those that live with the buffer and end above `start`, sorted by
  /// offset. Where these are many, all are looked at sooner than some are
  /// sorted.
  llvm::ArrayRef<size_t> findInTheWay(const Buffer &buffer, int64_t start) {
    const size_t limit = 16 + placed.size() / 16;
    found.clear();
    bool areFew = living.allLiveWith(buffer, [&](size_t other) {
      if (top(other, offsets[other]) > start)
        found.push_back(other);
      return found.size() <= limit;
    });
    if (!areFew)
      return placed;
    llvm::sort(found,
               [&](size_t a, size_t b) { return offsets[a] < offsets[b]; });
    return found;
  }

  const Problem &problem;
  Offsets offsets;
  /// The same buffers by their lives, and sorted by offset.
  LiveTree living;
  llvm::SmallVector<size_t, 24> placed;
  /// What was found last.
  llvm::SmallVector<size_t, 24> found;
};

/// Tries the placements that are first fits in order of their offsets.
///
/// No optimum is lost: replay an optimal solution as first fit, sorted by
/// offset. By induction no buffer moves up, because all that were placed before
/// it end below its old offset. Sorting and replaying again ends in offsets
/// that the replay leaves alone, and these are among those tried here.
class Search {
public:
  Search(const Problem &problem, Solution start, int64_t enough, int64_t nodes)
      : best(std::move(start)), enough(enough), nodes(nodes), arena(problem) {
    for (auto [i, buffer] : llvm::enumerate(problem.buffers))
      if (!buffer.fixed)
        todo.push_back(i);
  }

  Solution run() {
    extend(/*lastOffset=*/0, /*lastIndex=*/0);
    return std::move(best);
  }

private:
  bool done() const { return best.highWater <= enough || nodes <= 0; }

  void extend(int64_t lastOffset, size_t lastIndex) {
    if (done())
      return;
    if (todo.empty()) {
      Solution solution = arena.take();
      if (solution.highWater < best.highWater)
        best = std::move(solution);
      return;
    }
    for (size_t position = 0; position < todo.size(); ++position) {
      size_t index = todo[position];
      int64_t offset = arena.lowestFit(index);
      --nodes;
      if (offset < lastOffset || (offset == lastOffset && index < lastIndex) ||
          arena.top(index, offset) >= best.highWater)
        continue;
      arena.place(index, offset);
      todo.erase(todo.begin() + position);
      extend(offset, index);
      todo.insert(todo.begin() + position, index);
      arena.remove(index);
    }
  }

  Solution best;
  int64_t enough;
  int64_t nodes;
  Arena arena;
  llvm::SmallVector<size_t, 24> todo;
};

} // namespace

Solution placement::firstFit(const Problem &problem,
                             llvm::ArrayRef<size_t> order) {
  Arena arena(problem);
  for (size_t index : order)
    if (!problem.buffers[index].fixed)
      arena.place(index, arena.lowestFit(index));
  return arena.take();
}

Solution placement::nextFit(const Problem &problem) {
  auto order =
      llvm::to_vector<24>(llvm::seq<size_t>(0, problem.buffers.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::make_pair(problem.buffers[a].begin, a) <
           std::make_pair(problem.buffers[b].begin, b);
  });
  Arena arena(problem);
  int64_t next = 0;
  for (size_t index : order) {
    const Buffer &buffer = problem.buffers[index];
    if (buffer.fixed)
      continue;
    int64_t offset = arena.lowestFit(index, next);
    if (arena.top(index, offset) > problem.capacity)
      offset = arena.lowestFit(index);
    arena.place(index, offset);
    next = arena.top(index, offset);
  }
  return arena.take();
}

Solution placement::bestOf(const Problem &problem, int64_t bound) {
  using Key = int64_t (*)(const Buffer &);
  static constexpr Key largestFirst[] = {
      [](const Buffer &b) { return b.footprint(); },
      [](const Buffer &b) { return b.end - b.begin; },
      [](const Buffer &b) { return b.footprint() * (b.end - b.begin); },
      [](const Buffer &b) { return -b.begin; },
  };
  std::optional<Solution> best;
  for (Key key : largestFirst) {
    auto order =
        llvm::to_vector<24>(llvm::seq<size_t>(0, problem.buffers.size()));
    llvm::sort(order, [&](size_t a, size_t b) {
      return std::make_pair(-key(problem.buffers[a]), a) <
             std::make_pair(-key(problem.buffers[b]), b);
    });
    Solution solution = firstFit(problem, order);
    if (!best || solution.highWater < best->highWater)
      best = std::move(solution);
    if (best->highWater <= bound)
      break;
  }
  return std::move(*best);
}

Solution placement::improve(const Problem &problem, Solution start,
                            int64_t enough, int64_t maxNodes) {
  return Search(problem, std::move(start), enough, maxNodes).run();
}

/// Whether a search may get to a placement of all buffers: it tries each that
/// is left before it goes on.
static bool isWorthSearching(const Problem &problem) {
  int64_t count = int64_t(problem.buffers.size());
  return count * (count + 1) / 2 <= maxSolveNodes;
}

/// A solution, the better the lower `enough` is.
static std::optional<Solution> solve(const Problem &problem, int64_t enough) {
  Solution solution = bestOf(problem, enough);
  if (solution.highWater > problem.capacity && isWorthSearching(problem))
    solution =
        improve(problem, std::move(solution), problem.capacity, maxSolveNodes);
  // The capacity, and fixed offsets that contradict each other.
  if (problem.check(solution.offsets))
    return std::nullopt;
  return solution;
}

std::optional<Solution> placement::solve(const Problem &problem) {
  int64_t bound = problem.peak().size;
  if (bound > problem.capacity)
    return std::nullopt;
  return ::solve(problem, bound);
}

bool placement::isSolvable(const Problem &problem) {
  return problem.peak().size <= problem.capacity && hasAddresses(problem);
}

bool placement::hasAddresses(const Problem &problem) {
  return ::solve(problem, problem.capacity).has_value();
}
