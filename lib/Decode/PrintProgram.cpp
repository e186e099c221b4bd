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

  void runOnOperation() override {
    markAllAnalysesPreserved();
    func::FuncOp func = getOperation();
    if (!isKernel(func) || func.isExternal())
      return;
    FailureOr<Machine> machine = getMachine(func);
    if (failed(machine))
      return signalPassFailure();
    FailureOr<DecodedKernel> kernel = decodeKernel(func, *machine);
    if (failed(kernel))
      return signalPassFailure();
    // Functions are visited in parallel; one write keeps a program together.
    std::string text;
    llvm::raw_string_ostream os(text);
    print(kernel->program, os);
    llvm::outs() << text;
  }
};
} // namespace
