//===- BufferLifeTest.cpp - Tests of when buffers are live ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Analysis/BufferLife.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Machine/KnownMachines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::trn;

/// First and last points of the buffers in a kernel with `arithmetic` in it.
static std::vector<std::pair<int64_t, int64_t>>
rangesWith(StringRef arithmetic) {
  MLIRContext context;
  context.loadDialect<TrnDialect, arith::ArithDialect, func::FuncDialect,
                      memref::MemRefDialect, scf::SCFDialect>();
  std::string text = (R"mlir(
    func.func private @k(%x: memref<2x2xf32>) attributes {trn.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %a = trn.alloc : memref<2x2xf32, #trn.mem<sbuf>>
      trn.dma_copy %x to %a : memref<2x2xf32> to memref<2x2xf32, #trn.mem<sbuf>>
      scf.for %i = %c0 to %c2 step %c1 {
        )mlir" + arithmetic +
                      R"mlir(
        %b = trn.alloc : memref<2x2xf32, #trn.mem<sbuf>>
        trn.tensor_copy %a into %b : memref<2x2xf32, #trn.mem<sbuf>> to memref<2x2xf32, #trn.mem<sbuf>>
      }
      return
    })mlir")
                         .str();
  auto module = parseSourceString<ModuleOp>(text, &context);
  FailureOr<KernelLives> lives =
      computeLives(*module->getOps<func::FuncOp>().begin(), defaultMachine());
  std::vector<std::pair<int64_t, int64_t>> ranges;
  for (const BufferLife &buffer : lives->buffers)
    ranges.push_back({buffer.life.range.begin, buffer.life.range.end});
  return ranges;
}

TEST(BufferLifeTest, ArithmeticChangesNoRange) {
  auto ranges = rangesWith("");
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_LT(ranges[0].first, ranges[1].first);
  EXPECT_EQ(rangesWith("%s = arith.addi %i, %c1 : index"), ranges);
}
