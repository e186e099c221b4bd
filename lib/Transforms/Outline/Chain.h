//===- Chain.h - Chains of products -----------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_OUTLINE_CHAIN_H
#define TRN_LIB_TRANSFORMS_OUTLINE_CHAIN_H

#include "trn/Machine/Machine.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
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

/// Emits `chain` in the order of its products that keeps the tensor engine busy
/// for the least time, if that is another one than in the source, and returns
/// its parts: weights that are multiplied first are chains of their own, each
/// before those that read its result, and cost the launch of a kernel. Another
/// order rounds other matrices: without `allowRounding` it returns `chain`, and
/// a remark says what is lost. A chain of more than 64 products stays as it is.
SmallVector<Chain, 1> associate(const Chain &chain, const Machine &machine,
                                bool allowRounding, OpBuilder &builder);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_OUTLINE_CHAIN_H
