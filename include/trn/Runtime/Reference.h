//===- Reference.h - Reference values of a module ---------------*- C++ -*-===//
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

/// Computes a linalg function on tensors on the host, with f32 results.
/// Arithmetic is in f32 and is rounded to narrower types as in the function,
/// but sums only once, at their end. OpenBLAS computes products. Any op other
/// than linalg, reshapes and calls is an error there.
FailureOr<SmallVector<std::shared_ptr<const HostTensor>>>
computeReference(func::FuncOp function, ArrayRef<HostTensor> inputs);

/// Whether `computeReference` supports all of `function`, found without
/// computing. Emits the error otherwise.
LogicalResult checkReference(func::FuncOp function);

/// The relative error ||actual - expected|| / ||expected|| in the Frobenius
/// norm, without equal infinities and what is NaN in both. 0 if both are zero,
/// NaN if one of two values is NaN.
double relativeError(const HostTensor &actual, const HostTensor &expected);

/// The largest relative error that rounding to `type` can explain.
double getTolerance(ElementType type);

/// The coarsest type in `function` and its callees, from arguments to results;
/// f32 if there is none.
ElementType getCoarsest(func::FuncOp function);

} // namespace mlir::trn

#endif // TRN_RUNTIME_REFERENCE_H
