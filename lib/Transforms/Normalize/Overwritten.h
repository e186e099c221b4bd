//===- Overwritten.h - Ranges that are written over -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_NORMALIZE_OVERWRITTEN_H
#define TRN_LIB_TRANSFORMS_NORMALIZE_OVERWRITTEN_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <optional>

namespace mlir::trn {

/// A static tensor, `size` indices of one dimension of which are written over:
/// a cache with the keys of new tokens, at a position that only a run knows.
struct Overwritten {
  Value base, written;
  int64_t dim, size;
  OpFoldResult offset;
};

/// What `op`, a `tensor.insert_slice`, writes over, if the tensor holds
/// anything in front of that.
std::optional<Overwritten> matchOverwritten(Operation *op);

/// Whether both write over the same indices of equal dimensions.
bool areSameIndices(const Overwritten &one, const Overwritten &other);

/// Indices from `offset` on of `dim` of `tensor`.
Value emitIndices(OpBuilder &builder, Value tensor, int64_t dim,
                  OpFoldResult offset, int64_t size);

/// Whether elements of `tensor` may be infinite, which those of 8 bits are not.
bool hasInfinities(Value tensor);

/// The smaller ones of the elements of `tensor` and, at the indices that are
/// written over, minus infinity.
Value emitHidden(OpBuilder &builder, const Overwritten &overwritten,
                 Value tensor, int64_t dim);

/// What elements are where they are hidden behind minus infinity.
enum class Hidden { Any, MinusInfinity, Zero };

/// What `op` makes of hidden elements, if `stateOf` says what its operands have
/// there, and all else that it reads is finite.
Hidden findHidden(Value scalar, linalg::LinalgOp op,
                  llvm::function_ref<Hidden(OpOperand &)> stateOf);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_NORMALIZE_OVERWRITTEN_H
