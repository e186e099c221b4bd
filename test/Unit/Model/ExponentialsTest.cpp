//===- ExponentialsTest.cpp - Tests of exponentials of rows ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Exponentials.h"

#include "gtest/gtest.h"
#include <cmath>
#include <vector>

using namespace mlir::trn;

namespace {

/// Values from -60 to 60 in no order.
std::vector<float> makeValues(int64_t count) {
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(float((i * 37 + 11) % 121 - 60));
  return values;
}

TEST(Exponentials, AreExactAndSummed) {
  for (int64_t count : {1, 5, 32, 33, 1000}) {
    std::vector<float> wanted = makeValues(count), values = wanted;
    double sum = 0;
    float all = exponentiate(values.data(), count, /*from=*/60, /*scale=*/0.5);
    for (int64_t i = 0; i < count; ++i) {
      double exact = std::exp((double(wanted[i]) - 60) * 0.5);
      EXPECT_NEAR(values[i] / exact, 1, 4 * 0x1p-23) << wanted[i];
      sum += exact;
    }
    EXPECT_NEAR(all / sum, 1, 1e-6) << count;
  }
}

TEST(Exponentials, HighestIsFoundWhereverItStands) {
  for (int64_t count : {1, 31, 32, 100})
    for (int64_t at = 0; at < count; ++at) {
      std::vector<float> values(count, -3.0f);
      values[at] = -1;
      EXPECT_EQ(findHighest(values.data(), count), -1);
    }
}

TEST(Exponentials, SigmoidsReachTheirLimits) {
  std::vector<float> x = makeValues(121), result(x.size());
  x.push_back(200);
  x.push_back(-200);
  result.resize(x.size());
  computeSigmoids(x.data(), x.size(), result.data());
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(result[i], 1 / (1 + std::exp(-double(x[i]))), 3e-7) << x[i];
}

TEST(Exponentials, InfinitiesAndNaNsStayVisible) {
  std::vector<float> values(40, 0.0f);
  values[35] = NAN;
  EXPECT_TRUE(std::isnan(exponentiate(values.data(), 40, 0, 1)));
}

} // namespace
