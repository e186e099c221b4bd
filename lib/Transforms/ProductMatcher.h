//===- ProductMatcher.h - Recognise products --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_PRODUCTMATCHER_H
#define TRN_LIB_TRANSFORMS_PRODUCTMATCHER_H

#include "trn/Transforms/ChainMatcher.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::trn {

/// Returns the product that `op` computes; fails, with a remark, if it is none
/// that a kernel can compute.
FailureOr<Product> matchProduct(linalg::LinalgOp op, bool allowRounding);

/// Whether `op` looks like a matrix product at all (so that a refusal is worth
/// a remark).
bool isProductLike(linalg::LinalgOp op);

/// Whether `op` is a product of tiles that linalg.pack has made.
bool isPacked(linalg::LinalgOp op);

/// Swaps the two dimensions that are no batches.
SmallVector<int64_t> swapMatrixDims(const BatchDims &dims);

/// Whether the same dimensions of a tensor are batches.
bool haveSameBatches(const BatchDims &a, const BatchDims &b);

/// The same product read as `result^T = rhs^T * lhs^T`.
Product flipped(const Product &product);

/// Looks through a `linalg.transpose` of the lhs: a kernel reads either layout.
void absorbInputTranspose(Product &product);

/// The op that keeps `body` from being `result + lhs * rhs`, computed in the
/// type of the result from operands that are widened at most; null if it is
/// that.
Operation *findBodyObstacle(Block &body);

/// Whether every element of `tensor` is zero by a `linalg.fill` or a constant.
bool isZeroFilled(Value tensor);

/// Whether `value` follows from weights (`trn.param`) and constants alone, so
/// that what is made of it is made once.
bool isKnownAtLoad(Value value);

/// Whether `op` only rounds its input, element by element, as kernels round.
bool isRounding(linalg::LinalgOp op);

/// What `value` is the rounding of, as kernels round; else itself.
Value skipRounding(Value value);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_PRODUCTMATCHER_H
