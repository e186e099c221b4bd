//===- ProductLoops.h - What the loops of products run over -----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_NORMALIZE_PRODUCTLOOPS_H
#define TRN_TRANSFORMS_NORMALIZE_PRODUCTLOOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::trn {

/// What a loop of a product runs over: all operands have a batch, but for
/// inputs that share a matrix. Loops of one iteration in all operands, or in
/// the result only, are `Unit`.
enum class LoopKind : uint8_t { Row, Column, Summed, Batch, Unit };

/// The kinds of the loops of `op` as a product of its first and its second
/// input; none if it is no product. Indices are loops, or constants.
std::optional<SmallVector<LoopKind>> classifyLoops(linalg::LinalgOp op);
/// Those that they would have with these maps.
std::optional<SmallVector<LoopKind>> classifyLoops(linalg::LinalgOp op,
                                                   ArrayRef<AffineMap> maps);

/// Whether an operand with this map has a batch as its last dimension behind
/// matrices, where kernels cannot read or write it.
bool hasBatchLast(linalg::LinalgOp op, AffineMap map, ArrayRef<LoopKind> kinds);

/// The kinds that the loops of `op`, any product, shall have. Rows or columns
/// that lie apart are batches, too, but for the ones that make the largest
/// matrices, if `op` has batches anyway or if moving them moves more. In
/// products with batches neighbours lie apart unless they stay neighbours in
/// what is computed of the result.
std::optional<SmallVector<LoopKind>> chooseBatches(linalg::LinalgOp op);

/// The kinds of the loops of a product of matrices: its last ones are rows,
/// columns and what is summed, all others are batches. None if `op` has another
/// form.
std::optional<SmallVector<LoopKind>> classifyMatrices(linalg::LinalgOp op);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_NORMALIZE_PRODUCTLOOPS_H
