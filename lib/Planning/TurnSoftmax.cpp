//===- TurnSoftmax.cpp - Attention with keys on the partitions ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/TurnSoftmax.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using Kind = Value::Kind;

namespace {
/// The stages of one attention, by number, and what there is to know of them.
struct Attention {
  unsigned powers = 0, sums = 0, shares = 0, values = 0;
  /// Without maxima the stage of exponentials computes the scores, too.
  std::optional<unsigned> scores = std::nullopt, maxima = std::nullopt;
  std::optional<unsigned> mask = std::nullopt;
  /// What computes the divisors of each sum, if that is not divided by.
  std::optional<unsigned> divisors = std::nullopt;
  float scale = 1;
  unsigned queries = 0, keys = 0; // dims
};

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

/// `s * scale - a * scale`, where a are the maxima of s.
bool AttentionMatcher::matchShifted(Attention &found) const {
  const Expression &expression = stage(found.powers).expression;
  const Value &exponents =
      expression.values[expression.values.back().arguments[0]];
  if (!exponents.is(Function::Sub))
    return false;
  auto [scores, scale] = matchScaled(expression, exponents.arguments[0]);
  auto [maxima, other] = matchScaled(expression, exponents.arguments[1]);
  const Value &score = expression.values[scores];
  const Value &maximum = expression.values[maxima];
  if (score.kind != Kind::Matrix || maximum.kind != Kind::Matrix ||
      other != scale || !(scale > 0))
    return false;
  found.scale = scale;
  found.scores = find(score.number, /*readers=*/2);
  found.maxima = find(maximum.number, /*readers=*/1);
  if (!found.scores || !found.maxima)
    return false;
  const Stage &max = stage(*found.maxima);
  return max.reducesAll() && max.reduction->function == Function::Max &&
         max.reduction->over == found.keys &&
         max.expression.values.size() == 1 &&
         max.expression.matrices() == llvm::ArrayRef(score.number) &&
         resultOf(*found.maxima).has(found.queries) &&
         resultOf(*found.scores).type == ElementType::F32;
}

/// The sum of a product in bf16, value `number` of `stage`, beside a mask that
/// is a band, times a constant if there are no maxima.
bool AttentionMatcher::matchMasked(Attention &found, const Stage &stage,
                                   unsigned number) const {
  auto isWide = [&](const Term &term) {
    return graph.matrices[term.left].type != ElementType::BF16;
  };
  if (stage.reduction || stage.numProducts() != 1 ||
      llvm::any_of(stage.terms, isWide))
    return false;
  const Expression &expression = stage.expression;
  if (expression.values.empty())
    return true;
  auto scale = [&](unsigned scaled) {
    if (found.maxima)
      return scaled;
    auto [value, factor] = matchScaled(expression, scaled);
    found.scale *= factor;
    return value;
  };
  const Value *value = &expression.values[number = scale(number)];
  if (value->is(Function::Min) || value->is(Function::Add)) {
    bool isSum = value->is(Function::Add);
    auto isMask = [&](unsigned i) {
      return expression.values[i].kind == Kind::Matrix;
    };
    unsigned which = isMask(value->arguments[0]) ? 0 : 1;
    if (!isMask(value->arguments[which]))
      return false;
    found.mask = expression.values[value->arguments[which]].number;
    const Matrix &mask = graph.matrices[*found.mask];
    if (!mask.band || mask.band->period || mask.rows != found.queries ||
        mask.columns != found.keys || (mask.band->inside == 0) != isSum)
      return false;
    value = &expression.values[scale(value->arguments[1 - which])];
  }
  return value->kind == Kind::Sum && found.scale > 0;
}

/// Exponentials of scores, less their maxima or not.
bool AttentionMatcher::matchPowers(Attention &found) const {
  const Stage &powers = stage(found.powers);
  const auto &values = powers.expression.values;
  if (powers.reduction || values.empty() || !values.back().is(Function::Exp))
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

//===----------------------------------------------------------------------===//
// Turning
//===----------------------------------------------------------------------===//

/// Makes `matrix`, which is no more, a constant.
static void makeConstant(Graph &graph, unsigned matrix, llvm::StringRef name,
                         unsigned rows, unsigned columns) {
  std::string unique = name.str();
  for (unsigned count = 2;
       llvm::any_of(graph.matrices,
                    [&](const Matrix &other) { return other.name == unique; });
       ++count)
    unique = name.str() + std::to_string(count);
  graph.matrices[matrix] = {unique, rows, columns, ElementType::BF16,
                            Role::Constant};
}

/// Takes out a matrix that nothing uses.
static void eraseMatrix(TurnedGraph &turned, unsigned matrix) {
  Graph &graph = turned.graph;
  graph.matrices.erase(graph.matrices.begin() + matrix);
  turned.origins.erase(turned.origins.begin() + matrix);
  auto renumber = [&](unsigned &number) { number -= number > matrix; };
  for (Stage &stage : graph.stages) {
    renumber(stage.result);
    if (stage.source)
      renumber(*stage.source);
    for (Term &term : stage.terms) {
      renumber(term.left);
      renumber(term.right);
    }
    for (Value &value : stage.expression.values)
      if (value.kind == Kind::Matrix)
        renumber(value.number);
  }
}

/// Of rows of `rows`: the factor that has these is the left one.
static Term orient(const Graph &graph, unsigned rows, Term term) {
  if (!graph.matrices[term.left].has(rows))
    std::swap(term.left, term.right);
  return term;
}

/// `sum`, of which a mask hides some.
static unsigned addMasked(Expression &expression, const Attention &found,
                          unsigned mask) {
  unsigned sum = expression.addSum(0);
  return found.mask ? expression.apply(Function::Add,
                                       {sum, expression.addMatrix(mask)})
                    : sum;
}

/// What sum `sum` is divided by: itself, or `divisors` of it.
static unsigned addDivisor(Expression &expression, const Expression &divisors,
                           unsigned sum) {
  if (divisors.values.empty())
    return expression.addSum(sum);
  llvm::SmallVector<unsigned> numbers;
  for (Value value : divisors.values) {
    for (unsigned &argument : value.arguments)
      argument = numbers[argument];
    numbers.push_back(value.kind == Kind::Matrix ? expression.addSum(sum)
                                                 : expression.add(value));
  }
  return numbers.back();
}

/// The sum of `stage` that has `term` is divided by that of exponentials.
static void divideSum(Graph &graph, Stage &stage, const Attention &found,
                      unsigned powers, unsigned ones, unsigned one) {
  unsigned shares = graph.stages[found.shares].result;
  const Matrix result = graph.matrices[stage.result];
  Term &term = *llvm::find_if(stage.terms, [&](const Term &term) {
    return term.left == shares || term.right == shares;
  });
  bool isLeft = term.left == shares;
  (isLeft ? term.left : term.right) = powers;
  // A sum of one column is for rows that do not become columns.
  bool isColumn = result.role == Role::Result && result.rows == found.queries;
  makeConstant(graph, ones, "ones", found.keys,
               isColumn ? one : result.otherDim(found.queries));
  graph.matrices[ones].constant = 1;
  const Expression divisors =
      found.divisors ? graph.stages[*found.divisors].expression : Expression();
  unsigned divided = term.sum, sum = stage.numProducts();
  Term other{powers, ones, found.keys, sum};
  if (!isLeft)
    std::swap(other.left, other.right);
  stage.terms.push_back(other);
  Expression old = std::move(stage.expression), scaled;
  if (old.isPlain())
    old.addSum(0);
  llvm::SmallVector<unsigned> numbers, sums;
  for (Value value : old.values) {
    for (unsigned &argument : value.arguments)
      argument = numbers[argument];
    unsigned number = scaled.add(value);
    if (value.kind == Kind::Sum && value.number == divided)
      number = scaled.apply(Function::Div,
                            {number, addDivisor(scaled, divisors, sum)});
    numbers.push_back(number);
  }
  stage.expression = scaled.canonical(numbers.back(), result.type, sums);
  for (Term &own : stage.terms)
    own.sum = llvm::find(sums, own.sum) - sums.begin();
}

/// Maxima of masked scores, from products of their own.
static void computeMaxima(Graph &graph, const Attention &found, unsigned mask) {
  Stage &maxima = graph.stages[*found.maxima];
  maxima.terms = graph.stages[*found.scores].terms;
  for (Term &term : maxima.terms)
    term = orient(graph, found.queries, term);
  maxima.expression = {};
  addMasked(maxima.expression, found, mask);
  graph.matrices[maxima.result].type = ElementType::BF16;
}

static void turn(TurnedGraph &turned, const Attention &found) {
  Graph &graph = turned.graph;
  Stage &powers = graph.stages[found.powers];
  // Constants take the places of matrices that are no more.
  unsigned mask = graph.stages[found.shares].result,
           ones = graph.stages[found.sums].result;
  unsigned keys = found.keys, queries = found.queries;
  unsigned one = graph.matrices[ones].otherDim(queries);
  divideSum(graph, graph.stages[found.values], found, powers.result, ones, one);
  llvm::SmallVector<unsigned> gone{found.sums, found.shares}, unused;
  if (found.divisors) {
    gone.push_back(*found.divisors);
    unused.push_back(graph.stages[*found.divisors].result);
  }
  if (found.mask) {
    Band band = *graph.matrices[*found.mask].band;
    band.inside = 0;
    makeConstant(graph, mask, "mask", queries, keys);
    graph.matrices[mask].band = band;
    turned.origins[mask] = *found.mask;
  } else {
    unused.push_back(mask);
  }
  if (found.maxima) {
    const Stage &scores = graph.stages[*found.scores];
    powers.terms = scores.terms;
    computeMaxima(graph, found, mask);
    makeConstant(graph, scores.result, "minus", one, keys);
    graph.matrices[scores.result].constant = -1;
    powers.terms.push_back(
        {graph.stages[*found.maxima].result, scores.result, one, 0});
    gone.push_back(*found.scores);
  }

  Matrix &probabilities = graph.matrices[powers.result];
  for (Term &term : powers.terms)
    term = orient(graph, probabilities.rows, term);
  Expression exponentials;
  unsigned root = addMasked(exponentials, found, mask);
  if (found.scale != 1)
    root = exponentials.apply(Function::Mul,
                              {root, exponentials.addConstant(found.scale)});
  root = exponentials.apply(Function::Exp, root);
  llvm::SmallVector<unsigned> sums;
  powers.expression = exponentials.canonical(root, ElementType::BF16, sums);
  probabilities.type = ElementType::BF16;

  llvm::sort(gone, std::greater<>());
  for (unsigned number : gone)
    graph.stages.erase(graph.stages.begin() + number);
  llvm::sort(unused, std::greater<>());
  for (unsigned matrix : unused)
    eraseMatrix(turned, matrix);
}

std::optional<TurnedGraph> planning::turnSoftmax(const Graph &source) {
  TurnedGraph turned{
      source, llvm::to_vector(llvm::seq<unsigned>(0, source.matrices.size()))};
  bool isTurned = false;
  for (unsigned number = 0; number < turned.graph.stages.size(); ++number)
    if (auto found = AttentionMatcher(turned.graph).match(number)) {
      turn(turned, *found);
      number = found->scores.value_or(found->powers);
      isTurned = true;
    }
  return isTurned ? std::optional(std::move(turned)) : std::nullopt;
}

bool planning::isTurned(const Graph &graph) {
  return llvm::any_of(graph.matrices, [](const Matrix &matrix) {
    return matrix.role == Role::Constant;
  });
}
