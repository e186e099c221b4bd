//===- LinearExpr.h - Linear functions of loop counters ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_LINEAREXPR_H
#define TRN_PROGRAM_LINEAREXPR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace mlir::trn {

/// `constant + sum over terms of coefficient * counter[loop]`, where
/// `counter[loop]` counts the iterations of a program loop from zero.
struct LinearExpr {
  struct Term {
    int32_t loop;
    int64_t coefficient;
    bool operator==(const Term &other) const {
      return loop == other.loop && coefficient == other.coefficient;
    }
  };

  int64_t constant = 0;
  /// Sorted by loop, no zero coefficients.
  llvm::SmallVector<Term, 3> terms;

  LinearExpr() = default;
  /*implicit*/ LinearExpr(int64_t constant) : constant(constant) {}

  /// `coefficient * counter[loop]`.
  static LinearExpr counter(int32_t loop, int64_t coefficient = 1);

  LinearExpr &operator+=(const LinearExpr &other);
  LinearExpr &operator*=(int64_t factor);
  /// Requires coefficients that are multiples of `divisor`; a positive constant
  /// is rounded down.
  LinearExpr &operator/=(int64_t divisor);
  friend LinearExpr operator+(LinearExpr a, const LinearExpr &b) {
    return a += b;
  }
  friend LinearExpr operator*(LinearExpr a, int64_t factor) {
    return a *= factor;
  }
  friend LinearExpr operator/(LinearExpr a, int64_t divisor) {
    return a /= divisor;
  }
  friend LinearExpr operator-(LinearExpr a, const LinearExpr &b) {
    return a += b * -1;
  }
  bool operator==(const LinearExpr &other) const {
    return constant == other.constant && terms == other.terms;
  }

  bool isConstant() const { return terms.empty(); }
  int64_t evaluate(llvm::ArrayRef<int64_t> counters) const {
    int64_t value = constant;
    for (const Term &term : terms)
      value += term.coefficient * counters[term.loop];
    return value;
  }
};

/// The smallest and the largest value of an expression.
struct Interval {
  int64_t min;
  int64_t max;
};

/// The values of `expr` while each counter runs from 0 to
/// `tripCounts[loop] - 1`; a loop that never runs counts as running once.
/// Bounds saturate at 64 bits.
Interval rangeOf(const LinearExpr &expr, llvm::ArrayRef<int64_t> tripCounts);

} // namespace mlir::trn

#endif // TRN_PROGRAM_LINEAREXPR_H
