//===- Stage.h - One step from matrices to a matrix -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_STAGE_H
#define TRN_PLANNING_STAGE_H

#include "trn/Planning/Expression.h"
#include <optional>

namespace mlir::trn::planning {

/// A product, summed in f32 over the dim `over`, which is the first one of both
/// matrices: `left` has the result's rows, `right` its columns. Terms of one
/// `sum` are added.
struct Term {
  unsigned left = 0, right = 0, over = 0;
  unsigned sum = 0;

  auto key() const { return std::tuple(left, right, over, sum); }
};

/// What becomes one number of all indices of a dim: their sum, in f32, the
/// largest or the least one.
struct Reduction {
  Function function = Function::Add; // or Max, Min
  unsigned over = 0;

  auto key() const { return std::tuple(function, over); }
};

/// One step from matrices to a matrix: an expression of sums of its terms and
/// of elements of matrices, rounded to the type of the result, or, if there is
/// neither, the transpose of `source`. Of what a stage reduces, the expression
/// has `over` as its columns, and the result has one.
struct Stage {
  unsigned result = 0;
  llvm::SmallVector<Term, 2> terms = {};
  unsigned source = 0;
  Expression expression = {};
  std::optional<Reduction> reduction = std::nullopt;

  bool isTransposition() const { return terms.empty() && expression.isPlain(); }
  /// Whether blocks of what it sums over, or reduces, can come one by one.
  bool accumulates() const { return !terms.empty() || reduction; }
  /// The dim of its first term, or that it reduces, if it accumulates.
  unsigned contraction() const {
    return reduction ? reduction->over : terms.front().over;
  }
  /// Of products.
  unsigned numProducts() const;
  /// What is added up while loops go on: that, or what a reduction makes of it.
  unsigned numSums() const { return reduction ? 1 : numProducts(); }
  /// The matrices that it reads.
  llvm::SmallVector<unsigned, 4> operands() const;
  /// Reads or computes `matrix`.
  bool uses(unsigned matrix) const;
  /// Whether it adds up, or reduces, the indices of `dim`.
  bool sumsOver(unsigned dim) const;
  /// The first product that `matrix` is a factor of, if there is one.
  const Term *productOf(unsigned matrix) const;
  auto key() const {
    return std::tuple(result, llvm::ArrayRef(terms), source, expression,
                      reduction);
  }
};

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_STAGE_H
