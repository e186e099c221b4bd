//===- MatchConditions.cpp - What engines have in place of conditions -----===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchConditions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

/// x of `x > 0 ? x : 0`, of which a NaN is itself.
Value mlir::trn::matchRelu(Operation *op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpFOp>()
                        : arith::CmpFOp();
  if (!compare || compare.getPredicate() != arith::CmpFPredicate::UGT)
    return {};
  Value x = select.getTrueValue();
  bool isRelu = compare.getLhs() == x &&
                matchPattern(compare.getRhs(), m_AnyZeroFloat()) &&
                matchPattern(select.getFalseValue(), m_PosZeroFloat());
  return isRelu ? x : Value();
}

/// Whether both are one value, or constants of one value.
static bool areSame(Value a, Value b) {
  FloatAttr one, other;
  return a == b || (matchPattern(a, m_Constant(&one)) &&
                    matchPattern(b, m_Constant(&other)) && one == other);
}

/// What `x > y ? x : y` and its kin compute but for NaNs, which a condition may
/// hide; also `x > 0 ? x : k * x`, if k is above 0 and at most 1.
std::optional<Extreme> mlir::trn::matchExtreme(Operation *op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpFOp>()
                        : arith::CmpFOp();
  if (!compare)
    return std::nullopt;
  using Predicate = arith::CmpFPredicate;
  Predicate predicate = compare.getPredicate();
  bool isGreater = llvm::is_contained(
      {Predicate::OGT, Predicate::OGE, Predicate::UGT, Predicate::UGE},
      predicate);
  bool isLess = llvm::is_contained(
      {Predicate::OLT, Predicate::OLE, Predicate::ULT, Predicate::ULE},
      predicate);
  if (!isGreater && !isLess)
    return std::nullopt;
  Value left = compare.getLhs(), right = compare.getRhs();
  Value taken = select.getTrueValue(), other = select.getFalseValue();
  if (areSame(taken, right) && areSame(other, left))
    return Extreme{isGreater ? Function::Min : Function::Max, left, right};
  if (areSame(taken, left) && areSame(other, right))
    return Extreme{isGreater ? Function::Max : Function::Min, left, right};
  // k * x is at most x where that is positive, and at least x elsewhere.
  APFloat slope(0.0f);
  auto product = other.getDefiningOp<arith::MulFOp>();
  bool isLeaky = isGreater && taken == left &&
                 matchPattern(right, m_AnyZeroFloat()) && product &&
                 product.getLhs() == left &&
                 matchPattern(product.getRhs(), m_ConstantFloat(&slope)) &&
                 slope.convertToDouble() > 0 && slope.convertToDouble() <= 1;
  return isLeaky ? std::optional(Extreme{Function::Max, left, other})
                 : std::nullopt;
}

/// Whether `value` is x, or the smaller one of x and zero.
static bool isAtMost(Value value, Value x) {
  auto extreme = value.getDefiningOp() ? matchExtreme(value.getDefiningOp())
                                       : std::nullopt;
  return value == x ||
         (extreme && extreme->function == Function::Min && extreme->left == x &&
          matchPattern(extreme->right, m_AnyZeroFloat()));
}

/// Whether `value` is exp(x) - 1, where x may be cut at zero.
static bool isExpBesideOne(Value value, Value x) {
  if (auto whole = value.getDefiningOp<math::ExpM1Op>())
    return isAtMost(whole.getOperand(), x);
  auto difference = value.getDefiningOp<arith::SubFOp>();
  auto power = difference ? difference.getLhs().getDefiningOp<math::ExpOp>()
                          : math::ExpOp();
  return power && isAtMost(power.getOperand(), x) &&
         matchPattern(difference.getRhs(), m_OneFloat());
}

