//===- ExpressionBuilder.cpp - Bodies of linalg as expressions ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Lower/ExpressionBuilder.h"

#include "MatchConditions.h"

#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::trn;

/// The function that computes what `op` does of its operands.
static std::optional<Function> functionOf(Operation *op) {
  return TypeSwitch<Operation *, std::optional<Function>>(op)
      .Case<arith::AddFOp>([](auto) { return Function::Add; })
      .Case<arith::SubFOp>([](auto) { return Function::Sub; })
      .Case<arith::MulFOp, arith::NegFOp>([](auto) { return Function::Mul; })
      .Case<arith::DivFOp>([](auto) { return Function::Div; })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>(
          [](auto) { return Function::Max; })
      .Case<arith::MinimumFOp, arith::MinNumFOp>(
          [](auto) { return Function::Min; })
      .Case<math::ExpOp>([](auto) { return Function::Exp; })
      .Case<math::LogOp>([](auto) { return Function::Log; })
      .Case<math::TanhOp>([](auto) { return Function::Tanh; })
      .Case<math::ErfOp>([](auto) { return Function::Erf; })
      .Case<math::SqrtOp>([](auto) { return Function::Sqrt; })
      .Case<math::RsqrtOp>([](auto) { return Function::Rsqrt; })
      .Case<math::AbsFOp>([](auto) { return Function::Abs; })
      .Case<math::PowFOp>([](auto) { return Function::Pow; })
      .Default([](Operation *) { return std::nullopt; });
}

/// How often a power multiplies with its base, which it does twice to four
/// times.
static std::optional<unsigned> powerOf(Operation *op) {
  if (!isa<math::PowFOp, math::FPowIOp>(op))
    return std::nullopt;
  for (unsigned power : {2, 3, 4}) {
    Value exponent = op->getOperand(1);
    APFloat number(0.0f);
    APInt whole;
    if ((matchPattern(exponent, m_ConstantFloat(&number)) &&
         number.convertToDouble() == power) ||
        (matchPattern(exponent, m_ConstantInt(&whole)) && whole == power))
      return power;
  }
  return std::nullopt;
}

/// The root that a power with a constant exponent is.
static std::optional<Function> rootOf(Operation *op) {
  auto power = dyn_cast<math::PowFOp>(op);
  APFloat number(0.0f);
  if (!power || !matchPattern(power.getRhs(), m_ConstantFloat(&number)))
    return std::nullopt;
  return number.isExactlyValue(0.5)    ? std::optional(Function::Sqrt)
         : number.isExactlyValue(-0.5) ? std::optional(Function::Rsqrt)
                                       : std::nullopt;
}

/// Whether `op` computes a power of two, or the exponent of one.
static bool isOfBaseTwo(Operation *op) {
  return isa<math::Exp2Op, math::Log2Op>(op);
}

/// Whether `op` computes a function with one added: exp(x) - 1, log(1 + x).
static bool isBesideOne(Operation *op) {
  return isa<math::ExpM1Op, math::Log1pOp>(op);
}

static std::optional<ElementType> typeOf(Value scalar) {
  return getFloatElementType(scalar.getType());
}

/// Whether `op` yields what it reads in a wider type, unchanged.
static bool isWidening(Operation *op) {
  if (auto convert = dyn_cast<arith::SIToFPOp>(op))
    return convert.getIn().getType().isInteger(8);
  return isa<arith::ExtFOp>(op);
}

/// The constant that `value` is, maybe widened.
static std::optional<APFloat> constantOf(Value value) {
  if (auto widened = value.getDefiningOp<arith::ExtFOp>())
    value = widened.getIn();
  FloatAttr constant;
  return matchPattern(value, m_Constant(&constant))
             ? std::optional(constant.getValue())
             : std::nullopt;
}

static bool isInfinite(Value value) {
  std::optional<APFloat> constant = constantOf(value);
  return constant && constant->isInfinity();
}

/// Whether a kernel can hold `value` if it is a constant.
static bool isFinite(Value value) {
  std::optional<APFloat> constant = constantOf(value);
  return !constant || constant->isFinite();
}

static bool isConstant(Value value) {
  return matchPattern(value, m_Constant());
}

