//===- Passes.td - Passes that show decoded kernels --------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DECODE_PASSES
#define TRN_DECODE_PASSES

include "mlir/Pass/PassBase.td"

def PrintProgram : Pass<"trn-print-program", "::mlir::ModuleOp"> {
  let summary = "print each kernel as the program that is executed";
  let description = [{
    Decodes every placed kernel for the machine of its module and prints the
    program to the standard output: its buffers, then loops and instructions
    with the elements that they read and write. The module stays as it is.
    A kernel that cannot be decoded is an error.
  }];
}

#endif // TRN_DECODE_PASSES
