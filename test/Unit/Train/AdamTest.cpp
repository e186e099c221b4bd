//===- AdamTest.cpp - Tests of steps against gradients --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Train/Adam.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

TEST(Adam, FirstStepHasItsSizeWhateverTheGradient) {
  Adam adam(3);
  std::vector<float> values = {1, 1, 1};
  adam.step(values, {1e-6f, -1e6f, 0}, /*size=*/0.25);
  EXPECT_FLOAT_EQ(values[0], 0.75f);
  EXPECT_FLOAT_EQ(values[1], 1.25f);
  EXPECT_FLOAT_EQ(values[2], 1);
}

/// mean = (0.9 * 0.1 * 1 + 0.1 * -1) / 0.19 and, of the squares, 1.
TEST(Adam, LaterStepsGoAlongMeans) {
  Adam adam(1);
  std::vector<float> value = {0};
  adam.step(value, {1.0f}, 1);
  EXPECT_NEAR(value[0], -1, 1e-5);
  adam.step(value, {-1.0f}, 1);
  EXPECT_NEAR(value[0], -1 + 0.01 / 0.19, 1e-5);
}

TEST(Adam, RateFallsAlongACosine) {
  EXPECT_EQ(cosineRate(0, 8), 1);
  EXPECT_NEAR(cosineRate(4, 8), 0.5, 1e-12);
  EXPECT_NEAR(cosineRate(8, 8), 0, 1e-12);
}

TEST(Adam, RootMeanSquare) {
  EXPECT_EQ(rootMeanSquare({3.0f, -4.0f, 0.0f, 0.0f}), 2.5);
  EXPECT_EQ(rootMeanSquare({}), 0);
}
