//===- RecognizeFunction.cpp - Functions that engines have as one ---------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Lower/ExpressionBuilder.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <array>
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
  /// x of max(x, 0) + softplus(-|x|), which is softplus without overflow.
  std::optional<unsigned> stableSoftplus(unsigned number) const {
    if (!values[number].is(Function::Add))
      return std::nullopt;
    for (unsigned i : {0, 1}) {
      auto x = argumentOf(values[number].arguments[i], Function::Relu);
      auto power =
          argumentOf(values[number].arguments[1 - i], Function::Softplus);
      auto size =
          power ? withConstant(*power, Function::Mul, -1) : std::nullopt;
      if (x && size && argumentOf(*size, Function::Abs) == x)
        return x;
    }
    return std::nullopt;
  }

private:
  const std::vector<planning::Value> &values;
};
} // namespace

//===----------------------------------------------------------------------===//
// GELU
//===----------------------------------------------------------------------===//

namespace {
/// A polynomial of x, and of t to the first power.
struct Polynomial {
  static constexpr unsigned maxDegree = 3;
  /// By powers of x and of t.
  std::array<std::array<double, 2>, maxDegree + 1> of = {};

  /// Nothing where the degree would be higher.
  friend std::optional<Polynomial> operator*(const Polynomial &a,
                                             const Polynomial &b) {
    Polynomial product;
    for (unsigned i = 0; i <= maxDegree; ++i)
      for (unsigned j = 0; j <= maxDegree; ++j)
        for (unsigned t : {0, 1})
          for (unsigned u : {0, 1}) {
            double term = a.of[i][t] * b.of[j][u];
            if (term == 0)
              continue;
            if (i + j > maxDegree || t + u > 1)
              return std::nullopt;
            product.of[i + j][t + u] += term;
          }
    return product;
  }
  /// `a` + `factor` * `b`.
  static Polynomial add(Polynomial a, double factor, const Polynomial &b) {
    for (unsigned i = 0; i <= maxDegree; ++i)
      for (unsigned t : {0, 1})
        a.of[i][t] += factor * b.of[i][t];
    return a;
  }
};

/// Reads values as polynomials of two of them, in whatever order sums and
/// products are written.
class PolynomialReader {
public:
  using Result = std::optional<Polynomial>;

  PolynomialReader(const Expression &expression, unsigned x,
                   std::optional<unsigned> t = std::nullopt)
      : values(expression.values), x(x), t(t) {}

  Result read(unsigned number) {
    auto [it, isNew] = known.try_emplace(number);
    // What is read in the meantime moves entries.
    return isNew ? known[number] = compute(number) : it->second;
  }
  /// The arguments of a value that this reads, none of others.
  static ArrayRef<unsigned> partsOf(const planning::Value &value) {
    bool isRead =
        llvm::any_of(ArrayRef({Function::Add, Function::Sub, Function::Mul,
                               Function::Div, Function::Square}),
                     [&](Function function) { return value.is(function); });
    return isRead ? ArrayRef<unsigned>(value.arguments) : ArrayRef<unsigned>();
  }

private:
  Result compute(unsigned number) {
    const planning::Value &value = values[number];
    Polynomial own;
    if (number == x)
      own.of[1][0] = 1;
    else if (number == t)
      own.of[0][1] = 1;
    else if (value.kind == planning::Value::Kind::Constant)
      own.of[0][0] = value.constant;
    else
      return combine(value);
    return own;
  }
  Result combine(const planning::Value &value) {
    ArrayRef<unsigned> parts = partsOf(value);
    if (parts.empty())
      return std::nullopt;
    const planning::Value &last = values[parts.back()];
    Result a = read(parts.front());
    Result b = a ? read(parts.back()) : std::nullopt;
    if (!b)
      return std::nullopt;
    if (value.function == Function::Add || value.function == Function::Sub)
      return Polynomial::add(*a, value.function == Function::Add ? 1 : -1, *b);
    if (value.function != Function::Div)
      return *a * *b;
    if (last.kind != planning::Value::Kind::Constant || last.constant == 0)
      return std::nullopt;
    return Polynomial::add({}, 1.0 / last.constant, *a);
  }

