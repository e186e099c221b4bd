//===- GroupMatcher.h - Reductions of groups of columns ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_NORMALIZE_GROUPMATCHER_H
#define TRN_TRANSFORMS_NORMALIZE_GROUPMATCHER_H

#include "trn/Transforms/Normalize/ReductionMatcher.h"

namespace mlir::trn {

/// Reduces each group of the columns that `op` reduces as the last dimension of
/// [rows, groups, columns]: as a pooling does, with a window for each group.
/// `inputs` are what `op` reads, as [rows, groups * columns]:
///
///   %s = linalg.generic {
///       indexing_maps = [(r, g, c) -> (r, g * 64 + c), (r, g, c) -> (c),
///                        (r, g, c) -> (r, g)],
///       iterator_types = ["parallel", "parallel", "reduction"]}
///       ins(%rows, %window : tensor<128x512xf32>, tensor<64xf32>)
///       outs(%zeros : tensor<128x8xf32>) { arith.addf }
///
/// Nobody reads the elements of the window: it has the size of a group.
Value emitGroupReduction(OpBuilder &builder, linalg::GenericOp op,
                         ValueRange inputs);

/// The number of columns of a group, if `op` is what `emitGroupReduction`
/// makes.
std::optional<int64_t> matchGroupReduction(Operation *op);

/// Whether `op` reduces rows, or groups of their columns.
inline bool reducesRows(Operation *op) {
  return isReduction(op) || matchGroupReduction(op);
}

/// The index of the group, of `size`, that a column is in.
AffineExpr groupOfColumn(AffineExpr column, int64_t size);

/// The size of the groups of columns of rows, if `map` reads one element for
/// each: (d0, d1) -> (d0, d1 floordiv size).
std::optional<int64_t> sizeOfGroups(AffineMap map);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_NORMALIZE_GROUPMATCHER_H
