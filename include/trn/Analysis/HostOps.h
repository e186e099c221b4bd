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

/// An op of host code that computes or moves data. No modelled time contains
/// it.
struct HostOp {
  Operation *op;
  /// Executions per run of the entry. A loop with unknown trip count counts as
  /// one iteration; of a branch with unknown condition, both sides count.
  int64_t executions;
  /// Bytes of operands and results per execution. A destination counts once, a
  /// slice or element only as far as it moves. Absent if a shape is not static.
  std::optional<int64_t> bytes;
  /// It computes tensors from weights alone (arguments with `trn.param`, or
  /// constants), so it runs once, when they are loaded. It neither depends on
  /// the counter of a loop nor writes into a buffer.
  bool isLoad;
};

/// Work of host code in runs of `entry`, except calls of kernels: all that
/// computes or moves tensors and buffers. Views, reshapes, allocations, calls,
/// constants and scalar arithmetic do not count. In program order, callers
/// first.
SmallVector<HostOp> findHostOps(func::FuncOp entry);

} // namespace mlir::trn

#endif // TRN_ANALYSIS_HOSTOPS_H
