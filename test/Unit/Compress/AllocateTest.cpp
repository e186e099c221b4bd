//===- AllocateTest.cpp ---------------------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Allocate.h"

#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <random>

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

/// Tries everything.
static double leastLoss(llvm::ArrayRef<SizeGroup> groups, double budget) {
  if (budget < 0)
    return std::numeric_limits<double>::infinity();
  if (groups.empty())
    return 0;
  double least = std::numeric_limits<double>::infinity();
  for (auto [cost, loss] :
       llvm::zip_equal(groups.front().costs, groups.front().losses))
    least =
        std::min(least, loss + leastLoss(groups.drop_front(), budget - cost));
  return least;
}

TEST(ChooseSizes, LosesAsLittleAsAnyChoiceWithinTheBudget) {
  std::mt19937 random(1);
  auto draw = [&] { return double(random() % 1000) / 100; };
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<SizeGroup> groups(4);
    for (SizeGroup &group : groups)
      for (int64_t size = 0; size < 6; ++size) {
        group.sizes.push_back(size);
        group.costs.push_back(draw());
        group.losses.push_back(draw());
      }
    const double budget = 4 + 2 * draw();
    auto chosen = chooseSizes(groups, budget);
    const double least = leastLoss(groups, budget);
    ASSERT_EQ(chosen.has_value(), std::isfinite(least));
    if (!chosen)
      continue;
    double cost = 0, loss = 0;
    for (auto [group, number] : llvm::zip_equal(groups, *chosen)) {
      cost += group.costs[number];
      loss += group.losses[number];
    }
    EXPECT_LE(cost, budget);
    EXPECT_NEAR(loss, least, 1e-9);
  }
}

TEST(ChooseSizes, FindsNothingWhereAllIsTooMuch) {
  SizeGroup group{{0}, {1}, {0}, {5}, {0}};
  EXPECT_FALSE(chooseSizes({group, group}, 9));
  EXPECT_EQ(*chooseSizes({group, group}, 10), (std::vector<size_t>{0, 0}));
}

TEST(ListGroups, HasUsefulSizesOfWeightsAndOfMlps) {
  std::vector<FactoredMatrix> plan(7);
  for (FactoredMatrix &matrix : plan)
    matrix.keptDense = "not asked";
  for (size_t i = 4; i < 7; ++i)
    plan[i] = {i == 6 ? "mlp.down_proj" : "mlp.up_proj", i == 6 ? 96 : 256,
               i == 6 ? 256 : 96, 32};
  // The largest useful rank is 69.
  auto weights = listGroups(plan, /*layers=*/1, /*block=*/32, /*byMlp=*/false);
  ASSERT_EQ(weights.size(), 3u);
  EXPECT_EQ(weights[1].members, std::vector<size_t>{5});
  EXPECT_EQ(weights[1].sizes, (Ranks{32, 64, 0}));
  EXPECT_EQ(listGroups(plan, 1, 32, /*byMlp=*/true).size(), 1u);
  for (size_t i = 4; i < 7; ++i) {
    plan[i].rank = 0;
    plan[i].neurons = 128;
  }
  auto mlps = listGroups(plan, 1, /*block=*/128, /*byMlp=*/false);
  ASSERT_EQ(mlps.size(), 1u);
  EXPECT_EQ(mlps[0].members, (std::vector<size_t>{4, 5, 6}));
  EXPECT_EQ(mlps[0].sizes, (Ranks{128, 0}));
  placeSizes(mlps, {0}, plan);
  EXPECT_EQ(plan[6].neurons, 128);
  std::vector<FactoredMatrix> dense = plan;
  placeSizes(mlps, {1}, dense);
  EXPECT_FALSE(dense[4].isChanged());
  // Factors of rank 48 of 64 neurons would be no smaller: 48 * 160 > 64 * 96.
  auto both = listGroups(plan, 1, /*block=*/64, false, /*thinRank=*/48);
  EXPECT_EQ(both[0].sizes, (Ranks{128, 192, 0, 64, 128, 192, 0}));
  EXPECT_EQ(both[0].ranks, (Ranks{48, 48, 48, 0, 0, 0, 0}));
  placeSizes(both, {2}, plan);
  EXPECT_TRUE(plan[6].isFactored() && !plan[6].isThin());
}
