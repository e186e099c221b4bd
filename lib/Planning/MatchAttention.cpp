//===- MatchAttention.cpp - Softmax between two products ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchAttention.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir::trn;
using namespace mlir::trn::planning;
using Kind = Value::Kind;

/// What a step multiplies by.
static float factorOf(const Value &step) {
  return step.function == Function::Mul   ? step.constant
         : step.function == Function::Div ? 1 / step.constant
                                          : 1;
}

namespace {
class AttentionMatcher {
public:
  explicit AttentionMatcher(const Graph &graph) : graph(graph) {}

  /// The one whose shares of the sum stage `number` computes, if it does.
  std::optional<Attention> match(unsigned number);

private:
  const Stage &stage(unsigned number) const { return graph.stages[number]; }
  const Matrix &resultOf(unsigned number) const {
    return graph.matrices[stage(number).result];
  }
  /// The stage that computes an intermediate that so many stages read.
  std::optional<unsigned> find(unsigned matrix, unsigned readers) const;
  std::optional<unsigned> findReader(unsigned matrix, unsigned after) const;
  std::optional<unsigned> findSums(const Stage &divisors) const;
  bool matchPowers(Attention &found) const;
  bool matchShifted(Attention &found) const;
  bool matchMasked(Attention &found, const Stage &stage, unsigned number) const;
  bool matchMask(Attention &found, unsigned matrix, bool isSum) const;
  bool matchValues(Attention &found) const;

  const Graph &graph;
};
} // namespace

std::optional<unsigned> AttentionMatcher::find(unsigned matrix,
                                               unsigned readers) const {
  if (graph.matrices[matrix].role != Role::Intermediate)
    return std::nullopt;
  std::optional<unsigned> writer;
  for (auto [number, stage] : llvm::enumerate(graph.stages)) {
    readers -= llvm::is_contained(stage.operands(), matrix);
    if (stage.result == matrix)
      writer = number;
  }
  return readers == 0 ? writer : std::nullopt;
}

std::optional<unsigned> AttentionMatcher::findReader(unsigned matrix,
                                                     unsigned after) const {
  for (unsigned number = after + 1; number < graph.stages.size(); ++number)
    if (llvm::is_contained(stage(number).operands(), matrix))
      return number;
  return std::nullopt;
}

/// The stage of what `divisors`, a stage, computes element by element.
std::optional<unsigned>
AttentionMatcher::findSums(const Stage &divisors) const {
  auto read = divisors.expression.matrices();
  bool isAlone = divisors.terms.empty() && !divisors.source && read.size() == 1;
  return isAlone ? find(read.front(), /*readers=*/1) : std::nullopt;
}

/// The value whose multiple by a constant value `number` is, and the constant.
static std::pair<unsigned, float> matchScaled(const Expression &expression,
                                              unsigned number) {
  const Value &value = expression.values[number];
  if (value.is(Function::Mul))
    for (unsigned i : {0, 1})
      if (const auto &other = expression.values[value.arguments[i]];
          other.kind == Kind::Constant)
        return {value.arguments[1 - i], other.constant};
  return {number, 1};
}

/// `s * scale - a * scale`, where a are the maxima of s, or a multiple of that.
bool AttentionMatcher::matchShifted(Attention &found) const {
  const Expression &expression = stage(found.powers).expression;
  unsigned exponent = expression.values.back().arguments[0];
  auto [difference, times] = matchScaled(expression, exponent);
  const Value &exponents = expression.values[difference];
  if (exponents.kind != Kind::Apply || exponents.function != Function::Sub)
    return false;
  auto [scores, scale] = matchScaled(expression, exponents.arguments[0]);
  auto [maxima, other] = matchScaled(expression, exponents.arguments[1]);
  const Value &score = expression.values[scores];
  const Value &maximum = expression.values[maxima];
  if (score.kind != Kind::Matrix || maximum.kind != Kind::Matrix ||
      other != scale || !(scale > 0) || !(times > 0) ||
      (times != 1 && (exponents.type != ElementType::F32 ||
                      expression.values[exponent].type != ElementType::F32)))
    return false;
  found.scale = scale * times;
  found.differences = exponents.type;
  found.scores = find(score.number, /*readers=*/2);
  found.maxima = find(maximum.number, /*readers=*/1);
  if (!found.scores || !found.maxima)
    return false;
  const Stage &max = stage(*found.maxima);
  return max.reducesAll() && max.reduction->function == Function::Max &&
         max.reduction->over == found.keys &&
         max.expression.values.size() == 1 &&
         max.expression.matrices() == llvm::ArrayRef(score.number) &&
         resultOf(*found.maxima).has(found.queries);
}

