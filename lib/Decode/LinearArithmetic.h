//===- LinearArithmetic.h - Operations on linear functions ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_DECODE_LINEARARITHMETIC_H
#define TRN_LIB_DECODE_LINEARARITHMETIC_H

#include "trn/Program/LinearExpr.h"

#include "mlir/IR/AffineExpr.h"
#include <optional>

namespace mlir::trn {

/// Each function returns the result as a linear function where there is one for
/// all iterations of all loops, and nothing otherwise. Operands are within
/// `limit`, so that their sums are far from overflow.
struct LinearArithmetic {
  static constexpr int64_t limit = int64_t(1) << 62;

  llvm::ArrayRef<int64_t> tripCounts;

  std::optional<LinearExpr> multiply(const LinearExpr &lhs,
                                     const LinearExpr &rhs) const;
  /// Rounds towards minus infinity; `mod` is what that leaves.
  std::optional<LinearExpr> floorDiv(const LinearExpr &lhs,
                                     const LinearExpr &rhs) const;
  std::optional<LinearExpr> ceilDiv(const LinearExpr &lhs,
                                    const LinearExpr &rhs) const;
  std::optional<LinearExpr> mod(const LinearExpr &lhs,
                                const LinearExpr &rhs) const;
  /// The one that is never above (below) any other.
  std::optional<LinearExpr> min(llvm::ArrayRef<LinearExpr> exprs) const;
  std::optional<LinearExpr> max(llvm::ArrayRef<LinearExpr> exprs) const;

  std::optional<LinearExpr> evaluate(AffineExpr expr,
                                     llvm::ArrayRef<LinearExpr> dims,
                                     llvm::ArrayRef<LinearExpr> symbols) const;
  /// The result of each expression of `map`, whose operands are dims, then
  /// symbols.
  std::optional<llvm::SmallVector<LinearExpr>>
  evaluate(AffineMap map, llvm::ArrayRef<LinearExpr> operands) const;

  bool isWithinLimit(const LinearExpr &expr) const {
    Interval range = rangeOf(expr, tripCounts);
    return -limit <= range.min && range.max <= limit;
  }
  bool neverNegative(const LinearExpr &expr) const {
    return rangeOf(expr, tripCounts).min >= 0;
  }
};

} // namespace mlir::trn

#endif // TRN_LIB_DECODE_LINEARARITHMETIC_H
