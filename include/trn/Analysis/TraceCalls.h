//===- TraceCalls.h - The order of kernel calls -----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_ANALYSIS_TRACECALLS_H
#define TRN_ANALYSIS_TRACECALLS_H

#include "trn/Program/RecordedCalls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::trn {

/// The calls of `kernels` that `entry` makes, in order, on core `core` of its
/// grid. They are found without running anything. Emits an error if the order
/// depends on values.
FailureOr<SmallVector<RecordedCall>> traceCalls(func::FuncOp entry,
                                                ArrayRef<func::FuncOp> kernels,
                                                int64_t core = 0);

} // namespace mlir::trn

#endif // TRN_ANALYSIS_TRACECALLS_H
