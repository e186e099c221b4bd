//===- IndexAnalysis.cpp - Index values as linear functions ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Decode/IndexAnalysis.h"

#include "LinearArithmetic.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::trn;

static Condition constantCondition(bool value) {
  return {value ? Condition::Predicate::Eq : Condition::Predicate::Ne, 0};
}

static Condition::Predicate negate(Condition::Predicate predicate) {
  using Predicate = Condition::Predicate;
  switch (predicate) {
  case Predicate::Eq:
    return Predicate::Ne;
  case Predicate::Ne:
    return Predicate::Eq;
  case Predicate::Lt:
    return Predicate::Ge;
  case Predicate::Ge:
    return Predicate::Lt;
  case Predicate::Le:
    return Predicate::Gt;
  case Predicate::Gt:
    return Predicate::Le;
  }
  return predicate;
}

/// Unsigned predicates agree with signed ones where nothing is negative.
static std::pair<Condition::Predicate, /*isUnsigned=*/bool>
translate(arith::CmpIPredicate predicate) {
  using From = arith::CmpIPredicate;
  using To = Condition::Predicate;
  switch (predicate) {
  case From::eq:
    return {To::Eq, false};
  case From::ne:
    return {To::Ne, false};
  case From::slt:
    return {To::Lt, false};
  case From::sle:
    return {To::Le, false};
  case From::sgt:
    return {To::Gt, false};
  case From::sge:
    return {To::Ge, false};
  case From::ult:
    return {To::Lt, true};
  case From::ule:
    return {To::Le, true};
  case From::ugt:
    return {To::Gt, true};
  case From::uge:
    return {To::Ge, true};
  }
  return {To::Eq, true};
}

namespace {
/// Evaluates one op; all its operands are known as linear functions.
class IndexEvaluator {
public:
  IndexEvaluator(ArrayRef<int64_t> tripCounts, ArrayRef<LinearExpr> operands)
      : arithmetic{tripCounts}, operands(operands) {}

  /// Nothing if the result is not linear.
  std::optional<LinearExpr> evaluate(Operation *op) const {
    return TypeSwitch<Operation *, std::optional<LinearExpr>>(op)
        .Case([&](arith::AddIOp) { return operands[0] + operands[1]; })
        .Case([&](arith::SubIOp) { return operands[0] - operands[1]; })
        .Case([&](arith::MulIOp) {
          return arithmetic.multiply(operands[0], operands[1]);
        })
        .Case([&](arith::FloorDivSIOp) {
          return arithmetic.floorDiv(operands[0], operands[1]);
        })
        .Case([&](arith::CeilDivSIOp) {
          return arithmetic.ceilDiv(operands[0], operands[1]);
        })
        .Case<arith::DivSIOp, arith::DivUIOp>(
            [&](auto) -> std::optional<LinearExpr> {
              if (!neverNegative()) // rounds towards zero, or is unsigned
                return std::nullopt;
              return arithmetic.floorDiv(operands[0], operands[1]);
            })
        .Case([&](arith::CeilDivUIOp) -> std::optional<LinearExpr> {
          if (!neverNegative())
            return std::nullopt;
          return arithmetic.ceilDiv(operands[0], operands[1]);
        })
        .Case<arith::RemSIOp, arith::RemUIOp>(
            [&](auto) -> std::optional<LinearExpr> {
              if (!neverNegative())
                return std::nullopt;
              return arithmetic.mod(operands[0], operands[1]);
            })
        .Case([&](arith::MinSIOp) { return arithmetic.min(operands); })
        .Case([&](arith::MaxSIOp) { return arithmetic.max(operands); })
        .Case<arith::MinUIOp, arith::MaxUIOp>(
            [&](auto typed) -> std::optional<LinearExpr> {
              if (!neverNegative())
                return std::nullopt;
              return isa<arith::MinUIOp>(typed) ? arithmetic.min(operands)
                                                : arithmetic.max(operands);
            })
        .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(
            [&](auto) { return operands[0]; })
        .Case<arith::IndexCastUIOp, arith::ExtUIOp>(
            [&](auto) -> std::optional<LinearExpr> {
              if (!neverNegative())
                return std::nullopt;
              return operands[0];
            })
        .Case([&](affine::AffineApplyOp apply) -> std::optional<LinearExpr> {
          auto results = arithmetic.evaluate(apply.getAffineMap(), operands);
          if (!results)
            return std::nullopt;
          return results->front();
        })
        .Case([&](affine::AffineMinOp min) -> std::optional<LinearExpr> {
          auto results = arithmetic.evaluate(min.getAffineMap(), operands);
          return results ? arithmetic.min(*results) : std::nullopt;
        })
        .Case([&](affine::AffineMaxOp max) -> std::optional<LinearExpr> {
          auto results = arithmetic.evaluate(max.getAffineMap(), operands);
          return results ? arithmetic.max(*results) : std::nullopt;
        })
        .Default([](Operation *) { return std::nullopt; });
  }

