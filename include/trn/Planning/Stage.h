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

/// A product, summed in f32 over the dim `over`, the first one of both
/// matrices. `left` has the result's rows, `right` its columns. Terms of one
/// `sum` are added.
struct Term {
  unsigned left = 0, right = 0, over = 0;
  unsigned sum = 0;

  auto key() const { return std::tuple(left, right, over, sum); }
};

/// Turns all indices of a dim into one number: their sum, in f32, their maximum
/// or their minimum. `byGroup`: those of each group, which are the result's
/// columns.
struct Reduction {
  Function function = Function::Add; // or Max, Min
  unsigned over = 0;
  bool byGroup = false;

  auto key() const { return std::tuple(function, over, byGroup); }
};

/// One step from matrices to a matrix: an expression of sums of terms and of
/// elements, rounded to the result's type. A transposition has a `source`,
/// which takes the place of the only sum once it is transposed. A reduction is
/// over the expression's columns `over`; the result has one column, or one for
/// each group of these.
struct Stage {
  unsigned result = 0;
  llvm::SmallVector<Term, 2> terms = {};
  std::optional<unsigned> source = std::nullopt;
  Expression expression = {};
  std::optional<Reduction> reduction = std::nullopt;

  bool isTransposition() const { return source.has_value(); }
  /// Whether it reduces all of a dim.
  bool reducesAll() const { return reduction && !reduction->byGroup; }
  /// Whether blocks of its contraction or reduced dim can come one by one.
  bool accumulates() const { return !terms.empty() || reducesAll(); }
  /// The dim of its first term or of its reduction, if it accumulates.
  unsigned contraction() const {
    return reduction ? reduction->over : terms.front().over;
  }
  /// The number of sums of products.
  unsigned numProducts() const;
  /// The number of values that its expression starts from: these, or one
  /// transpose.
  unsigned numOpen() const { return source ? 1 : numProducts(); }
  /// The number of values that loops accumulate: these, or one reduction.
  unsigned numSums() const { return reduction ? 1 : numProducts(); }
  /// The matrices that it reads.
  llvm::SmallVector<unsigned, 4> operands() const;
  /// Whether it reads or computes `matrix`.
  bool uses(unsigned matrix) const;
  /// Whether it sums over, or reduces, all of `dim`.
  bool sumsOver(unsigned dim) const;
  /// The first product with the factor `matrix`, if there is one.
  const Term *productOf(unsigned matrix) const;
  auto key() const {
    return std::tuple(result, llvm::ArrayRef(terms), source, expression,
                      reduction);
  }
};

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_STAGE_H