/// The last argument of `x > 0 ? x : k * (exp(x) - 1)`, an ELU, which is not
/// positive where x is not, if k is not negative.
Value mlir::trn::matchElu(Operation *op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpFOp>()
                        : arith::CmpFOp();
  using Predicate = arith::CmpFPredicate;
  if (!compare ||
      !llvm::is_contained(
          {Predicate::OGT, Predicate::OGE, Predicate::UGT, Predicate::UGE},
          compare.getPredicate()) ||
      !matchPattern(compare.getRhs(), m_AnyZeroFloat()) ||
      select.getTrueValue() != compare.getLhs())
    return {};
  Value x = compare.getLhs(), other = select.getFalseValue(), power = other;
  APFloat factor(1.0f);
  if (auto product = other.getDefiningOp<arith::MulFOp>();
      product && matchPattern(product.getRhs(), m_ConstantFloat(&factor)))
    power = product.getLhs();
  return isExpBesideOne(power, x) && !factor.isNegative() ? other : Value();
}

/// x of `log1p(exp(x))`.
Value mlir::trn::matchSoftplus(Operation *op) {
  auto log = dyn_cast<math::Log1pOp>(op);
  auto power = log ? log.getOperand().getDefiningOp<math::ExpOp>() : nullptr;
  return power && log.getType().isF32() ? power.getOperand() : Value();
}

/// Whether `value` is computed of `part`.
static bool isComputedOf(Value value, Value part) {
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i)
    if (Operation *op = values[i].getDefiningOp())
      values.insert_range(op->getOperands());
  return values.contains(part);
}

/// v of selects that frontends write around a softplus, and that are v in any
/// case: `x is NaN ? x + 0 : v`, of which v is NaN, too, and `x > limit ? x :
/// v`, of which v is x there in f32.
Value mlir::trn::matchGuard(Operation *op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpFOp>()
                        : arith::CmpFOp();
  if (!compare)
    return {};
  Value x = compare.getLhs(), taken = select.getTrueValue(),
        other = select.getFalseValue();
  using Predicate = arith::CmpFPredicate;
  Predicate predicate = compare.getPredicate();
  if (predicate == Predicate::UNE || predicate == Predicate::UNO) {
    auto sum = taken.getDefiningOp<arith::AddFOp>();
    bool isNaN = taken == x || (sum && sum.getLhs() == x &&
                                matchPattern(sum.getRhs(), m_AnyZeroFloat()));
    return isNaN && compare.getRhs() == x && isComputedOf(other, x) ? other
                                                                    : Value();
  }
  constexpr double limit = 15; // exp(-15) / 15 < 2^-24
  APFloat number(0.0f);
  Operation *softplus = other.getDefiningOp();
  bool isLarge = predicate == Predicate::OGT || predicate == Predicate::UGT;
  return isLarge && taken == x && softplus && matchSoftplus(softplus) == x &&
                 matchPattern(compare.getRhs(), m_ConstantFloat(&number)) &&
                 number.convertToDouble() >= limit
             ? other
             : Value();
}

std::optional<Comparison> mlir::trn::matchComparison(Operation *op) {
  auto compare = dyn_cast_if_present<arith::CmpFOp>(op);
  if (!compare)
    return std::nullopt;
  using Predicate = arith::CmpFPredicate;
  switch (compare.getPredicate()) {
  case Predicate::OEQ:
    return Comparison{Function::Eq};
  case Predicate::OGT:
    return Comparison{Function::Gt};
  case Predicate::OGE:
    return Comparison{Function::Ge};
  case Predicate::OLT:
    return Comparison{Function::Lt};
  case Predicate::OLE:
    return Comparison{Function::Le};
  case Predicate::UNE:
    return Comparison{Function::Ne};
  // Also true of a NaN, of which the opposite is false.
  case Predicate::UGT:
    return Comparison{Function::Le, /*isOpposite=*/true};
  case Predicate::UGE:
    return Comparison{Function::Lt, /*isOpposite=*/true};
  case Predicate::ULT:
    return Comparison{Function::Ge, /*isOpposite=*/true};
  case Predicate::ULE:
    return Comparison{Function::Gt, /*isOpposite=*/true};
  default:
    return std::nullopt;
  }
}
