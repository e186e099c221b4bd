//===- Sweep.h - Time a module in many variants -----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SWEEP_SWEEP_H
#define TRN_SWEEP_SWEEP_H

#include "trn/Run/RunOptions.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::trn {

/// All reports are kept until the last point is done.
constexpr uint64_t defaultMaxPoints = 10'000;

/// The variants; members are the flags of `trn-run`.
struct SweepOptions {
  /// As in "block-m=256,512; rows=1024,2048": every combination is compiled and
  /// timed. May be empty if there are several modules.
  std::string keys;
  /// The modules' files.
  std::vector<std::string> sources;
  /// A sweep of more points is refused.
  uint64_t maxPoints = defaultMaxPoints;
  /// Path of the table of the sweep, or empty.
  std::string csv;
  /// Path of a table with further numbers for points, or empty.
  std::string join;
};

/// Times copies of each of `modules`, all in one context, at all points, each
/// with `options`. Failed points are part of the outcome; it is an error if all
/// fail.
LogicalResult runSweep(ArrayRef<ModuleOp> modules, const SweepOptions &sweep,
                       const RunOptions &options, llvm::raw_ostream &os);

} // namespace mlir::trn

#endif // TRN_SWEEP_SWEEP_H
