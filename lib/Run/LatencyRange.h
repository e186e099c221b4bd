//===- LatencyRange.h - How far a latency can be trusted --------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUN_LATENCYRANGE_H
#define TRN_LIB_RUN_LATENCYRANGE_H

#include "trn/Report/Report.h"
#include "trn/Runtime/HostCode.h"

namespace mlir::trn {

/// Adds to the report of `calls` of `kernels` how long they take with the
/// machine's constants at the faster ends of their ranges and at the slower
/// ones. The latency, with the constants as they are, lies between the two.
/// Emits errors.
LogicalResult addLatencyRange(Report &report, ArrayRef<func::FuncOp> kernels,
                              ArrayRef<RecordedCall> calls);

} // namespace mlir::trn

#endif // TRN_LIB_RUN_LATENCYRANGE_H