  std::optional<Condition> compare(arith::CmpIOp op) const {
    auto [predicate, isUnsigned] = translate(op.getPredicate());
    if (isUnsigned && !neverNegative())
      return std::nullopt;
    return Condition{predicate, operands[0] - operands[1]};
  }

private:
  bool neverNegative() const {
    return llvm::all_of(operands, [&](const LinearExpr &operand) {
      return arithmetic.neverNegative(operand);
    });
  }

  LinearArithmetic arithmetic;
  ArrayRef<LinearExpr> operands;
};
} // namespace

int32_t IndexAnalysis::addLoop(Value inductionVariable, const LinearExpr &first,
                               int64_t step, int64_t tripCount) {
  int32_t loop = tripCounts.size();
  tripCounts.push_back(tripCount);
  indices.set(inductionVariable, first + LinearExpr::counter(loop, step));
  return loop;
}

/// Whether a value of this width holds everything in `range`; index counts as
/// 64 bits.
static bool holds(Type type, Interval range) {
  constexpr int64_t limit = LinearArithmetic::limit;
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return -limit <= range.min && range.max <= limit &&
         (width >= 64 ||
          (llvm::isIntN(width, range.min) && llvm::isIntN(width, range.max)));
}

/// Not, and, or of conditions where one side decides or does not matter.
static std::optional<Condition> combine(Operation *op,
                                        const Facts<Condition> &conditions) {
  if (!isa<arith::XOrIOp, arith::AndIOp, arith::OrIOp>(op))
    return std::nullopt;
  for (unsigned position : {0, 1}) {
    const Condition *decider = conditions.find(op->getOperand(position));
    const Condition *other = conditions.find(op->getOperand(1 - position));
    if (!decider || !other || !decider->expr.isConstant())
      continue;
    bool value = decider->evaluate({});
    if (isa<arith::XOrIOp>(op))
      return value ? Condition{negate(other->predicate), other->expr} : *other;
    bool decides = isa<arith::OrIOp>(op) ? value : !value;
    return decides ? *decider : *other;
  }
  return std::nullopt;
}

