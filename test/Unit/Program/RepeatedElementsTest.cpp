//===- RepeatedElementsTest.cpp - Tests of views that meet themselves -----===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/RepeatedElements.h"

#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace mlir::trn;
using Dims = llvm::SmallVector<Access::Dim>;

/// Visits everything.
static bool repeatsByTrying(llvm::ArrayRef<Access::Dim> dims, int64_t base,
                            std::set<int64_t> &seen) {
  if (dims.empty())
    return !seen.insert(base).second;
  for (int64_t i = 0; i < dims.front().size; ++i)
    if (repeatsByTrying(dims.drop_front(), base + i * dims.front().stride,
                        seen))
      return true;
  return false;
}

TEST(RepeatedElements, OfUsualViews) {
  EXPECT_FALSE(hasRepeatedElements(Dims{{128, 512}, {512, 1}}));
  EXPECT_FALSE(hasRepeatedElements(Dims{{512, 1}, {128, 512}}));
  EXPECT_FALSE(hasRepeatedElements(Dims{{4, -8}, {8, 1}}));
  EXPECT_FALSE(hasRepeatedElements(Dims{}));
  EXPECT_FALSE(hasRepeatedElements(Dims{{0, 0}}));
  EXPECT_FALSE(hasRepeatedElements(Dims{{1, 0}, {4, 1}}));
  EXPECT_TRUE(hasRepeatedElements(Dims{{4096, 1}, {4096, 1}}));
  EXPECT_TRUE(hasRepeatedElements(Dims{{4, 0}}));
  EXPECT_TRUE(hasRepeatedElements(Dims{{4, 7}, {8, 1}}));
}

TEST(RepeatedElements, OfInterlockingStrides) {
  // 0, 3 and 0, 2, 4 make 0, 2, 4, 3, 5, 7.
  EXPECT_FALSE(hasRepeatedElements(Dims{{2, 3}, {3, 2}}));
  EXPECT_TRUE(hasRepeatedElements(Dims{{2, 4}, {3, 2}}));
}

TEST(RepeatedElements, OfHugeViews) {
  EXPECT_FALSE(hasRepeatedElements(
      Dims{{int64_t(1) << 30, int64_t(1) << 30}, {int64_t(1) << 30, 1}}));
  EXPECT_TRUE(hasRepeatedElements(
      Dims{{int64_t(1) << 30, int64_t(1) << 29}, {int64_t(1) << 30, 1}}));
}

TEST(RepeatedElements, OfRandomViewsAreThoseFoundByTrying) {
  std::mt19937 random(1);
  int repeated = 0;
  for (int i = 0; i < 5000; ++i) {
    Dims dims;
    for (unsigned rank = 1 + random() % 4; rank > 0; --rank)
      dims.push_back({int64_t(random() % 5), int64_t(random() % 25) - 8});
    std::set<int64_t> seen;
    bool expected = repeatsByTrying(dims, 0, seen);
    repeated += expected;
    ASSERT_EQ(hasRepeatedElements(dims), expected) << "view " << i;
  }
  EXPECT_GT(repeated, 500);
  EXPECT_LT(repeated, 4500);
}
