//===- TransferRateTest.cpp - Tests of bytes moved over time --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Report/TransferRate.h"

#include "gtest/gtest.h"
#include <numeric>

using namespace mlir::trn;

namespace {

constexpr int64_t us = 1000 * 1000; // in picoseconds

TEST(TransferRate, LongRunsGetWiderBinsAndKeepTheBytes) {
  TransferRate rate;
  rate.add(0, us, 1000);
  rate.add(70'000 * us, 70'002 * us, 500); // more than 65536 bins of 1 us
  EXPECT_EQ(rate.binWidth(), 2 * us);
  EXPECT_EQ(rate.bins()[0], 1000);
  EXPECT_EQ(rate.bins()[35'000], 500);
  EXPECT_EQ(std::accumulate(rate.bins().begin(), rate.bins().end(), 0.0), 1500);
}

} // namespace
