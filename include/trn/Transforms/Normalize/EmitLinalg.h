//===- EmitLinalg.h - Helpers for linalg on tensors -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_NORMALIZE_EMITLINALG_H
#define TRN_TRANSFORMS_NORMALIZE_EMITLINALG_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::trn {

/// A tensor filled with zeros.
Value emitZeros(OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> sizes,
                Type element);
/// The same with the static `type`.
Value emitZeros(OpBuilder &builder, Location loc, RankedTensorType type);

/// A static tensor of `type` with all elements equal to `number`.
Value emitFill(OpBuilder &builder, Location loc, Value number,
               RankedTensorType type);

/// A static tensor with permuted dimensions.
Value emitTranspose(OpBuilder &builder, Location loc, Value source,
                    ArrayRef<int64_t> permutation);

/// Computes one tensor from elements of `inputs`, which have equal shapes.
/// Makes a generic, the form that kernels take.
Value emitElementwise(
    OpBuilder &builder, Location loc, ValueRange inputs, Type element,
    function_ref<Value(OpBuilder &, Location, ValueRange)> compute);

/// Rounds `source` to `element`, which is no wider.
Value emitRounding(OpBuilder &builder, Location loc, Value source,
                   Type element);

/// The body of a product: both factors are extended to the type of the sum.
void buildProductBody(OpBuilder &builder, Location loc, ValueRange values);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_NORMALIZE_EMITLINALG_H
