//===- WeightUses.h - What reads a weight -----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_FACTORIZE_WEIGHTUSES_H
#define TRN_LIB_FACTORIZE_WEIGHTUSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::trn {

/// A product that reads a weight as one of its operands.
struct WeightUse {
  Value weight;
  linalg::LinalgOp product;
  unsigned operand = 0;
  /// From the loops of the product to the indices of the weight, through
  /// transpositions and broadcasts.
  AffineMap map;
  /// What the elements of the weight are converted to on the way.
  SmallVector<Type, 2> conversions;
  /// Whether the product sums over each dimension of the weight.
  SmallVector<bool> isSummed;
};

/// All that reads a weight.
struct WeightUses {
  SmallVector<WeightUse> products;
  /// Calls that it is an argument of.
  SmallVector<OpOperand *> calls;
  /// Why the weight has to stay; empty if it has not.
  std::string obstacle;

  /// The first reason counts.
  void refuse(const Twine &reason) {
    if (obstacle.empty())
      obstacle = reason.str();
  }
};

/// `weight` is a tensor.
WeightUses findWeightUses(Value weight);

} // namespace mlir::trn

#endif // TRN_LIB_FACTORIZE_WEIGHTUSES_H
