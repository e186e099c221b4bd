//===- LinearArithmetic.cpp - Operations on linear functions --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinearArithmetic.h"

#include "mlir/IR/AffineMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::trn;

std::optional<LinearExpr>
LinearArithmetic::multiply(const LinearExpr &lhs, const LinearExpr &rhs) const {
  if (!rhs.isConstant() && !lhs.isConstant())
    return std::nullopt;
  const LinearExpr &factor = rhs.isConstant() ? rhs : lhs;
  const LinearExpr &expr = rhs.isConstant() ? lhs : rhs;
  Interval range = rangeOf(expr, tripCounts);
  double largest =
      std::max(std::abs(double(range.min)), std::abs(double(range.max)));
  if (largest * std::abs(double(factor.constant)) > double(limit))
    return std::nullopt;
  return expr * factor.constant;
}

/// Divides by splitting `dividend = divisor * quotient + rest`; works out if
/// `rest` stays within one multiple of the divisor. `splitAll` takes the whole
/// part out of every coefficient, otherwise only exact multiples are taken out:
/// `130 * i floordiv 128` needs the first, `(127 - i) floordiv 128` the second.
static std::optional<LinearExpr> divide(const LinearExpr &dividend,
                                        int64_t divisor, bool splitAll,
                                        llvm::ArrayRef<int64_t> tripCounts) {
  LinearExpr quotient(llvm::divideFloorSigned(dividend.constant, divisor));
  for (const LinearExpr::Term &term : dividend.terms)
    if (splitAll || term.coefficient % divisor == 0)
      quotient += LinearExpr::counter(
          term.loop, llvm::divideFloorSigned(term.coefficient, divisor));
  Interval rest = rangeOf(dividend - quotient * divisor, tripCounts);
  int64_t whole = llvm::divideFloorSigned(rest.min, divisor);
  if (whole != llvm::divideFloorSigned(rest.max, divisor))
    return std::nullopt;
  return quotient + whole;
}

std::optional<LinearExpr>
LinearArithmetic::floorDiv(const LinearExpr &lhs, const LinearExpr &rhs) const {
  if (!rhs.isConstant() || rhs.constant <= 0)
    return std::nullopt;
  for (bool splitAll : {false, true})
    if (auto quotient = divide(lhs, rhs.constant, splitAll, tripCounts))
      return quotient;
  return std::nullopt;
}

std::optional<LinearExpr>
LinearArithmetic::ceilDiv(const LinearExpr &lhs, const LinearExpr &rhs) const {
  return floorDiv(lhs + rhs + -1, rhs);
}

std::optional<LinearExpr> LinearArithmetic::mod(const LinearExpr &lhs,
                                                const LinearExpr &rhs) const {
  std::optional<LinearExpr> quotient = floorDiv(lhs, rhs);
  if (!quotient)
    return std::nullopt;
  return lhs - *quotient * rhs.constant;
}

std::optional<LinearExpr>
LinearArithmetic::min(llvm::ArrayRef<LinearExpr> exprs) const {
  for (const LinearExpr &candidate : exprs)
    if (llvm::all_of(exprs, [&](const LinearExpr &other) {
          return neverNegative(other - candidate);
        }))
      return candidate;
  return std::nullopt;
}

std::optional<LinearExpr>
LinearArithmetic::max(llvm::ArrayRef<LinearExpr> exprs) const {
  for (const LinearExpr &candidate : exprs)
    if (llvm::all_of(exprs, [&](const LinearExpr &other) {
          return neverNegative(candidate - other);
        }))
      return candidate;
  return std::nullopt;
}

std::optional<LinearExpr>
LinearArithmetic::evaluate(AffineExpr expr, llvm::ArrayRef<LinearExpr> dims,
                           llvm::ArrayRef<LinearExpr> symbols) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return LinearExpr(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];

  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<LinearExpr> lhs = evaluate(binary.getLHS(), dims, symbols);
  std::optional<LinearExpr> rhs = evaluate(binary.getRHS(), dims, symbols);
  if (!lhs || !rhs)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    if (!isWithinLimit(*lhs + *rhs))
      return std::nullopt;
    return *lhs + *rhs;
  case AffineExprKind::Mul:
    return multiply(*lhs, *rhs);
  case AffineExprKind::FloorDiv:
    return floorDiv(*lhs, *rhs);
  case AffineExprKind::CeilDiv:
    return ceilDiv(*lhs, *rhs);
  case AffineExprKind::Mod:
    return mod(*lhs, *rhs);
  default:
    return std::nullopt;
  }
}

std::optional<llvm::SmallVector<LinearExpr>>
LinearArithmetic::evaluate(AffineMap map,
                           llvm::ArrayRef<LinearExpr> operands) const {
  llvm::SmallVector<LinearExpr> results;
  for (AffineExpr expr : map.getResults()) {
    std::optional<LinearExpr> result =
        evaluate(expr, operands.take_front(map.getNumDims()),
                 operands.drop_front(map.getNumDims()));
    if (!result)
      return std::nullopt;
    results.push_back(std::move(*result));
  }
  return results;
}