/// A mask that is a band, which is added or is a limit.
bool AttentionMatcher::matchMask(Attention &found, unsigned matrix,
                                 bool isSum) const {
  const Matrix &mask = graph.matrices[matrix];
  if (found.mask || !mask.band || mask.band->period ||
      mask.rows != found.queries || mask.columns != found.keys ||
      (mask.band->inside == 0) != isSum)
    return false;
  found.mask = matrix;
  return true;
}

/// The value that `value` scales or rounds, and how; none if it does something
/// else.
static std::optional<std::pair<unsigned, Value>>
matchStep(const Expression &expression, const Value &value) {
  Value step{Kind::Apply, 0, 1, value.function, {}, value.type};
  if (value.function == Function::Copy)
    return std::pair(unsigned(value.arguments[0]), step);
  if (value.function != Function::Mul && value.function != Function::Div)
    return std::nullopt;
  for (unsigned i : {1, 0})
    if (const Value &other = expression.values[value.arguments[i]];
        other.kind == Kind::Constant && other.constant > 0 &&
        (i == 1 || value.function == Function::Mul)) {
      step.constant = other.constant;
      return std::pair(unsigned(value.arguments[1 - i]), step);
    }
  return std::nullopt;
}

/// Whether bf16 holds the multiples of its numbers by `factor`.
static bool isPowerOfTwo(float factor) {
  int exponent = 0;
  return std::frexp(factor, &exponent) == 0.5f;
}

/// Keeps what of `steps`, the last one first, comes before the last rounding.
/// Others scale the exponents, and so do powers of two.
static bool keepRounded(Attention &found, std::vector<Value> steps) {
  std::reverse(steps.begin(), steps.end());
  auto isRounded = [](const Value &step) {
    return step.type != ElementType::F32;
  };
  while (!steps.empty()) {
    Value &last = steps.back();
    bool isExact = isPowerOfTwo(factorOf(last));
    if (isRounded(last) && !isExact)
      break;
    found.scale *= factorOf(last);
    bool isKept = isRounded(last) &&
                  (steps.size() == 1 || !isRounded(steps[steps.size() - 2]));
    if (isKept) {
      last.function = Function::Copy;
      break;
    }
    steps.pop_back();
  }
  found.steps = std::move(steps);
  return llvm::all_of(found.steps, [&](const Value &step) {
    return !isRounded(step) || step.type == ElementType::BF16;
  });
}

