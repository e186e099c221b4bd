//===- LinearExprTest.cpp - Tests of linear expressions -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/Instruction.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

TEST(LinearExpr, SumsMergeTermsAndDropZeros) {
  LinearExpr a = LinearExpr::counter(2, 5) + LinearExpr::counter(0, 3) + 7;
  LinearExpr sum = a + LinearExpr::counter(2, -5) + LinearExpr::counter(1, 1);
  ASSERT_EQ(sum.terms.size(), 2u);
  EXPECT_EQ(sum.terms[0], (LinearExpr::Term{0, 3}));
  EXPECT_EQ(sum.terms[1], (LinearExpr::Term{1, 1}));
  EXPECT_EQ(sum.constant, 7);
}

TEST(LinearExpr, ScalingScalesEveryPart) {
  LinearExpr expr = (LinearExpr::counter(0, 3) + 2) * 4;
  EXPECT_EQ(expr.evaluate({5}), 68); // (3 * 5 + 2) * 4
}

TEST(Condition, EveryPredicateComparesWithZero) {
  using Predicate = Condition::Predicate;
  auto evaluate = [](Predicate predicate, int64_t counter) {
    return Condition{predicate, LinearExpr::counter(0) + -1}.evaluate(
        {counter});
  };
  for (int64_t counter : {0, 1, 2}) {
    EXPECT_EQ(evaluate(Predicate::Eq, counter), counter == 1);
    EXPECT_EQ(evaluate(Predicate::Ne, counter), counter != 1);
    EXPECT_EQ(evaluate(Predicate::Lt, counter), counter < 1);
    EXPECT_EQ(evaluate(Predicate::Le, counter), counter <= 1);
    EXPECT_EQ(evaluate(Predicate::Gt, counter), counter > 1);
    EXPECT_EQ(evaluate(Predicate::Ge, counter), counter >= 1);
  }
}

TEST(LinearExpr, RangeTakesEachCounterToItsExtremes) {
  // 10 + 2*i0 - 3*i1 with i0 in [0, 3] and i1 in [0, 4].
  LinearExpr expr = LinearExpr::counter(0, 2) - LinearExpr::counter(1, 3) + 10;
  Interval range = rangeOf(expr, {4, 5});
  EXPECT_EQ(range.min, 10 - 3 * 4);
  EXPECT_EQ(range.max, 10 + 2 * 3);
}

TEST(LinearExpr, ALoopThatNeverRunsDoesNotTurnTheRangeAround) {
  Interval range = rangeOf(LinearExpr::counter(0, 7), {0});
  EXPECT_EQ(range.min, 0);
  EXPECT_EQ(range.max, 0);
}
