//===- ReduceDims.h - Reductions of any dimensions --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_NORMALIZE_REDUCEDIMS_H
#define TRN_LIB_TRANSFORMS_NORMALIZE_REDUCEDIMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::trn {

/// With fewer rows, most partitions would idle.
constexpr int64_t fewRows = 32;

/// The most slices that are added one by one: each is a matrix of the kernel.
constexpr int64_t maxSlices = 16;
/// The same of those whose largest elements are taken, which is no product.
constexpr int64_t maxCompared = 4 * maxSlices;

/// Whether each dimension of `map` is a loop of its own, in the order of loops.
inline bool isInOrder(AffineMap map) {
  return map.isProjectedPermutation() &&
         llvm::is_sorted(map.getResults(), [](AffineExpr a, AffineExpr b) {
           return cast<AffineDimExpr>(a).getPosition() <
                  cast<AffineDimExpr>(b).getPosition();
         });
}

/// Whether `op` is a static reduction whose operands are whole, and the
/// dimensions of its result come as its loops do.
bool isPlainReduction(linalg::GenericOp op);

/// Lets each reduction of `func` reduce one dimension, of as many slices as are
/// compared if it takes maxima of more; whether any did not.
bool reduceOneDim(func::FuncOp func);

/// Reductions of a dimension that is not the last one become functions of a few
/// slices, or sums products with ones; whether any did.
bool rewriteOuterReductions(func::FuncOp func);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_NORMALIZE_REDUCEDIMS_H
