//===- BusyIntervalsTest.cpp - Tests of busy times ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BusyIntervals.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

/// Busy from 10 to 15, 20 to 25, and so on.
static BusyIntervals everyTen(int64_t count) {
  BusyIntervals intervals;
  for (int64_t i = 1; i <= count; ++i)
    intervals.add(10 * i, 10 * i + 5);
  return intervals;
}

TEST(BusyIntervalsTest, many_are_kept) {
  BusyIntervals intervals = everyTen(1000);
  EXPECT_EQ(intervals.fit(0, 10), 0);
  EXPECT_EQ(intervals.fit(12, 5), 15);
  EXPECT_EQ(intervals.fit(12, 6), 10005);
}

TEST(BusyIntervalsTest, gaps_between_the_first_are_forgotten_at_last) {
  EXPECT_EQ(everyTen(1024).fit(0, 5), 0);
  EXPECT_EQ(everyTen(1025).fit(0, 5), 15);
}

TEST(BusyIntervalsTest, they_grow_behind_what_is_forgotten) {
  BusyIntervals intervals = everyTen(6);
  intervals.forgetUntil(45);
  for (int64_t i = 7; i <= 40; ++i)
    intervals.add(10 * i, 10 * i + 5);
  EXPECT_EQ(intervals.fit(50, 5), 55);
  EXPECT_EQ(intervals.fit(50, 6), 405);
}