/// Whether engines have the conditions that `op` reads or computes.
static bool isOfConditions(Operation *op) {
  if (isa<arith::CmpFOp>(op))
    return (matchComparison(op) && typeOf(op->getOperand(0)) &&
            llvm::all_of(op->getOperands(), isFinite)) ||
           llvm::all_of(op->getUsers(), [](Operation *user) {
             return matchRelu(user) || matchGuard(user) || matchExtreme(user) ||
                    matchElu(user);
           });
  if (isa<arith::XOrIOp>(op)) // a "not", if one is constant
    return op->getOperand(0).getType().isInteger(1) &&
           !llvm::all_of(op->getOperands(), isConstant);
  bool isLogic = isa<arith::AndIOp, arith::OrIOp>(op) ||
                 (isa<arith::UIToFPOp>(op) && typeOf(op->getResult(0)));
  if (isLogic)
    return op->getOperand(0).getType().isInteger(1) &&
           llvm::none_of(op->getOperands(), isConstant);
  auto select = dyn_cast<arith::SelectOp>(op);
  if (!select || !typeOf(select.getResult()))
    return false;
  auto isChoice = [](Value value) {
    return isFinite(value) || isInfinite(value);
  };
  Value taken = select.getTrueValue(), other = select.getFalseValue(),
        condition = select.getCondition();
  // Conditions that the host computes are no numbers.
  return isChoice(taken) && isChoice(other) &&
         !(isInfinite(taken) && isInfinite(other)) &&
         condition.getDefiningOp() && !isConstant(condition) &&
         condition.getParentBlock() == op->getBlock();
}

bool mlir::trn::isExpressible(Operation *op) {
  if (isOfConditions(op))
    return true;
  if (isa<arith::ConstantOp>(op) && isa<IntegerType>(op->getResultTypes()[0]))
    return op->getResultTypes()[0].isInteger(1) ||
           llvm::all_of(op->getUsers(), powerOf);
  if (isa<arith::ConstantOp>(op) && isa<FloatType>(op->getResultTypes()[0]))
    return true;
  if (op->getNumResults() != 1 || !typeOf(op->getResult(0)))
    return false;
  if (auto truncate = dyn_cast<arith::TruncFOp>(op))
    return skipRounding(truncate) != truncate ||
           matchPattern(truncate.getIn(), m_Constant());
  return isa<arith::ConstantOp>(op) || isWidening(op) || functionOf(op) ||
         isOfBaseTwo(op) || isBesideOne(op) || matchRelu(op) ||
         matchSoftplus(op) || matchGuard(op) || matchExtreme(op) ||
         matchElu(op) || powerOf(op) || rootOf(op);
}

/// The argument that a maximum is with minus infinity, if it has that, or a
/// minimum with infinity.
std::optional<unsigned>
ExpressionBuilder::skipNeutral(Function function,
                               ArrayRef<unsigned> arguments) const {
  if (function != Function::Max && function != Function::Min)
    return std::nullopt;
  float neutral = std::numeric_limits<float>::infinity();
  if (function == Function::Max)
    neutral = -neutral;
  for (unsigned i : {0, 1})
    if (const planning::Value &value = expression.values[arguments[i]];
        value.kind == planning::Value::Kind::Constant &&
        value.constant == neutral)
      return arguments[1 - i];
  return std::nullopt;
}

unsigned ExpressionBuilder::apply(Function function,
                                  ArrayRef<unsigned> arguments,
                                  ElementType type) {
  if (std::optional<unsigned> other = skipNeutral(function, arguments))
    return type == ElementType::F32
               ? *other
               : expression.apply(Function::Copy, *other, type);
  unsigned value = recognizeFunction(
      expression, expression.apply(function, arguments), precision);
  return type == ElementType::F32
             ? value
             : expression.apply(Function::Copy, value, type);
}

/// The value of `op` if its arguments are constants.
std::optional<unsigned>
ExpressionBuilder::foldOp(Operation *op, ArrayRef<unsigned> arguments) {
  SmallVector<Attribute> operands;
  for (auto [number, operand] : llvm::zip_equal(arguments, op->getOperands())) {
    const planning::Value &value = expression.values[number];
    if (value.kind != planning::Value::Kind::Constant)
      return std::nullopt;
    operands.push_back(FloatAttr::get(operand.getType(), value.constant));
  }
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.size() != 1)
    return std::nullopt;
  auto folded = dyn_cast<Attribute>(results.front());
  auto number = dyn_cast_if_present<FloatAttr>(folded);
  return number ? std::optional(
                      expression.addConstant(float(number.getValueAsDouble())))
                : std::nullopt;
}

