//===- Passes.td - Passes that talk about kernels ----------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_ANALYSIS_PASSES
#define TRN_ANALYSIS_PASSES

include "mlir/Pass/PassBase.td"

def Analyze : Pass<"trn-analyze", "::mlir::ModuleOp"> {
  let summary = "say what limits each kernel";
  let description = [{
    Emits remarks about every kernel, placed or virtual; the module stays as it
    is. Loops are multiplied out; placed kernels are simulated, too.

    - On the kernel: the bounds and what each engine has to do; as notes, if it
      is placed, how long it takes and what costs that time, with what to
      change; the peaks of SBUF and PSUM and the map of the PSUM banks.
    - On a buffer: what it takes, where, and whether it is live at the peak.
    - On a loop: what is live in it, where that differs from the loop around it.
    - On a transfer: its rows (pieces that are contiguous on both sides), the
      rate that the cost model gives to them, and a hint for short ones.
    - On a matmul: how much of the tensor engine its shape fills and what the
      rest costs; on a tensor engine transpose, its share of the time.
    - On an op of host code that computes or moves data beside kernels: how many
      bytes, how often, and whether it is done once, when weights are loaded.

    A kernel that is not made of instructions, buffers and loops with constant
    trip counts is an error. docs/Analyze.md explains each remark.
  }];
}

#endif // TRN_ANALYSIS_PASSES
