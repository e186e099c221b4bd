//===- BatchLoops.h - Which loops of ops are batches ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_OUTLINE_BATCHLOOPS_H
#define TRN_LIB_TRANSFORMS_OUTLINE_BATCHLOOPS_H

#include "trn/Analysis/Dimensions.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"

namespace mlir::trn {

/// Whether `lhs` has all batches of its product.
bool hasAllBatches(const Product &product);

/// The loop that an operand indexes, if it indexes one.
std::optional<unsigned> loopOf(AffineExpr index);

/// The dimensions of a tensor that an op with `loops` indexes by `map`.
BatchDims dimsIn(AffineMap map, const BatchDims &loops);

/// The loops of `op`, which reads nothing with batches. If it is a reduction,
/// products that may read it have them.
BatchDims chooseLoops(linalg::LinalgOp op, const Dimensions &dimensions);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_OUTLINE_BATCHLOOPS_H
