//===- PrintProgram.cpp - Print each kernel as a program ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The output of this pass is the way to see what the interpreter executes and
// the simulator times; tests of decoding check it.
//
//===----------------------------------------------------------------------===//

#include "trn/Decode/Passes.h"

#include "trn/Decode/Decode.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Program/PrintProgram.h"

#include "llvm/Support/raw_ostream.h"

namespace mlir::trn {
#define GEN_PASS_DEF_PRINTPROGRAM
#include "trn/Decode/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;

namespace {
struct PrintProgramPass final
    : mlir::trn::impl::PrintProgramBase<PrintProgramPass> {
  using Base::Base;

  /// Works on the module, so that kernels are printed in their order.
  void runOnOperation() override {
    markAllAnalysesPreserved();
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (isKernel(func) && !func.isExternal() && failed(printKernel(func)))
        signalPassFailure();
  }

  LogicalResult printKernel(func::FuncOp func) {
    FailureOr<Machine> machine = getMachine(func);
    if (failed(machine))
      return failure();
    FailureOr<DecodedKernel> kernel = decodeKernel(func, *machine);
    if (failed(kernel))
      return failure();
    print(kernel->program, llvm::outs());
    return success();
  }
};
} // namespace
