//===- TimeModule.h - Time a module without values --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_RUN_TIMEMODULE_H
#define TRN_RUN_TIMEMODULE_H

#include "trn/Report/Report.h"
#include "trn/Run/RunOptions.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::trn {

struct TimedModule {
  Report report;
  /// Numbers above a `trn.budget`: `latency_ms of @main 12.1 > 11`.
  std::vector<std::string> overBudget;
};

/// Compiles `module` if requested, which changes it, and simulates its kernels.
/// `options` must not request values.
FailureOr<TimedModule> timeModule(ModuleOp module, const RunOptions &options);

} // namespace mlir::trn

#endif // TRN_RUN_TIMEMODULE_H
