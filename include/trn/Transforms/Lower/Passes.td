//===- Passes.td - From planned kernels to instructions ----*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_LOWER_PASSES
#define TRN_TRANSFORMS_LOWER_PASSES

include "mlir/Pass/PassBase.td"

def LowerKernels : Pass<"trn-lower-kernels", "::mlir::func::FuncOp"> {
  let summary = "turn planned kernels into instructions on buffers";
  let description = [{
    Replaces the body of a kernel, which is linalg on tensors, by the loops that
    its `trn.schedule` stands for: transfers, tile instructions and buffers
    without addresses. Every instruction carries the stage that it belongs to in
    `trn.stage`, every buffer the matrix that it holds in `trn.matrix`. It is an
    error if the schedule computes something else than the body.

    A kernel that has been lowered already stays as it is.
  }];
  let dependentDialects = ["::mlir::trn::TrnDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // TRN_TRANSFORMS_LOWER_PASSES
