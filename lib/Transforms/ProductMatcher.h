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
#include <string>

namespace mlir::trn {

/// Returns the product that `op` computes, or the reason why it is none that a
/// kernel can compute.
struct ProductMatch {
  std::optional<Product> product;
  std::string refusal;
};
ProductMatch matchProduct(linalg::LinalgOp op, bool allowRounding);

/// Whether `op` looks like a matrix product at all (so that a refusal is worth
/// a remark).
bool isProductLike(linalg::LinalgOp op);

/// The same product read as `result^T = rhs^T * lhs^T`.
Product flipped(const Product &product);

/// Looks through a `linalg.transpose` of the lhs: a kernel reads either layout.
void absorbInputTranspose(Product &product);

/// Returns whether `second` can be fused behind `first`: same strip layout, and
/// no other use of the intermediate.
bool feeds(const Product &first, const Product &second);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_PRODUCTMATCHER_H
