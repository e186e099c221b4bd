//===- RunModule.h - Compile, run, check and time a module ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_RUN_RUNMODULE_H
#define TRN_RUN_RUNMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include "trn/Run/RunOptions.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir {
class DialectRegistry;

namespace trn {

/// Registers dialects that `runModule` needs in the module's context.
void registerRunDialects(DialectRegistry &registry);

/// Does what `options` request and prints the outcome on `os`. Changes
/// `module`.
LogicalResult runModule(ModuleOp module, const RunOptions &options,
                        llvm::raw_ostream &os);

} // namespace trn
} // namespace mlir

#endif // TRN_RUN_RUNMODULE_H