void IndexAnalysis::visit(Operation *op) {
  if (op->getNumResults() != 1)
    return;
  Value result = op->getResult(0);
  Type type = result.getType();
  if (!type.isIntOrIndex())
    return;
  bool isCondition = type.isInteger(1);

  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    APInt value = cast<IntegerAttr>(constant.getValue()).getValue();
    if (isCondition)
      conditions.set(result, constantCondition(value.isOne()));
    else if (value.getSignificantBits() <= 64)
      indices.set(result, value.getSExtValue());
    return;
  }
  if (std::optional<Condition> condition = combine(op, conditions))
    return conditions.set(result, *condition);

  SmallVector<LinearExpr> operands;
  for (Value operand : op->getOperands()) {
    if (const LinearExpr *expr = indices.find(operand)) {
      operands.push_back(*expr);
      continue;
    }
    const Refusal *cause = indices.findRefusal(operand);
    Refusal refusal = cause ? *cause
                            : Refusal{op, "depends on a value that is not a "
                                          "function of the loop counters"};
    return isCondition ? conditions.refuse(result, refusal)
                       : indices.refuse(result, refusal);
  }

  // address_c2
  if (!llvm::all_of(operands, [&](const LinearExpr &operand) {
        return LinearArithmetic{tripCounts}.isWithinLimit(operand);
      })) {
    Refusal refusal{op, "computes with numbers beyond 2^62, and may overflow"};
    return isCondition ? conditions.refuse(result, refusal)
                       : indices.refuse(result, refusal);
  }

  IndexEvaluator evaluator(tripCounts, operands);
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    if (std::optional<Condition> condition = evaluator.compare(compare))
      return conditions.set(result, *condition);
    return conditions.refuse(
        result, {op, "compares a possibly negative value as unsigned"});
  }
  // address_c1
  std::optional<LinearExpr> expr = evaluator.evaluate(op);
  if (!expr)
    return indices.refuse(
        result, {op, "is not a linear function of the loop counters, as every "
                     "address in a kernel must be"});
  // address_c2
  if (!holds(type, rangeOf(*expr)))
    return indices.refuse(result, {op, "may overflow its integer type"});
  indices.set(result, *expr);
}

FailureOr<int64_t> IndexAnalysis::addLoop(scf::ForOp loop) {
  // virtual_c3
  if (loop.getNumResults() != 0)
    return loop.emitOpError("carries ")
           << loop.getNumResults()
           << " values between iterations, but the loops of a kernel carry "
              "none; what lives longer is in a buffer";
  FailureOr<LinearExpr> first = index(loop.getLowerBound(), loop);
  FailureOr<LinearExpr> end = index(loop.getUpperBound(), loop);
  FailureOr<LinearExpr> step = index(loop.getStep(), loop);
  if (failed(first) || failed(end) || failed(step))
    return failure();
  // virtual_c6
  if (loop.getUnsignedCmp() &&
      std::min(rangeOf(*first).min, rangeOf(*end).min) < 0)
    return loop.emitOpError("compares as unsigned, but its bounds may be "
                            "negative; use index, or a wider integer type");
  // virtual_c7
  int64_t distance;
  if (llvm::SubOverflow(end->constant, first->constant, distance))
    return loop.emitOpError("has bounds that are further apart than 2^63 - 1, "
                            "the largest number of iterations");
  LinearExpr span = *end - *first;
  // virtual_c2
  if (!span.isConstant() || !step->isConstant())
    return loop.emitOpError(
        "runs a number of times that depends on other loops, but the loops of "
        "a kernel have constant trip counts");
  // virtual_c5
  if (step->constant <= 0)
    return loop.emitOpError("has step ")
           << step->constant << ", but a step is at least 1";
  int64_t tripCount =
      span.constant <= 0 ? 0 : (span.constant - 1) / step->constant + 1;
  addLoop(loop.getInductionVar(), *first, step->constant, tripCount);
  return tripCount;
}

std::optional<int64_t> IndexAnalysis::residue(const LinearExpr &expr,
                                              int64_t modulus) const {
  std::optional<LinearExpr> rest =
      LinearArithmetic{tripCounts}.mod(expr, modulus);
  if (!rest || !rest->isConstant())
    return std::nullopt;
  return rest->constant;
}

FailureOr<LinearExpr> IndexAnalysis::index(Value value, Operation *user) const {
  if (const LinearExpr *expr = indices.find(value))
    return *expr;
  return emitRefusal(indices.findRefusal(value), value, user);
}

FailureOr<LinearExpr> IndexAnalysis::index(OpFoldResult value,
                                           Operation *user) const {
  if (auto attribute = dyn_cast<Attribute>(value))
    return LinearExpr(cast<IntegerAttr>(attribute).getInt());
  return index(cast<Value>(value), user);
}

FailureOr<Condition> IndexAnalysis::condition(Value value,
                                              Operation *user) const {
  if (const Condition *condition = conditions.find(value))
    return *condition;
  return emitRefusal(conditions.findRefusal(value), value, user);
}
