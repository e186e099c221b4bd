//===- FunctionTest.cpp - Tests of the names of functions -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Machine/Function.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

TEST(Function, NamesAreReadBack) {
  for (int64_t i = 0; i < numFunctions; ++i) {
    auto function = static_cast<Function>(i);
    EXPECT_EQ(parseFunction(stringify(function)), function);
  }
  EXPECT_EQ(stringify(Function::Copy), "copy");
  EXPECT_EQ(stringify(Function::Abs), "abs");
  EXPECT_EQ(stringify(Function::Add), "add");
  EXPECT_EQ(stringify(Function::Select), "select");
  EXPECT_EQ(parseFunction("none"), std::nullopt);
}

TEST(Function, TakesOneValueOrMore) {
  EXPECT_EQ(arity(Function::Copy), 1);
  EXPECT_EQ(arity(Function::Abs), 1);
  EXPECT_EQ(arity(Function::Add), 2);
  EXPECT_EQ(arity(Function::Min), 2);
  EXPECT_EQ(arity(Function::Select), 3);
}
