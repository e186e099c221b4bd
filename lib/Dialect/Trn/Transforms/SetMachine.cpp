//===- SetMachine.cpp - State the machine of a module ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Dialect/Trn/Transforms/Passes.h"
#include "trn/Machine/MachineIO.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::trn {
#define GEN_PASS_DEF_SETMACHINE
#include "trn/Dialect/Trn/Transforms/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;

namespace {
struct SetMachinePass final : trn::impl::SetMachineBase<SetMachinePass> {
  using Base::Base;

  void runOnOperation() override {
    llvm::Expected<Machine> loaded = loadMachine(machine);
    if (!loaded) {
      // No place in the module is at fault.
      emitError(UnknownLoc::get(&getContext()))
          << llvm::toString(loaded.takeError());
      return signalPassFailure();
    }
    setMachine(getOperation(), *loaded);
  }
};
} // namespace
