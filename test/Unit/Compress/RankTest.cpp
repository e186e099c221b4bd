//===- RankTest.cpp -------------------------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Rank.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

// 2048 * 8192 / (10240 * 128) = 12.8 blocks are the whole weight.
TEST(Rank, IsTheNearestMultipleOfTheBlock) {
  EXPECT_EQ(getRankOfRatio(0.05, 2048, 8192, 128), 12 * 128); // 12.16
  EXPECT_EQ(getRankOfRatio(0.20, 2048, 8192, 128), 10 * 128); // 10.24
  EXPECT_EQ(getRankOfRatio(0.99, 2048, 8192, 128), 128);      // 0.128
}

// 256 * 256 / (512 * 32) = 4 blocks, of which 2.5 are left.
TEST(Rank, GoesDownByAtMostAlphaBlocks) {
  EXPECT_EQ(getRankOfRatio(0.375, 256, 256, 32), 2 * 32);
  EXPECT_EQ(getRankOfRatio(0.375, 256, 256, 32, 0.5), 2 * 32);
  EXPECT_EQ(getRankOfRatio(0.375, 256, 256, 32, 0.49), 3 * 32);
  EXPECT_EQ(getRankOfRatio(0.375, 256, 256, 32, 0), 3 * 32);
  EXPECT_EQ(getRankOfRatio(0.375, 256, 256, 32, 0.99), 2 * 32);
}

TEST(Rank, OfAWholeNumberOfBlocksIsThatNumber) {
  EXPECT_EQ(getRankOfRatio(0.25, 256, 256, 32, 0), 3 * 32);
  EXPECT_EQ(getRankOfRatio(0.25, 256, 256, 32, 0.99), 3 * 32);
}
