//===- ChainMatcher.h - Recognise chains of products ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_CHAINMATCHER_H
#define TRN_LIB_TRANSFORMS_CHAINMATCHER_H

#include "ProductMatcher.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <vector>

namespace mlir::trn {

/// Products of which each one consumes the result of the one before as its lhs
/// and nothing else does: X*W, X*U*V and so on.
struct Chain {
  std::vector<Product> products;

  const Product &first() const { return products.front(); }
  const Product &last() const { return products.back(); }
};

/// The chains in `func` that kernels can compute, in the order of their last
/// products. A remark says why a product is in none of them.
SmallVector<Chain> findChains(func::FuncOp func, bool allowRounding);

/// Whether the FLOPs of `chain`, multiply and add apart, are at most 2^63 - 1.
bool hasCountableFlops(const Chain &chain);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_CHAINMATCHER_H
