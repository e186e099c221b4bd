//===- GrowthTest.cpp - Tests of buffers that grow ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Placement/Growth.h"
#include "trn/Placement/Solvers.h"

#include "gtest/gtest.h"
#include <random>

using namespace mlir::trn::placement;

namespace {

class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}
  int64_t pick(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine() % (high - low + 1));
  }
  Buffer buffer(int64_t points) {
    Buffer made;
    made.size = pick(1, 9);
    made.slots = pick(1, 3);
    made.begin = pick(0, points);
    made.end = made.begin + pick(1, points);
    return made;
  }
  Problem problem(int64_t count) {
    Problem made;
    for (int64_t i = 0; i < count; ++i)
      made.buffers.push_back(buffer(/*points=*/2 * count));
    made.capacity = made.peak().size + pick(0, 20);
    return made;
  }

private:
  std::mt19937 engine;
};

/// As many short lives as a program without loops has, one behind the other.
Problem linearProgram(int64_t count) {
  Random random(1);
  Problem made;
  made.capacity = 1000;
  for (int64_t i = 0; i < count; ++i) {
    Buffer buffer;
    buffer.size = random.pick(1, 9);
    buffer.begin = i;
    buffer.end = i + random.pick(1, 9);
    made.buffers.push_back(buffer);
  }
  return made;
}

} // namespace

TEST(DemandTest, is_the_peak_while_buffers_change) {
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    Problem problem = random.problem(random.pick(1, 20));
    int64_t points = 2 * int64_t(problem.buffers.size());
    Demand demand(problem.buffers);
    for (Buffer &buffer : problem.buffers) {
      EXPECT_EQ(demand.highest(), problem.peak().size);
      demand.remove(buffer);
      // Around the old life, as a buffer is kept during an iteration.
      buffer.begin -= random.pick(0, points);
      buffer.end += random.pick(0, points);
      demand.add(buffer);
    }
    EXPECT_EQ(demand.highest(), problem.peak().size);
  }
}

TEST(GrowthTest, replaces_what_one_by_one_would_replace) {
  Random random(2);
  for (int round = 0; round < 50; ++round) {
    Problem together = random.problem(random.pick(1, 12));
    if (!isSolvable(together))
      continue;
    Problem apart = together;
    std::vector<Replacement> wanted;
    for (size_t i = 0; i < together.buffers.size(); ++i) {
      wanted.push_back({i, together.buffers[i]});
      wanted.back().buffer.slots += random.pick(0, 1);
      wanted.back().buffer.end += random.pick(0, 3);
    }
    auto areReplaced = Growth(together).tryReplace(wanted);
    EXPECT_TRUE(isSolvable(together));
    for (auto [replacement, isReplaced] :
         llvm::zip_equal(wanted, areReplaced)) {
      Buffer before = apart.buffers[replacement.index];
      apart.buffers[replacement.index] = replacement.buffer;
      EXPECT_EQ(isReplaced, isSolvable(apart));
      if (!isReplaced)
        apart.buffers[replacement.index] = before;
    }
  }
}

TEST(GrowthTest, thousands_of_buffers_are_placed) {
  Problem problem = linearProgram(3000);
  Solution round = nextFit(problem);
  EXPECT_FALSE(problem.check(round.offsets));
  EXPECT_LE(round.highWater, problem.capacity);
  std::optional<Solution> best = solve(problem);
  ASSERT_TRUE(best);
  EXPECT_FALSE(problem.check(best->offsets));
  std::vector<Replacement> wanted;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    wanted.push_back({i, problem.buffers[i]});
    wanted.back().buffer.end = int64_t(problem.buffers.size());
  }
  auto areReplaced = Growth(problem).tryReplace(wanted);
  EXPECT_GT(llvm::count(areReplaced, true), 0);
  EXPECT_GT(llvm::count(areReplaced, false), 0);
}
