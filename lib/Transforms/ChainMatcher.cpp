//===- ChainMatcher.cpp - Recognise chains of products --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/ChainMatcher.h"

#include "ProductMatcher.h"
#include "trn/Dialect/Trn/IR/Memory.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::trn;

void mlir::trn::remarkLeftAlone(const Product &product, StringRef reason) {
  product.contraction->emitRemark("product left on the host: ") << reason;
}

/// Returns the products of `func` that kernels can compute, keyed by the value
/// that they produce; the others get a remark. A product that is wider than its
/// operands, and is then rounded by nobody, stays with its consumer.
static llvm::MapVector<Value, Product> findProducts(func::FuncOp func,
                                                    bool allowRounding) {
  llvm::MapVector<Value, Product> products;
  func.walk([&](linalg::LinalgOp op) {
    if (!isProductLike(op))
      return;
    ProductMatch match = matchProduct(op, allowRounding);
    if (match.product) {
      products.insert({match.product->result, *match.product});
      return;
    }
    op->emitRemark("product left on the host: ") << match.refusal;
    auto *first = products.find(op.getDpsInputs()[0]);
    if (first == products.end() ||
        first->second.resultType == first->second.operandType)
      return;
    remarkLeftAlone(first->second, "the product that consumes it is");
    products.erase(first);
  });
  return products;
}

static bool hasElementType(Value tensor, ElementType type) {
  return getElementType(getElementTypeOrSelf(tensor)) == type;
}

/// Returns the product among `products` that `last` can be fused behind, after
/// flipping `last` if it is its rhs that is the intermediate. Only that one may
/// have another type than the weights.
static const Product *findFirst(llvm::MapVector<Value, Product> &products,
                                Product &last) {
  for (const Product &candidate : {last, flipped(last)}) {
    auto *first = products.find(candidate.lhs);
    if (first == products.end() || !feeds(first->second, candidate) ||
        !hasElementType(first->second.lhs, candidate.operandType) ||
        !hasElementType(candidate.rhs, candidate.operandType))
      continue;
    last = candidate;
    return &first->second;
  }
  return nullptr;
}

/// Pairs products into chains, in program order, and drops what only makes
/// sense inside a chain.
static SmallVector<Chain>
pairProducts(llvm::MapVector<Value, Product> products) {
  SmallVector<Chain> chains;
  while (!products.empty()) {
    Product last = products.back().second;
    products.pop_back();
    Chain chain{last, std::nullopt};
    if (const Product *first = findFirst(products, last)) {
      chain = Chain{*first, last};
      products.erase(first->result);
    } else if (!hasElementType(last.lhs, last.operandType)) {
      remarkLeftAlone(last, "its operands have different types, and its lhs "
                            "is no intermediate that could be rounded");
      continue;
    } else if (last.rhsTransposed && last.lhsTransposed) {
      // Both operands lie the wrong way round, so the result does.
      chain.first = flipped(last);
    }
    absorbInputTranspose(chain.first);
    chains.push_back(chain);
  }
  return llvm::to_vector(llvm::reverse(chains));
}

SmallVector<Chain> mlir::trn::findChains(func::FuncOp func,
                                         bool allowRounding) {
  return pairProducts(findProducts(func, allowRounding));
}
