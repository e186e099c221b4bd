//===- ProductLoops.h - Roles of loops in products --------------*- C++ -*-===//
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

/// The role of a loop in a product. All operands have a batch, except inputs
/// that share a matrix. Loops of one iteration in all operands, or in the
/// result only, are `Unit`.
enum class LoopKind : uint8_t { Row, Column, Summed, Batch, Unit };

/// Roles of the loops of `op` as a product of its first and second input; none
/// if it is no product. Indices must be loops or constants.
std::optional<SmallVector<LoopKind>> classifyLoops(linalg::LinalgOp op);
/// The roles that they would have with these maps.
std::optional<SmallVector<LoopKind>> classifyLoops(linalg::LinalgOp op,
                                                   ArrayRef<AffineMap> maps);

/// Whether an operand with this map has a batch after its matrix dims, where
/// kernels cannot access it.
bool hasBatchLast(linalg::LinalgOp op, AffineMap map, ArrayRef<LoopKind> kinds);

/// The best roles for the loops of `op`, any product. If rows or columns are
/// not neighbours in memory, only those of the largest matrices keep their
/// role. The others become batches, if `op` has batches anyway or if moving
/// elements costs more. In a product with batches, dims count as neighbours
/// only if users of the result keep them so.
std::optional<SmallVector<LoopKind>> chooseBatches(linalg::LinalgOp op);

/// Roles of the loops of a product of matrices: the last ones are rows, columns
/// and contraction, all others are batches. None if `op` has another form.
std::optional<SmallVector<LoopKind>> classifyMatrices(linalg::LinalgOp op);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_NORMALIZE_PRODUCTLOOPS_H
