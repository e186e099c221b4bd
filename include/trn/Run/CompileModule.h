//===- CompileModule.h - The compiler as a step of a run --------*- C++ -*-===//
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

/// Reads the options of the pipeline `trn-compile` as a command line has them.
LogicalResult readCompileOptions(Operation *op, StringRef text,
                                 CompileOptions &options);

/// What the compiler says about a place, as `[Missed] ...`.
struct CompilerRemark {
  Location location;
  std::string text;
};

/// Runs that pipeline. That it compiled nothing at all is an error, whose notes
/// give the compiler's reasons. Adds all it says to `remarks`, unless null, and
/// leaves the kernels on tensors, with their plans, in `planned`.
LogicalResult compileModule(ModuleOp module, const CompileOptions &options,
                            SmallVectorImpl<CompilerRemark> *remarks = nullptr,
                            OwningOpRef<ModuleOp> *planned = nullptr);

} // namespace mlir::trn

#endif // TRN_RUN_COMPILEMODULE_H