/// It rounds once, as a power does.
unsigned ExpressionBuilder::buildPower(unsigned base, unsigned power,
                                       ElementType type) {
  const planning::Value &value = expression.values[base];
  if (value.kind == planning::Value::Kind::Constant)
    return expression.addConstant(std::pow(value.constant, power));
  unsigned product = base;
  for (unsigned i = 2; i < power; ++i)
    product = apply(Function::Mul, {product, base}, ElementType::F32);
  return apply(Function::Mul, {product, base}, type);
}

/// The engines know the natural functions alone.
unsigned ExpressionBuilder::buildOfBaseTwo(Operation *op, unsigned x,
                                           ElementType type) {
  constexpr double ln2 = llvm::numbers::ln2;
  if (isa<math::Exp2Op>(op)) {
    unsigned exponent =
        expression.apply(Function::Mul, {x, expression.addConstant(ln2)});
    return apply(Function::Exp, exponent, type);
  }
  unsigned log = expression.apply(Function::Log, x);
  return apply(Function::Mul, {log, expression.addConstant(1 / ln2)}, type);
}

/// tanh(x / 2) * (exp(x) + 1), of which nothing is lost near zero.
unsigned ExpressionBuilder::buildExpM1(unsigned x, ElementType type) {
  unsigned half =
      expression.apply(Function::Mul, {x, expression.addConstant(0.5)});
  unsigned sum =
      expression.apply(Function::Add, {expression.apply(Function::Exp, x),
                                       expression.addConstant(1)});
  return apply(Function::Mul, {expression.apply(Function::Tanh, half), sum},
               type);
}

/// log(1 + x), and what x loses when one is added: of larger numbers, that is
/// nothing to their logarithm.
unsigned ExpressionBuilder::buildLog1p(unsigned x, ElementType type) {
  unsigned one = expression.addConstant(1);
  unsigned above = expression.apply(Function::Add, {x, one});
  if (expression.values[x].is(Function::Exp)) // a softplus
    return apply(Function::Log, above, type);
  unsigned log = expression.apply(Function::Log, above);
  unsigned small = expression.apply(Function::Min, {x, one});
  unsigned kept = expression.apply(
      Function::Sub, {expression.apply(Function::Add, {small, one}), one});
  return apply(Function::Add,
               {log, expression.apply(Function::Sub, {small, kept})}, type);
}

/// Whether `value` is 1 or 0.
static bool isCondition(const planning::Value &value) {
  static constexpr Function conditions[] = {
      Function::Eq, Function::Ne,  Function::Gt, Function::Ge, Function::Lt,
      Function::Le, Function::And, Function::Or, Function::Xor};
  return llvm::any_of(conditions,
                      [&](Function function) { return value.is(function); });
}

/// 1 where `condition` is 0.
unsigned ExpressionBuilder::negate(unsigned condition) {
  unsigned zero = expression.addConstant(0);
  const planning::Value &value = expression.values[condition];
  bool isNegated = value.is(Function::Eq) && value.arguments[1] == zero &&
                   isCondition(expression.values[value.arguments[0]]);
  return isNegated ? unsigned(value.arguments[0])
                   : expression.apply(Function::Eq, {condition, zero});
}

/// 1 where the condition holds, and 0 elsewhere.
FailureOr<unsigned> ExpressionBuilder::buildCondition(Operation *op) {
  FailureOr<unsigned> left = build(op->getOperand(0)),
                      right = build(op->getOperand(1));
  if (failed(left) || failed(right))
    return failure();
  if (std::optional<Comparison> comparison = matchComparison(op)) {
    unsigned holds = expression.apply(comparison->function, {*left, *right});
    return comparison->isOpposite ? negate(holds) : holds;
  }
  if (isa<arith::XOrIOp>(op))
    for (auto [one, other] : {std::pair(*left, *right), {*right, *left}})
      if (const planning::Value &value = expression.values[one];
          value.kind == planning::Value::Kind::Constant)
        return value.constant == 0 ? other : negate(other);
  Function function = isa<arith::AndIOp>(op)  ? Function::And
                      : isa<arith::OrIOp>(op) ? Function::Or
                                              : Function::Xor;
  return expression.apply(function, {*left, *right});
}

