//===- ProgressTest.cpp - Tests of what is told of a run ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "trn/Program/CountSteps.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

TEST(Progress, StepsAreToldFromTheFirstOn) {
  KernelBuilder kernel;
  int32_t buffer = kernel.sbuf(ElementType::F32, 1, 1, 0);
  kernel.alloc(buffer);
  kernel.beginLoop(5000);
  kernel.fill(kernel.tile(buffer, 1, 0, 1), 1);
  kernel.endLoop();
  std::vector<int64_t> told;
  InterpreterOptions options;
  options.progress = [&](int64_t steps) { told.push_back(steps); };
  Program program = kernel.program();
  EXPECT_FALSE(interpret(program, defaultMachine(), {}, options));
  ASSERT_GT(told.size(), 4u);
  EXPECT_EQ(told.front(), 0);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_GT(told.back(), 4000);
  EXPECT_LE(told.back(), countSteps(program));
}
