//===- SolversTest.cpp - Tests of the placement solvers -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Placement/Solvers.h"

#include "gtest/gtest.h"
#include <limits>
#include <random>

using namespace mlir::trn::placement;

namespace {

constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();

/// Small enough for `bruteForce`: at most five buffers of at most four units.
Problem randomProblem(std::mt19937 &random) {
  auto pick = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % (high - low + 1));
  };
  Problem problem;
  problem.capacity = pick(4, 12);
  for (int64_t i = 0, count = pick(1, 5); i < count; ++i) {
    Buffer buffer;
    buffer.slots = pick(1, 4) == 1 ? 2 : 1;
    buffer.size = pick(1, 4 / buffer.slots);
    buffer.begin = pick(0, 6);
    buffer.end = buffer.begin + pick(1, 6);
    buffer.alignment = pick(1, 2);
    if (pick(1, 8) == 1)
      buffer.fixed = buffer.alignment * pick(0, 3);
    problem.buffers.push_back(buffer);
  }
  return problem;
}

/// The lowest high-water mark, by trying every offset of every buffer. Knows
/// nothing of the library's `check`. `unlimited` if fixed offsets collide.
int64_t bruteForce(const Problem &problem, Offsets &offsets, int64_t limit) {
  size_t index = offsets.size();
  int64_t top = 0;
  if (index == problem.buffers.size()) {
    for (size_t i = 0; i < index; ++i)
      top = std::max(top, offsets[i] + problem.buffers[i].size *
                                           problem.buffers[i].slots);
    return top;
  }
  const Buffer &buffer = problem.buffers[index];
  int64_t best = unlimited;
  for (int64_t offset = 0; offset + buffer.size * buffer.slots <= limit;
       ++offset) {
    if (offset % buffer.alignment || (buffer.fixed && *buffer.fixed != offset))
      continue;
    bool free = true;
    for (size_t i = 0; i < index; ++i)
      for (int64_t time = buffer.begin; time < buffer.end; ++time)
        for (int64_t unit = offset; unit < offset + buffer.size * buffer.slots;
             ++unit) {
          const Buffer &other = problem.buffers[i];
          free &= time < other.begin || time >= other.end ||
                  unit < offsets[i] ||
                  unit >= offsets[i] + other.size * other.slots;
        }
    if (!free)
      continue;
    offsets.push_back(offset);
    best = std::min(best, bruteForce(problem, offsets, limit));
    offsets.pop_back();
  }
  return best;
}

int64_t bruteForce(const Problem &problem) {
  Offsets offsets;
  // The largest capacity of a random problem.
  return bruteForce(problem, offsets, /*limit=*/12);
}

template <typename Check>
void forEachRandomProblem(Check check) {
  std::mt19937 random(20240229);
  for (int trial = 0; trial < 500; ++trial) {
    SCOPED_TRACE(trial);
    Problem problem = randomProblem(random);
    check(problem, bruteForce(problem));
  }
}

} // namespace

TEST(PlacementSolvers, SolveFitsExactlyWhenBruteForceDoes) {
  int solved = 0;
  forEachRandomProblem([&](const Problem &problem, int64_t optimum) {
    std::optional<Solution> solution = solve(problem);
    EXPECT_EQ(solution.has_value(), optimum <= problem.capacity);
    EXPECT_EQ(isSolvable(problem), optimum <= problem.capacity);
    if (!solution)
      return;
    ++solved;
    EXPECT_FALSE(problem.check(solution->offsets));
    EXPECT_EQ(solution->highWater, problem.highWater(solution->offsets));
  });
  // Both answers are well represented.
  EXPECT_GT(solved, 150);
  EXPECT_LT(solved, 450);
}

TEST(PlacementSolvers, BestOfIsValidIfThereIsRoom) {
  forEachRandomProblem([](Problem problem, int64_t optimum) {
    if (optimum == unlimited)
      return;
    problem.capacity = unlimited;
    Solution solution = bestOf(problem, problem.peak().size);
    EXPECT_FALSE(problem.check(solution.offsets));
    EXPECT_GE(solution.highWater, optimum);
    EXPECT_GE(optimum, problem.peak().size);
  });
}

TEST(PlacementSolvers, ImproveIsOptimal) {
  forEachRandomProblem([](Problem problem, int64_t optimum) {
    if (optimum == unlimited)
      return;
    Solution best = improve(problem, bestOf(problem, problem.peak().size),
                            /*enough=*/0, /*maxNodes=*/unlimited);
    EXPECT_EQ(best.highWater, optimum);
    problem.capacity = optimum;
    EXPECT_FALSE(problem.check(best.offsets));
  });
}

TEST(PlacementSolvers, FirstFitFollowsTheOrder) {
  Problem problem;
  problem.buffers.push_back({/*size=*/3});
  problem.buffers.push_back({/*size=*/5});
  EXPECT_EQ(firstFit(problem, {0, 1}).offsets, Offsets({0, 3}));
  EXPECT_EQ(firstFit(problem, {1, 0}).offsets, Offsets({5, 0}));
}

TEST(PlacementSolvers, NextFitOverlapsNowhere) {
  forEachRandomProblem([](Problem problem, int64_t optimum) {
    if (optimum == unlimited)
      return;
    Solution solution = nextFit(problem);
    problem.capacity = unlimited;
    EXPECT_FALSE(problem.check(solution.offsets));
  });
}

TEST(PlacementSolvers, NextFitGoesRound) {
  Problem problem;
  problem.capacity = 3;
  for (int64_t begin : {0, 2, 4, 6})
    problem.buffers.push_back({/*size=*/1, /*slots=*/1, begin, begin + 1});
  EXPECT_EQ(nextFit(problem).offsets, Offsets({0, 1, 2, 0}));
}

TEST(PlacementSolvers, FixedBuffersStayAndAreAvoided) {
  Problem problem;
  problem.capacity = 10;
  problem.buffers.push_back({/*size=*/3});
  problem.buffers.push_back({/*size=*/4});
  problem.buffers[1].fixed = 2;
  EXPECT_EQ(solve(problem)->offsets, Offsets({6, 2}));
}

TEST(PlacementSolvers, PsumBuffersTakeConsecutiveBanks) {
  // Three rotated accumulators, 3 + 3 + 2 banks, in the 8 banks of PSUM.
  Problem problem;
  problem.capacity = 8;
  for (int64_t slots : {3, 3, 2})
    problem.buffers.push_back({/*size=*/1, slots});
  EXPECT_EQ(solve(problem)->highWater, 8);
  problem.buffers[2].slots = 3;
  EXPECT_FALSE(solve(problem));
}

TEST(PlacementSolvers, TwoPhasesShareTheirMemory) {
  // The strip (32 units) outlives stage 1 (a block of 24, two slots) and is
  // read in stage 2 (blocks of 16 and 8, two slots each).
  Problem problem;
  problem.capacity = 80;
  problem.buffers.push_back({/*size=*/32, /*slots=*/1, /*begin=*/0, /*end=*/9});
  problem.buffers.push_back({/*size=*/24, /*slots=*/2, /*begin=*/1, /*end=*/4});
  problem.buffers.push_back({/*size=*/16, /*slots=*/2, /*begin=*/4, /*end=*/8});
  problem.buffers.push_back({/*size=*/8, /*slots=*/2, /*begin=*/5, /*end=*/8});
  EXPECT_EQ(solve(problem)->highWater, 32 + std::max(2 * 24, 2 * 16 + 2 * 8));
}
