//===- LatencyRange.h - How far a latency can be trusted --------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUN_LATENCYRANGE_H
#define TRN_LIB_RUN_LATENCYRANGE_H

#include "trn/Machine/Machine.h"
#include "trn/Runtime/HostCode.h"

namespace mlir::trn {

/// The latency of `calls` of `kernels`, in picoseconds, with the constants of
/// `machine` at the faster ends of their ranges and at the slower ones.
/// `latency`, with the constants as they are, lies between the two. Emits
/// errors.
FailureOr<std::pair<int64_t, int64_t>>
timeAtEnds(ArrayRef<func::FuncOp> kernels, ArrayRef<RecordedCall> calls,
           const Machine &machine, int64_t latency);

} // namespace mlir::trn

#endif // TRN_LIB_RUN_LATENCYRANGE_H