/// The sum of a product in bf16, value `number` of `stage`, which is scaled,
/// rounded and masked by a band, or not.
bool AttentionMatcher::matchMasked(Attention &found, const Stage &stage,
                                   unsigned number) const {
  auto isWide = [&](const Term &term) {
    return graph.matrices[term.left].type != ElementType::BF16;
  };
  if (stage.reduction || stage.numProducts() != 1 ||
      llvm::any_of(stage.terms, isWide))
    return false;
  const auto &values = stage.expression.values;
  std::vector<Value> steps; // the last one first
  if (values.empty())
    steps.push_back({Kind::Apply,
                     0,
                     1,
                     Function::Copy,
                     {},
                     graph.matrices[stage.result].type});
  while (!values.empty() && values[number].kind != Kind::Sum) {
    const Value &value = values[number];
    if (value.kind != Kind::Apply)
      return false;
    if (auto step = matchStep(stage.expression, value)) {
      steps.push_back(step->second);
      number = step->first;
      continue;
    }
    bool isSum = value.function == Function::Add;
    if (!isSum && value.function != Function::Min)
      return false;
    unsigned which = values[value.arguments[0]].kind == Kind::Matrix ? 0 : 1;
    const Value &mask = values[value.arguments[which]];
    if (mask.kind != Kind::Matrix || !matchMask(found, mask.number, isSum))
      return false;
    // What is hidden stays the least, however it is rounded.
    steps.push_back({Kind::Apply, 0, 1, Function::Copy, {}, value.type});
    number = value.arguments[1 - which];
  }
  if (!keepRounded(found, std::move(steps)))
    return false;
  // Powers of two move behind the rounding of differences.
  return found.scale > 0 &&
         (found.differences == ElementType::F32 ||
          (!found.steps.empty() && isPowerOfTwo(found.scale)));
}

/// Exponentials of scores, less their maxima or not.
bool AttentionMatcher::matchPowers(Attention &found) const {
  const Stage &powers = stage(found.powers);
  const auto &values = powers.expression.values;
  if (powers.reduction || values.empty() ||
      values.back().function != Function::Exp ||
      values.back().type == ElementType::F16)
    return false;
  if (!powers.terms.empty())
    return matchMasked(found, powers, values.back().arguments[0]);
  if (!matchShifted(found))
    return false;
  const Stage &scores = stage(*found.scores);
  return matchMasked(found, scores, scores.expression.values.size() - 1);
}

/// A product that has a sum of its own.
bool AttentionMatcher::matchValues(Attention &found) const {
  unsigned shares = stage(found.shares).result;
  const Stage &values = stage(found.values);
  const Term *term = values.productOf(shares);
  return term && term->over == found.keys && term->left != term->right &&
         !values.reduction &&
         llvm::count_if(
             values.terms,
             [&](const Term &other) { return other.sum == term->sum; }) == 1 &&
         !llvm::is_contained(values.expression.matrices(), shares);
}

std::optional<Attention> AttentionMatcher::match(unsigned number) {
  const Stage &shares = stage(number);
  const auto &values = shares.expression.values;
  const Matrix &result = graph.matrices[shares.result];
  if (!shares.terms.empty() || shares.reduction || values.size() != 3 ||
      values[0].kind != Kind::Matrix || values[1].kind != Kind::Matrix ||
      values[2].function != Function::Div || values[2].arguments[0] != 0 ||
      result.type != ElementType::BF16)
    return std::nullopt;
  Attention found;
  auto powers = find(values[0].number, /*readers=*/2);
  auto sums = find(values[1].number, /*readers=*/1);
  if (sums && !stage(*sums).reduction) {
    found.divisors = sums;
    sums = findSums(stage(*sums));
  }
  auto reader = findReader(shares.result, number);
  if (!powers || !sums || !reader || !find(shares.result, /*readers=*/1))
    return std::nullopt;
  found.powers = *powers;
  found.sums = *sums;
  found.shares = number;
  found.values = *reader;
  const Stage &sum = stage(*sums);
  if (!sum.reducesAll() || sum.reduction->function != Function::Add ||
      sum.expression.values.size() != 1 ||
      sum.expression.matrices() != llvm::ArrayRef(values[0].number))
    return std::nullopt;
  found.keys = sum.reduction->over;
  found.queries = result.otherDim(found.keys);
  if (!result.has(found.keys) || !matchPowers(found) || !matchValues(found))
    return std::nullopt;
  return found;
}

std::optional<Attention> planning::matchAttention(const Graph &graph,
                                                  unsigned number) {
  return AttentionMatcher(graph).match(number);
}
