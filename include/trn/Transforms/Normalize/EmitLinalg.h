//===- EmitLinalg.h - Pieces of linalg on tensors ---------------*- C++ -*-===//
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
/// A static one, of `type`.
Value emitZeros(OpBuilder &builder, Location loc, RankedTensorType type);

/// A static tensor of `type`, of which each element is `number`.
Value emitFill(OpBuilder &builder, Location loc, Value number,
               RankedTensorType type);

/// A static tensor with its dimensions in another order.
Value emitTranspose(OpBuilder &builder, Location loc, Value source,
                    ArrayRef<int64_t> permutation);

/// Computes one tensor of the elements of `inputs`, which have one shape; as a
/// generic, since kernels take over these.
Value emitElementwise(
    OpBuilder &builder, Location loc, ValueRange inputs, Type element,
    function_ref<Value(OpBuilder &, Location, ValueRange)> compute);

/// `source` rounded to `element`, which is no wider.
Value emitRounding(OpBuilder &builder, Location loc, Value source,
                   Type element);

/// The body of a product: both factors are widened to the type of the sum.
void buildProductBody(OpBuilder &builder, Location loc, ValueRange values);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_NORMALIZE_EMITLINALG_H
