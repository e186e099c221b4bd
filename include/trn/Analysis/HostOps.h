//===- HostOps.h - Work that stays on the host ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_ANALYSIS_HOSTOPS_H
#define TRN_ANALYSIS_HOSTOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::trn {

/// An op of host code that computes or moves data, which no modelled time
/// contains.
struct HostOp {
  Operation *op;
  /// In one run of the entry. A loop whose trip count is not constant counts as
  /// one iteration, and both sides of a branch that is decided as it runs.
  int64_t executions;
  /// Of operands and results, in one execution. What an op writes into counts
  /// once, a slice or an element as what is moved of it. Absent where a shape
  /// is not static.
  std::optional<int64_t> bytes;
  /// It reads nothing but weights, that is arguments with `trn.param` and
  /// constants, so that it is done once, when they are loaded.
  bool isLoad;
};

/// What runs of `entry` do in host code beside calling kernels: all work on
/// tensors and buffers, but no views, reshapes, allocations, calls, constants,
/// and arithmetic on scalars. In the order of the program, callers first.
SmallVector<HostOp> findHostOps(func::FuncOp entry);

} // namespace mlir::trn

#endif // TRN_ANALYSIS_HOSTOPS_H
