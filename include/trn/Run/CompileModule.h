//===- CompileModule.h - Compile a module before a run ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_RUN_COMPILEMODULE_H
#define TRN_RUN_COMPILEMODULE_H

#include "trn/Pipelines/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::trn {

/// Reads options of the pipeline `trn-compile` in command-line syntax.
LogicalResult readCompileOptions(Operation *op, StringRef text,
                                 CompileOptions &options);

/// A remark of the compiler, as `[Missed] ...`.
struct CompilerRemark {
  Location location;
  std::string text;
};

/// Runs that pipeline. If nothing was compiled, fails with the compiler's
/// reasons as notes. Adds all remarks to `remarks`, unless null, and leaves the
/// kernels on tensors, with their plans, in `planned`.
LogicalResult compileModule(ModuleOp module, const CompileOptions &options,
                            SmallVectorImpl<CompilerRemark> *remarks = nullptr,
                            OwningOpRef<ModuleOp> *planned = nullptr);

} // namespace mlir::trn

#endif // TRN_RUN_COMPILEMODULE_H
