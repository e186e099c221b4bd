//===- TileAndFuse.h - Tile stages, shapes static ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_TILEANDFUSE_H
#define TRN_LIB_TRANSFORMS_TILEANDFUSE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::trn {

/// Rows [offset, offset + size) of `tensor`.
Value sliceRows(OpBuilder &builder, Location loc, Value tensor,
                OpFoldResult offset, int64_t size);

/// Removes dead ops, folds slices and loops that run once. Unlike the
/// canonicaliser it keeps evictions that round to the same type.
LogicalResult cleanUp(Operation *op);

/// Replaces the slices that `op` reads by computing just the slice, for
/// producers that `fuse` accepts, and so on through their operands.
void fuseSlices(RewriterBase &rewriter, linalg::LinalgOp op,
                llvm::function_ref<bool(Operation *producer)> fuse);

/// Tiles `root` by `sizes` (0 = not at all) and fuses what `fuse` accepts into
/// the loops. Where a size does not divide, the remainder becomes code of its
/// own, so every shape stays static. Returns the tiled copies of `root`, the
/// full tiles first.
FailureOr<SmallVector<linalg::LinalgOp>>
tileAndFuse(RewriterBase &rewriter, linalg::LinalgOp root,
            ArrayRef<int64_t> sizes,
            llvm::function_ref<bool(Operation *producer)> fuse);

/// Tiles the contraction of `product` by `size`, remainder apart.
LogicalResult tileContraction(RewriterBase &rewriter, linalg::LinalgOp product,
                              int64_t size);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_TILEANDFUSE_H
