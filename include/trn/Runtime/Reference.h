//===- Reference.h - The right values of a module ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_RUNTIME_REFERENCE_H
#define TRN_RUNTIME_REFERENCE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "trn/Support/HostTensor.h"

namespace mlir::trn {

/// Computes a function of linalg on tensors on the host: in f32, rounded to
/// narrower types where the function has values of them, but sums only once, at
/// their end; products by OpenBLAS. The results are f32. An op that is not
/// linalg, a reshape or a call is an error at that op.
FailureOr<SmallVector<std::shared_ptr<const HostTensor>>>
computeReference(func::FuncOp function, ArrayRef<HostTensor> inputs);

/// Whether `computeReference` knows all that `function` does, found without
/// computing. Emits the error otherwise.
LogicalResult checkReference(func::FuncOp function);

/// ||actual - expected|| / ||expected|| in the Frobenius norm, equal infinities
/// left out; 0 if both are zero, not a number if a value is not.
double relativeError(const HostTensor &actual, const HostTensor &expected);

/// The largest relative error that rounding to `type` on the way explains.
double getTolerance(ElementType type);

/// The coarsest type of the values of `function` and of what it calls, from
/// its arguments to its results; f32 if there is none.
ElementType getCoarsest(func::FuncOp function);

} // namespace mlir::trn

#endif // TRN_RUNTIME_REFERENCE_H
