//===- FindProducts.cpp - The products of a function ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Normalize/LoadedValues.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"

#include "trn/Dialect/Trn/IR/Memory.h"

using namespace mlir;
using namespace mlir::trn;

static bool hasElementType(Value tensor, ElementType type) {
  return getFloatElementType(getElementTypeOrSelf(tensor)) == type;
}

/// Returns the product among `products` that `next` continues: the
/// intermediate has the layout in which it is read, and no other use. Only it
/// may have another type than the weights.
static Product *findPrevious(Products &products, const Product &next) {
  auto *found = products.find(next.lhs.tensor);
  if (found == products.end())
    return nullptr;
  Product &product = found->second;
  // Every link has all batches.
  bool fits = product.result.tensor.hasOneUse() &&
              haveSameBatches(product.result.dims, next.lhs.dims) &&
              product.batches.size() == next.batches.size() &&
              product.result.isTransposed == next.lhs.isTransposed &&
              product.operandType == next.operandType &&
              hasElementType(product.rhs.tensor, next.operandType) &&
              hasElementType(next.rhs.tensor, next.operandType);
  return fits ? &product : nullptr;
}

/// Adds `product`, which reads those before, or says why it cannot.
static void add(Products &products, Product product) {
  Product *previous = findPrevious(products, product);
  // It may be the rhs that is the intermediate: O^T = V^T * Y^T.
  if (!previous && (previous = findPrevious(products, flipped(product))))
    product = flipped(product);
  if (!previous && !hasElementType(product.lhs.tensor, product.operandType)) {
    remarkLeftAlone(product.contraction,
                    "its operands have different types, and its lhs is no "
                    "intermediate that could be rounded");
    return;
  }
  if (previous)
    previous->isContinued = product.isContinuing = true;
  products.insert({product.result.tensor, product});
}

Products mlir::trn::findProducts(func::FuncOp func, bool allowRounding) {
  Products products;
  func.walk([&](linalg::LinalgOp op) {
    if (!isProductLike(op))
      return remarkUnlikeProduct(op);
    if (FailureOr<Product> product = matchProduct(op, allowRounding);
        succeeded(product))
      add(products, *product);
  });
  LoadedValues loaded;
  for (Product &product : llvm::make_second_range(products)) {
    // Both operands lie the wrong way round, so the result does.
    if (product.isAlone() && product.rhs.isTransposed &&
        product.lhs.isTransposed)
      product = flipped(product);
    if (!product.isContinuing)
      absorbInputTranspose(product);
    // What is known when weights are loaded is transposed then.
    product.isTurnedByHost = loaded.contains(product.rhs.tensor);
  }
  return products;
}
