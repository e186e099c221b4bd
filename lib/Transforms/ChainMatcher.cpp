//===- ChainMatcher.cpp - Recognise chains of products --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chain.h"

#include "trn/Dialect/Trn/IR/Memory.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::trn;

/// Returns the products of `func` that kernels can compute, keyed by the value
/// that they produce; the others get a remark.
static llvm::MapVector<Value, Product> findProducts(func::FuncOp func,
                                                    bool allowRounding) {
  llvm::MapVector<Value, Product> products;
  func.walk([&](linalg::LinalgOp op) {
    if (!isProductLike(op)) {
      remarkUnlikeProduct(op);
      return;
    }
    FailureOr<Product> product = matchProduct(op, allowRounding);
    if (succeeded(product))
      products.insert({product->result.tensor, *product});
  });
  return products;
}

static bool hasElementType(Value tensor, ElementType type) {
  return getFloatElementType(getElementTypeOrSelf(tensor)) == type;
}

/// Returns the product among `products` that `next` can be fused behind: the
/// intermediate has the layout in which it is read, and no other use. Only it
/// may have another type than the weights.
static Product *findProducer(llvm::MapVector<Value, Product> &products,
                             const Product &next) {
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

/// Takes the longest chain that ends with `last` out of `products`; none, and a
/// remark, if it begins with operands of different types.
static std::optional<Chain> takeChain(llvm::MapVector<Value, Product> &products,
                                      Product last) {
  // It may be the rhs that is the intermediate: O^T = V^T * Y^T.
  if (!findProducer(products, last) && findProducer(products, flipped(last)))
    last = flipped(last);
  Chain chain{{last}};
  while (Product *product = findProducer(products, chain.first())) {
    Product taken = *product;
    products.erase(taken.result.tensor);
    chain.products.insert(chain.products.begin(), taken);
  }
  Product &first = chain.products.front();
  if (!hasElementType(first.lhs.tensor, first.operandType)) {
    for (const Product &product : llvm::reverse(chain.products))
      remarkLeftAlone(product.contraction,
                      "its operands have different types, and its lhs "
                      "is no intermediate that could be rounded");
    return std::nullopt;
  }
  // Both operands lie the wrong way round, so the result does.
  if (chain.products.size() == 1 && first.rhs.isTransposed &&
      first.lhs.isTransposed)
    first = flipped(first);
  absorbInputTranspose(first);
  // What is known when weights are loaded is turned then.
  for (Product &product : chain.products)
    product.isTurnedByHost = isKnownAtLoad(product.rhs.tensor);
  return chain;
}

SmallVector<Chain> mlir::trn::findChains(func::FuncOp func,
                                         bool allowRounding) {
  llvm::MapVector<Value, Product> products = findProducts(func, allowRounding);
  SmallVector<Chain> chains;
  while (!products.empty()) {
    Product last = products.back().second;
    products.pop_back();
    if (std::optional<Chain> chain = takeChain(products, last))
      chains.push_back(*chain);
  }
  return llvm::to_vector(llvm::reverse(chains));
}

bool mlir::trn::hasCountableFlops(const Chain &chain) {
  int64_t sum = 0;
  for (const Product &product : chain.products) {
    int64_t flops = 2;
    auto sizes = llvm::to_vector<6>(product.batches);
    sizes.append({product.m, product.n, product.k});
    for (int64_t size : sizes)
      if (llvm::MulOverflow(flops, size, flops))
        return false;
    if (llvm::AddOverflow(sum, flops, sum))
      return false;
  }
  return true;
}
