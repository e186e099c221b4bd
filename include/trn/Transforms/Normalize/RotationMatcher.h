//===- RotationMatcher.h - Columns that change places -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_NORMALIZE_ROTATIONMATCHER_H
#define TRN_TRANSFORMS_NORMALIZE_ROTATIONMATCHER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace mlir::trn {

/// The columns of `rows`, [rows, columns], in pairs of `by` each: (a, b)
/// becomes (-b, a). `by` is half of a head for halves that rotate, 1 for
/// neighbours.
Value emitRotation(OpBuilder &builder, Location loc, Value rows, int64_t by);

/// `by`, if `op` is what `emitRotation` makes.
std::optional<int64_t> matchRotation(Operation *op);

/// The index that repeats the `size` columns of a tensor.
AffineExpr repeatColumns(AffineExpr column, int64_t size);

/// Whether `map` reads loops in any order, and repeats the columns of a tensor
/// of this `shape`: (d0, d1) -> (d0, d1 mod size).
bool repeatsColumns(AffineMap map, ArrayRef<int64_t> shape);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_NORMALIZE_ROTATIONMATCHER_H
