//===- AllocateTest.cpp ---------------------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Allocate.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

using Ranks = std::vector<int64_t>;

/// 8 x 8: factors have 16 parameters a rank, and useful ranks are 1 to 3.
static Spectrum small(std::vector<double> sigmas) {
  sigmas.resize(8);
  return {8, 8, std::move(sigmas)};
}

TEST(Allocate, GivesBlocksToWhereTheyKeepTheLargestShare) {
  // The shares of squares that ranks 2 and 3 keep are 0.4, 0.1 and 0.3, 0.2.
  std::vector<Spectrum> weights = {small({2.236, 2, 1}),
                                   small({2.236, 1.732, 1.414})};
  EXPECT_EQ(allocateRanks(weights, 1, 16 * 2), (Ranks{1, 1}));
  EXPECT_EQ(allocateRanks(weights, 1, 16 * 3), (Ranks{2, 1}));
  EXPECT_EQ(allocateRanks(weights, 1, 16 * 4), (Ranks{2, 2}));
  EXPECT_EQ(allocateRanks(weights, 1, 16 * 5), (Ranks{2, 3}));
  EXPECT_EQ(allocateRanks(weights, 1, 16 * 6), (Ranks{3, 3}));
}

TEST(Allocate, LooksAtSharesNotAtSizes) {
  Spectrum large = small({100, 10}), even = small({1, 1});
  EXPECT_EQ(allocateRanks({large, even}, 1, 16 * 3), (Ranks{1, 2}));
}

TEST(Allocate, NeverTakesMoreThanThereIs) {
  std::vector<Spectrum> weights(3, small({1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(allocateRanks(weights, 1, 16 * 5 - 1), (Ranks{2, 1, 1}));
  // One block each, even if that is more than was asked for.
  EXPECT_EQ(allocateRanks(weights, 1, 0), (Ranks{1, 1, 1}));
  EXPECT_EQ(allocateRanks({}, 1, 100), Ranks());
}

TEST(Allocate, LeavesWeightsWholeThatGetMoreThanUsefulRanks) {
  std::vector<Spectrum> weights = {small({1, 1, 1, 1, 1, 1, 1, 1}),
                                   small({1, 0.1, 0.1, 0.1})};
  EXPECT_EQ(allocateRanks(weights, 1, 16 * 4), (Ranks{3, 1}));
  EXPECT_EQ(allocateRanks(weights, 1, 16 * 5), (Ranks{0, 1}));
  // No rank is above the sizes.
  EXPECT_EQ(allocateRanks(weights, 1, 16 * 10), (Ranks{0, 2}));
  // A block that is no useful rank.
  EXPECT_EQ(allocateRanks(weights, 4, 1000), (Ranks{0, 0}));
}

TEST(Allocate, CountsParametersOfOtherShapes) {
  // A rank of the second costs twice as much.
  Spectrum narrow{8, 8, {1, 1, 1, 1, 1, 1, 1, 1}},
      wide{8, 24, {1, 1, 1, 1, 1, 1, 1, 1}};
  EXPECT_EQ(allocateRanks({wide, narrow}, 1, 32 + 16 * 2), (Ranks{1, 2}));
}
