//===- ExpressionBuilder.cpp - Bodies of linalg as expressions ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Lower/ExpressionBuilder.h"

#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

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

/// x of `x > 0 ? x : 0`, of which a NaN is itself.
static Value matchRelu(Operation *op) {
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

namespace {
/// The larger or the smaller one of two values.
struct Extreme {
  Function function;
  Value left, right;
};
} // namespace

/// What `x > y ? x : y` and its kin compute but for NaNs, which a condition may
/// hide; also `x > 0 ? x : k * x`, if k is above 0 and at most 1.
static std::optional<Extreme> matchExtreme(Operation *op) {
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
static Value matchElu(Operation *op) {
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
static Value matchSoftplus(Operation *op) {
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
static Value matchGuard(Operation *op) {
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

bool mlir::trn::isExpressible(Operation *op) {
  if (isa<arith::CmpFOp>(op))
    return llvm::all_of(op->getUsers(), [](Operation *user) {
      return matchRelu(user) || matchGuard(user) || matchExtreme(user) ||
             matchElu(user);
    });
  if (isa<arith::ConstantOp>(op) && isa<IntegerType>(op->getResultTypes()[0]))
    return llvm::all_of(op->getUsers(), powerOf);
  if (isa<arith::ConstantOp>(op) && isa<FloatType>(op->getResultTypes()[0]))
    return true;
  if (op->getNumResults() != 1 || !typeOf(op->getResult(0)))
    return false;
  if (auto truncate = dyn_cast<arith::TruncFOp>(op))
    return skipRounding(truncate) != truncate ||
           matchPattern(truncate.getIn(), m_Constant());
  return isa<arith::ConstantOp>(op) || isWidening(op) || functionOf(op) ||
         isBesideOne(op) || matchRelu(op) || matchSoftplus(op) ||
         matchGuard(op) || matchExtreme(op) || matchElu(op) || powerOf(op) ||
         rootOf(op);
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

FailureOr<unsigned> ExpressionBuilder::buildOp(Operation *op) {
  FloatAttr constant;
  if (matchPattern(op, m_Constant(&constant)))
    return expression.addConstant(float(constant.getValueAsDouble()));
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
  SmallVector<unsigned> arguments;
  for (Value operand : op->getOperands()) {
    FailureOr<unsigned> value = build(operand);
    if (failed(value))
      return failure();
    arguments.push_back(*value);
  }
  if (std::optional<unsigned> folded = foldOp(op, arguments))
    return *folded;
  if (isWidening(op))
    return arguments.front();
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