  const std::vector<planning::Value> &values;
  unsigned x;
  std::optional<unsigned> t;
  llvm::SmallDenseMap<unsigned, Result> known;
};
} // namespace

/// Some values that sums and products below `root` are made of, the nearest
/// first; a function of few values has no others.
static SmallVector<unsigned> collectParts(const Expression &expression,
                                          unsigned root) {
  constexpr size_t most = 16;
  llvm::SmallSetVector<unsigned, most> parts;
  parts.insert(root);
  for (size_t i = 0; i < parts.size() && parts.size() < most; ++i)
    parts.insert_range(PolynomialReader::partsOf(expression.values[parts[i]]));
  return parts.takeVector();
}

/// How much a constant of a function may differ from its value, relative to it:
/// by a rounding to the type of the result, as where all is computed in it.
static double toleranceOf(ElementType precision) {
  switch (precision) {
  case ElementType::BF16:
    return 0x1p-9;
  case ElementType::F16:
    return 0x1p-12;
  default:
    return 1e-6;
  }
}

/// Whether `number` is `first` * (x + `ratio` * x^3).
static bool isOddCubic(std::optional<Polynomial> number, double first,
                       double ratio, double tolerance) {
  if (!number)
    return false;
  auto [zeroth, own, second, third] = std::tuple(
      number->of[0][0], number->of[1][0], number->of[2][0], number->of[3][0]);
  return zeroth == 0 && second == 0 &&
         std::abs(own - first) <= tolerance * first &&
         std::abs(third - own * ratio) <= tolerance * own * ratio;
}

/// Gelu of either kind if `value` is x/2 + x/2 * t, of which t is erf(x /
/// sqrt(2)) or tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)).
static std::optional<std::pair<Function, unsigned>>
matchGelu(const Expression &expression, unsigned value, ElementType precision) {
  double tolerance = toleranceOf(precision);
  for (unsigned t : collectParts(expression, value)) {
    const planning::Value &bend = expression.values[t];
    bool isErf = bend.is(Function::Erf);
    if (!isErf && !bend.is(Function::Tanh))
      continue;
    double first = isErf ? std::sqrt(0.5) : std::sqrt(2 / llvm::numbers::pi);
    for (unsigned x : collectParts(expression, bend.arguments[0])) {
      if (!isOddCubic(PolynomialReader(expression, x).read(bend.arguments[0]),
                      first, isErf ? 0 : 0.044715, tolerance))
        continue;
      auto whole = PolynomialReader(expression, x, t).read(value);
      Polynomial gelu;
      gelu.of[1][0] = gelu.of[1][1] = 0.5;
      if (whole &&
          std::equal(&whole->of[0][0], &whole->of[Polynomial::maxDegree][1] + 1,
                     &gelu.of[0][0]))
        return std::pair(isErf ? Function::Gelu : Function::GeluApprxTanh, x);
    }
  }
  return std::nullopt;
}

unsigned mlir::trn::recognizeFunction(Expression &expression, unsigned value,
                                      ElementType precision) {
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
    for (unsigned i : {0, 1})
      if (auto bend = match.argumentOf(root.arguments[i], Function::Tanh);
          bend &&
          match.argumentOf(*bend, Function::Softplus) == root.arguments[1 - i])
        return expression.apply(Function::Mish, root.arguments[1 - i]);
  }
  if (root.is(Function::Log))
    if (auto power = match.withConstant(root.arguments[0], Function::Add, 1))
      if (auto x = match.argumentOf(*power, Function::Exp))
        return expression.apply(Function::Softplus, *x);
  if (auto x = match.stableSoftplus(value))
    return expression.apply(Function::Softplus, *x);
  if (root.is(Function::Mul) || root.is(Function::Add))
    if (auto gelu = matchGelu(expression, value, precision))
      return expression.apply(gelu->first, gelu->second);
  if (auto x = match.withConstant(value, Function::Max, 0))
    return expression.apply(Function::Relu, *x);
  return value;
}
