//===- RecognizeFunction.cpp - Functions that engines have as one ---------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpressionBuilder.h"

#include <cmath>

using namespace mlir;
using namespace mlir::trn;
using planning::Expression;

namespace {
/// Looks at the values that a value is computed from. Products and sums may
/// have their arguments in either order.
class Matcher {
public:
  explicit Matcher(const Expression &expression) : values(expression.values) {}

  const planning::Value &operator[](unsigned number) const {
    return values[number];
  }
  bool isConstant(unsigned number, double constant) const {
    return values[number].kind == planning::Value::Kind::Constant &&
           std::abs(values[number].constant - constant) <=
               1e-6 * std::abs(constant);
  }
  /// The other argument of `function` applied to `constant`.
  std::optional<unsigned> withConstant(unsigned number, Function function,
                                       double constant) const {
    if (!values[number].is(function))
      return std::nullopt;
    ArrayRef<unsigned> arguments = values[number].arguments;
    for (unsigned i : {0, 1})
      if (isConstant(arguments[i], constant))
        return arguments[1 - i];
    return std::nullopt;
  }
  /// What it is `function` of.
  std::optional<unsigned> argumentOf(unsigned number, Function function) const {
    return values[number].is(function)
               ? std::optional(values[number].arguments[0])
               : std::nullopt;
  }
  /// x of 1 + exp(-x).
  std::optional<unsigned> logistic(unsigned number) const {
    auto power = withConstant(number, Function::Add, 1);
    auto negated = power ? argumentOf(*power, Function::Exp) : std::nullopt;
    return negated ? withConstant(*negated, Function::Mul, -1) : std::nullopt;
  }
  /// x of 1 + erf(x / sqrt(2)).
  std::optional<unsigned> errorFunction(unsigned number) const {
    auto erf = withConstant(number, Function::Add, 1);
    auto scaled = erf ? argumentOf(*erf, Function::Erf) : std::nullopt;
    if (!scaled)
      return std::nullopt;
    if (auto x = withConstant(*scaled, Function::Mul, std::sqrt(0.5)))
      return x;
    bool divides = values[*scaled].is(Function::Div) &&
                   isConstant(values[*scaled].arguments[1], std::sqrt(2.0));
    return divides ? std::optional(values[*scaled].arguments[0]) : std::nullopt;
  }

private:
  const std::vector<planning::Value> &values;
};
} // namespace

/// x if `value` is x * 1/2 * (1 + erf(x / sqrt(2))), in any order.
static std::optional<unsigned> matchGelu(const Matcher &match, unsigned value) {
  if (!match[value].is(Function::Mul))
    return std::nullopt;
  // The factors of a product of three.
  SmallVector<unsigned, 3> factors(llvm::ArrayRef(match[value].arguments));
  for (unsigned i : {0, 1})
    if (match[factors[i]].is(Function::Mul) &&
        !match.errorFunction(factors[i])) {
      ArrayRef<unsigned> inner = match[factors[i]].arguments;
      factors.push_back(inner[1]);
      factors[i] = inner[0];
      break;
    }
  if (factors.size() != 3)
    return std::nullopt;
  std::optional<unsigned> x;
  bool halves = false;
  for (unsigned factor : factors) {
    if (auto of = match.errorFunction(factor))
      x = of;
    halves |= match.isConstant(factor, 0.5);
  }
  return halves && x && llvm::is_contained(factors, *x) ? x : std::nullopt;
}

unsigned mlir::trn::recognizeFunction(Expression &expression, unsigned value) {
  Matcher match(expression);
  const planning::Value root = expression.values[value];
  if (root.is(Function::Div)) {
    unsigned numerator = root.arguments[0];
    if (auto x = match.logistic(root.arguments[1])) {
      if (match.isConstant(numerator, 1))
        return expression.apply(Function::Sigmoid, *x);
      if (numerator == *x)
        return expression.apply(Function::Silu, *x);
    }
    if (match.isConstant(numerator, 1))
      return expression.apply(Function::Reciprocal, root.arguments[1]);
  }
  if (root.is(Function::Mul)) {
    for (unsigned i : {0, 1})
      if (auto x = match.argumentOf(root.arguments[i], Function::Sigmoid);
          x && *x == root.arguments[1 - i])
        return expression.apply(Function::Silu, *x);
    if (root.arguments[0] == root.arguments[1])
      return expression.apply(Function::Square, root.arguments[0]);
    if (auto x = matchGelu(match, value))
      return expression.apply(Function::Gelu, *x);
  }
  if (auto x = match.withConstant(value, Function::Max, 0))
    return expression.apply(Function::Relu, *x);
  return value;
}
