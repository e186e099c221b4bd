//===- TraceCallsTest.cpp - Tests of the order of calls -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Analysis/TraceCalls.h"

#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::trn;

TEST(TraceCallsTest, RecursionHasNoEnd) {
  MLIRContext context;
  context.loadDialect<TrnDialect, func::FuncDialect>();
  std::string message;
  context.getDiagEngine().registerHandler(
      [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  auto module = parseSourceString<ModuleOp>(R"mlir(
    func.func private @kernel() attributes {trn.kernel} {
      return
    }
    func.func private @even() {
      call @kernel() : () -> ()
      call @odd() : () -> ()
      return
    }
    func.func private @odd() {
      call @even() : () -> ()
      return
    }
    func.func @main() {
      call @even() : () -> ()
      return
    })mlir",
                                            &context);
  ASSERT_TRUE(module) << message;
  auto kernel = module->lookupSymbol<func::FuncOp>("kernel");
  EXPECT_TRUE(
      failed(traceCalls(module->lookupSymbol<func::FuncOp>("main"), {kernel})));
  EXPECT_TRUE(StringRef(message).contains(
      "calls itself, directly or through others, but timing needs calls of "
      "kernels that end"))
      << message;
}
