//===- FloatTypesTest.cpp - Tests of the element types --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/FloatTypes.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::trn;

TEST(FloatTypes, BF16RoundsTiesToEven) {
  // 1 + 2^-8 lies halfway between 1 (even) and 1 + 2^-7.
  EXPECT_EQ(bf16ToFloat(floatToBF16(1.0f + 0x1p-8f)), 1.0f);
  EXPECT_EQ(bf16ToFloat(floatToBF16(1.0f + 0x3p-8f)), 1.0f + 0x1p-6f);
}

TEST(FloatTypes, NarrowNaNStaysNaN) {
  EXPECT_TRUE(std::isnan(bf16ToFloat(floatToBF16(NAN))));
  EXPECT_TRUE(std::isnan(f16ToFloat(floatToF16(NAN))));
}

TEST(FloatTypes, F16OverflowsToInfinity) {
  EXPECT_EQ(f16ToFloat(floatToF16(65504.0f)), 65504.0f);
  EXPECT_TRUE(std::isinf(f16ToFloat(floatToF16(65520.0f))));
}

TEST(FloatTypes, EveryNarrowValueSurvivesARoundTrip) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float wide = bf16ToFloat(bits);
    if (!std::isnan(wide))
      EXPECT_EQ(floatToBF16(wide), bits);
    wide = f16ToFloat(bits);
    if (!std::isnan(wide))
      EXPECT_EQ(floatToF16(wide), bits);
  }
}