/// Constants are finite: where infinity is chosen, it is the logarithm of zero.
FailureOr<unsigned> ExpressionBuilder::buildSelect(arith::SelectOp op,
                                                   ElementType type) {
  FailureOr<unsigned> condition = build(op.getCondition());
  if (failed(condition))
    return failure();
  auto choice = [&](Value value, bool isTaken) -> FailureOr<unsigned> {
    if (!isInfinite(value))
      return build(value);
    unsigned infinity = expression.apply(
        Function::Log, isTaken ? negate(*condition) : *condition);
    return constantOf(value)->isNegative()
               ? infinity
               : expression.apply(Function::Mul,
                                  {infinity, expression.addConstant(-1)});
  };
  FailureOr<unsigned> left = choice(op.getTrueValue(), true),
                      right = choice(op.getFalseValue(), false);
  if (failed(left) || failed(right))
    return failure();
  return apply(Function::Select, {*condition, *left, *right}, type);
}

FailureOr<unsigned> ExpressionBuilder::buildOp(Operation *op) {
  FloatAttr constant;
  if (matchPattern(op, m_Constant(&constant)))
    return expression.addConstant(float(constant.getValueAsDouble()));
  if (BoolAttr truth; matchPattern(op, m_Constant(&truth)))
    return expression.addConstant(truth.getValue());
  if (op->getResult(0).getType().isInteger(1))
    return buildCondition(op);
  ElementType type = *typeOf(op->getResult(0));
  if (Value x = matchRelu(op)) {
    FailureOr<unsigned> value = build(x);
    return failed(value) ? value : apply(Function::Relu, *value, type);
  }
  if (Value x = matchSoftplus(op)) {
    FailureOr<unsigned> value = build(x);
    return failed(value) ? value : apply(Function::Softplus, *value, type);
  }
  if (Value unguarded = matchGuard(op))
    return build(unguarded);
  if (std::optional<Extreme> extreme = matchExtreme(op)) {
    FailureOr<unsigned> left = build(extreme->left),
                        right = build(extreme->right);
    return failed(left) || failed(right)
               ? FailureOr<unsigned>()
               : apply(extreme->function, {*left, *right}, type);
  }
  if (Value below = matchElu(op)) {
    FailureOr<unsigned> x = build(op->getOperand(1)), least = build(below);
    if (failed(x) || failed(least))
      return failure();
    unsigned zero = expression.addConstant(0);
    return apply(Function::Add,
                 {expression.apply(Function::Relu, *x),
                  expression.apply(Function::Min, {*least, zero})},
                 type);
  }
  if (std::optional<unsigned> power = powerOf(op)) {
    FailureOr<unsigned> base = build(op->getOperand(0));
    return failed(base) ? base : buildPower(*base, *power, type);
  }
  if (std::optional<Function> root = rootOf(op)) {
    FailureOr<unsigned> base = build(op->getOperand(0));
    return failed(base) ? base : apply(*root, *base, type);
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return buildSelect(select, type);
  SmallVector<unsigned> arguments;
  for (Value operand : op->getOperands()) {
    FailureOr<unsigned> value = build(operand);
    if (failed(value))
      return failure();
    arguments.push_back(*value);
  }
  if (isa<arith::UIToFPOp>(op))
    return arguments.front(); // a condition
  if (std::optional<unsigned> folded = foldOp(op, arguments))
    return *folded;
  if (isWidening(op))
    return arguments.front();
  if (isOfBaseTwo(op))
    return buildOfBaseTwo(op, arguments[0], type);
  if (isa<math::ExpM1Op>(op))
    return buildExpM1(arguments[0], type);
  if (isa<math::Log1pOp>(op))
    return buildLog1p(arguments[0], type);
  if (isa<arith::TruncFOp>(op))
    return expression.apply(Function::Copy, arguments, type);
  if (isa<arith::NegFOp>(op))
    arguments.push_back(expression.addConstant(-1));
  return apply(*functionOf(op), arguments, type);
}

FailureOr<unsigned> ExpressionBuilder::build(Value scalar) {
  if (auto it = known.find(scalar); it != known.end())
    return it->second;
  Operation *op = scalar.getDefiningOp();
  if (op && !isExpressible(op))
    return op->emitError("the engines cannot compute this");
  FailureOr<unsigned> value = op ? buildOp(op) : leaf(scalar);
  if (succeeded(value))
    known[scalar] = *value;
  return value;
}
