//===- LatencyRange.h - How far a latency can be trusted --------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUN_LATENCYRANGE_H
#define TRN_LIB_RUN_LATENCYRANGE_H

#include "trn/Analysis/TraceCalls.h"
#include "trn/Report/Report.h"

namespace mlir::trn {

/// Adds to the report of `calls` of `kernels` the range of its latency, by the
/// errors of kernels with the same busiest engine and by the ends of the
/// machine's constants, and what no order of the instructions is faster than.
/// Emits errors.
LogicalResult addLatencyRange(Report &report, ArrayRef<func::FuncOp> kernels,
                              ArrayRef<RecordedCall> calls);

} // namespace mlir::trn

#endif // TRN_LIB_RUN_LATENCYRANGE_H
