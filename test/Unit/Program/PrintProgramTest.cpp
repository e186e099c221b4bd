//===- PrintProgramTest.cpp - Tests of the text of programs ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/PrintProgram.h"

#include "trn/Program/ProgramBuilder.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

std::string text(const LinearExpr &expr) {
  std::string result;
  llvm::raw_string_ostream os(result);
  print(expr, os);
  return result;
}

LinearExpr linear(int64_t constant, llvm::ArrayRef<LinearExpr::Term> terms) {
  LinearExpr expr(constant);
  expr.terms.assign(terms.begin(), terms.end());
  return expr;
}

TEST(PrintProgram, ExpressionsShowOnlyWhatCounts) {
  EXPECT_EQ(text(0), "0");
  EXPECT_EQ(text(linear(0, {{1, 1}})), "i1");
  EXPECT_EQ(text(linear(4, {{0, 512}, {2, -1}})), "4 + 512*i0 - i2");
  EXPECT_EQ(text(linear(0, {{0, -3}})), "-3*i0");
}

TEST(PrintProgram, ShowsBuffersLoopsAndAccesses) {
  ProgramBuilder builder("rows");
  int32_t rows = builder.argument(ElementType::BF16, /*elements=*/2048);
  int32_t tile = builder.sbuf(ElementType::BF16, 128, /*elements=*/4,
                              /*offset=*/0, /*slots=*/2);
  int32_t loop = builder.beginLoop(4);
  builder.alloc(tile);
  builder.op("trn.dma_copy");
  builder.execute(
      Engine::Load, Semantics::Copy,
      builder.hbm(rows, LinearExpr::counter(loop, 512), {{128, 4}, {4, 1}}),
      builder.tile(tile, 128, 0, 4));
  builder.endLoop();

  std::string result;
  llvm::raw_string_ostream os(result);
  print(builder.program(), os);
  EXPECT_EQ(result, R"(program @rows {
  b0: hbm bf16 4096 bytes, argument 0
  b1: sbuf bf16 128 x 8 bytes, offset 0, slots 2
  loop i0 < 4 {
    alloc b1
    load dma_copy b1[0:128, 0; 4:1] <- b0[512*i0; 128:4, 4:1]
  }
}
)");
}

} // namespace
