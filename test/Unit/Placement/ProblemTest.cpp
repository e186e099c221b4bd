//===- ProblemTest.cpp - Tests of the placement problem -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Placement/Problem.h"

#include "gtest/gtest.h"

using namespace mlir::trn::placement;

/// Buffers of size 4 and 2 (two slots), live together, in 8 units.
static Problem twoLiveTogether() {
  Problem problem;
  problem.buffers.push_back({/*size=*/4, /*slots=*/1, /*begin=*/0, /*end=*/5});
  problem.buffers.push_back({/*size=*/2, /*slots=*/2, /*begin=*/4, /*end=*/9});
  problem.capacity = 8;
  return problem;
}

TEST(PlacementProblem, AcceptsBuffersSideBySide) {
  EXPECT_FALSE(twoLiveTogether().check({0, 4}));
  EXPECT_FALSE(twoLiveTogether().check({4, 0}));
}

TEST(PlacementProblem, NamesTheTwoThatOverlap) {
  auto conflict = twoLiveTogether().check({0, 3});
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->first, 0u);
  EXPECT_EQ(conflict->second, 1u);
  EXPECT_EQ(conflict->message,
            "[0, 4) and [3, 7) overlap and are both live at point 4");
}

TEST(PlacementProblem, EverySlotCounts) {
  // The first slot [0, 2) is clear of [3, 7), the second one [2, 4) is not.
  auto conflict = twoLiveTogether().check({3, 0});
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->second, 1u);
}

TEST(PlacementProblem, MemoryIsReusedAfterTheEndOfLife) {
  Problem problem = twoLiveTogether();
  problem.buffers[1].begin = 5;
  EXPECT_FALSE(problem.check({0, 0}));
}

TEST(PlacementProblem, RejectsWhatLeavesTheMemory) {
  EXPECT_EQ(twoLiveTogether().check({0, 5})->message,
            "[5, 9) exceeds the capacity 8");
  EXPECT_EQ(twoLiveTogether().check({-1, 4})->message, "offset -1 is negative");
}

TEST(PlacementProblem, RejectsMisalignedOffsets) {
  Problem problem = twoLiveTogether();
  problem.buffers[0].alignment = 4;
  EXPECT_EQ(problem.check({2, 6})->message, "offset 2 is not a multiple of 4");
}

TEST(PlacementProblem, RejectsMovingAFixedBuffer) {
  Problem problem = twoLiveTogether();
  problem.buffers[1].fixed = 0;
  EXPECT_EQ(problem.check({0, 4})->message,
            "offset 4 differs from the fixed offset 0");
}

TEST(PlacementProblem, RejectsAWrongNumberOfOffsets) {
  EXPECT_EQ(twoLiveTogether().check({0})->message, "1 offsets for 2 buffers");
}

TEST(PlacementProblem, PeakIsTheMemoryMapLargestFirst) {
  Problem problem;
  problem.buffers.push_back({/*size=*/3, /*slots=*/1, /*begin=*/0, /*end=*/9});
  problem.buffers.push_back({/*size=*/6, /*slots=*/1, /*begin=*/0, /*end=*/4});
  problem.buffers.push_back({/*size=*/4, /*slots=*/2, /*begin=*/5, /*end=*/7});
  Peak peak = problem.peak();
  EXPECT_EQ(peak.point, 5);
  EXPECT_EQ(peak.size, 3 + 4 * 2);
  EXPECT_EQ(llvm::ArrayRef<size_t>(peak.live), llvm::ArrayRef<size_t>({2, 0}));
}

TEST(PlacementProblem, NoBuffersNeedNoMemory) {
  Problem problem;
  EXPECT_FALSE(problem.check({}));
  EXPECT_EQ(problem.peak().size, 0);
  EXPECT_TRUE(problem.peak().live.empty());
}
