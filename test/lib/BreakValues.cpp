//===- BreakValues.cpp - Passes that are wrong on purpose -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Compiler.h"

using namespace mlir;

namespace {
/// Forgets the first op of a name if it has a result, and else does it twice.
struct BreakValues : PassWrapper<BreakValues, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BreakValues)

  BreakValues() = default;
  BreakValues(const BreakValues &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-break-values"; }
  StringRef getDescription() const override {
    return "change what functions compute";
  }

  void runOnOperation() override {
    Operation *chosen = nullptr;
    getOperation().walk([&](Operation *op) {
      if (op->getName().getStringRef() != name)
        return WalkResult::advance();
      chosen = op;
      return WalkResult::interrupt();
    });
    if (!chosen)
      return;
    if (chosen->getNumResults() == 0) {
      OpBuilder builder(chosen);
      builder.clone(*chosen);
      return;
    }
    for (Value operand : chosen->getOperands())
      if (operand.getType() == chosen->getResult(0).getType())
        chosen->getResult(0).replaceAllUsesWith(operand);
  }

  Option<std::string> name{*this, "op", llvm::cl::desc("Name of the op")};
};

/// Without its name, a function is not found to be run.
struct Rename : PassWrapper<Rename, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Rename)

  Rename() = default;
  Rename(const Rename &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-rename"; }
  StringRef getDescription() const override {
    return "rename the first function";
  }

  void runOnOperation() override {
    (*getOperation().getOps<func::FuncOp>().begin()).setSymName(to);
  }

  Option<std::string> to{*this, "to", llvm::cl::desc("New name")};
};
} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "trn-test", LLVM_VERSION_STRING, [] {
            PassRegistration<BreakValues>();
            PassRegistration<Rename>();
          }};
}
