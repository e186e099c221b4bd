//===- InterruptTest.cpp --------------------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/Interrupt.h"

#include "gtest/gtest.h"
#include <thread>

using namespace mlir::trn;

/// Asks until `isInterrupted` says so.
static int countAnswers() {
  int answers = 0;
  while (!isInterrupted())
    ++answers;
  return answers;
}

TEST(Interrupt, NobodyAsksWithoutAScope) { EXPECT_FALSE(isInterrupted()); }

TEST(Interrupt, PollsNowAndThenAndStays) {
  int polls = 0;
  InterruptScope scope([&] { return ++polls == 2; });
  EXPECT_GT(countAnswers(), 1000);
  EXPECT_EQ(polls, 2);
  EXPECT_TRUE(isInterrupted());
  EXPECT_TRUE(scope.wasInterrupted());
  EXPECT_EQ(polls, 2);
}

TEST(Interrupt, ScopesNestAndBelongToAThread) {
  InterruptScope outer([] { return false; });
  {
    InterruptScope inner([] { return true; });
    countAnswers();
    bool other = true;
    std::thread([&] { other = isInterrupted(); }).join();
    EXPECT_FALSE(other);
  }
  EXPECT_FALSE(isInterrupted());
  EXPECT_FALSE(outer.wasInterrupted());
}
