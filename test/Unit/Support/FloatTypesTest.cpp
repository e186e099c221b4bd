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
#include <cstring>
#include <vector>

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

TEST(FloatTypes, IntegersAreExactOrFarAway) {
  const float values[] = {-3, 0, 5, 0x1p24f - 1, 0x1p40f, -0x1p40f, 0.5f, NAN};
  int32_t signedValues[8];
  storeFloats(ElementType::I32, values, signedValues, 8);
  const int32_t wanted[] = {-3,        0,         5,         0xffffff,
                            INT32_MAX, INT32_MIN, INT32_MIN, INT32_MIN};
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(signedValues[i], wanted[i]) << i;
  uint32_t unsignedValues[8];
  storeFloats(ElementType::UI32, values, unsignedValues, 8);
  const uint32_t others[] = {0x80000000, 0,          5,          0xffffff,
                             UINT32_MAX, 0x80000000, 0x80000000, 0x80000000};
  float loaded[8];
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(unsignedValues[i], others[i]) << i;
  loadFloats(ElementType::UI32, unsignedValues, loaded, 8);
  EXPECT_EQ(loaded[0], 0x1p31f);
  EXPECT_EQ(loaded[3], 0x1p24f - 1);
}

/// What eight bits stand for: a sign, four bits of an exponent, three of a
/// fraction. `last` is the largest number.
static float decodeF8(uint8_t bits, float last) {
  int exponent = bits >> 3 & 15, fraction = bits & 7;
  float value = exponent ? std::ldexp(8 + fraction, exponent - 10)
                         : std::ldexp(fraction, -9);
  if (value > last)
    value = last == 240 && fraction == 0 ? INFINITY : NAN;
  return bits >> 7 ? -value : value;
}

TEST(FloatTypes, EveryFloatOfEightBits) {
  for (auto [type, last] : {std::pair{ElementType::F8E4M3, 240.0f},
                            std::pair{ElementType::F8E4M3FN, 448.0f}})
    for (unsigned bits = 0; bits < 256; ++bits) {
      float wanted = decodeF8(bits, last), value = f8ToFloat(type, bits);
      if (std::isnan(wanted)) {
        EXPECT_TRUE(std::isnan(value)) << bits;
        continue;
      }
      EXPECT_EQ(value, wanted) << bits;
      EXPECT_EQ(floatToF8(type, value), bits);
    }
}

TEST(FloatTypes, FloatsOfEightBitsRoundToNearestEven) {
  auto round = [](float value) {
    return f8ToFloat(ElementType::F8E4M3FN,
                     floatToF8(ElementType::F8E4M3FN, value));
  };
  EXPECT_EQ(round(17.0f), 16.0f); // half way to 18
  EXPECT_EQ(round(19.0f), 20.0f);
  EXPECT_EQ(round(17.01f), 18.0f);
  EXPECT_EQ(round(0x1p-10f), 0.0f);
  EXPECT_TRUE(std::isnan(round(500.0f)));
  EXPECT_TRUE(std::isinf(
      f8ToFloat(ElementType::F8E4M3, floatToF8(ElementType::F8E4M3, 500.0f))));
}

TEST(FloatTypes, IntegersOfEightBits) {
  const float values[] = {-128, -1, 0, 127, 300, 0.5f, -300, NAN};
  int8_t stored[8];
  storeFloats(ElementType::I8, values, stored, 8);
  const int wanted[] = {-128, -1, 0, 127, 127, -128, -128, -128};
  float loaded[8];
  loadFloats(ElementType::I8, stored, loaded, 8);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(stored[i], wanted[i]) << i;
    EXPECT_EQ(loaded[i], float(wanted[i])) << i;
  }
}

TEST(FloatTypes, RowsConvertLikeSingleValues) {
  // All exponents, signs, ties, infinities and NaNs.
  std::vector<float> values;
  for (uint32_t high = 0; high < 0x10000; high += 3)
    for (uint32_t low : {0u, 1u, 0x0fffu, 0x1000u, 0x1001u, 0x7fffu, 0x8000u,
                         0x8001u, 0xffffu}) {
      uint32_t bits = high << 16 | low;
      float value;
      std::memcpy(&value, &bits, sizeof value);
      values.push_back(value);
    }
  std::vector<uint16_t> rounded(values.size());
  std::vector<float> loaded(values.size());
  storeFloats(ElementType::BF16, values.data(), rounded.data(), values.size());
  loadFloats(ElementType::BF16, rounded.data(), loaded.data(), values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(rounded[i], floatToBF16(values[i])) << values[i];
    if (!std::isnan(values[i]))
      ASSERT_EQ(loaded[i], bf16ToFloat(rounded[i]));
  }
  storeFloats(ElementType::F16, values.data(), rounded.data(), values.size());
  loadFloats(ElementType::F16, rounded.data(), loaded.data(), values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) {
      ASSERT_TRUE(std::isnan(loaded[i]));
      continue;
    }
    ASSERT_EQ(rounded[i], floatToF16(values[i])) << values[i];
    ASSERT_EQ(loaded[i], f16ToFloat(rounded[i]));
  }
}
