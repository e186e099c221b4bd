//===- Passes.td - Conversions to the trn dialect ----------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_CONVERSION_PASSES
#define TRN_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def LinalgToTrn : Pass<"trn-linalg-to-trn", "::mlir::func::FuncOp"> {
  let summary = "turn bufferised linalg tiles of kernels into trn instructions";
  let description = [{
    Converts the tiles of a kernel one by one: `linalg.matmul` on SBUF and PSUM
    becomes `trn.matmul`, a transposition `trn.transpose`, an elementwise op the
    copy or the addition of an engine, `memref.copy` a `trn.dma_copy`, and an
    allocation on chip a `trn.alloc`. The zero that an accumulator starts from
    is not written: the first product of a group overwrites.
  }];
  let dependentDialects = ["::mlir::trn::TrnDialect", "::mlir::arith::ArithDialect"];
}

#endif // TRN_CONVERSION_PASSES
