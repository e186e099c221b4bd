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
  unsigned scores = 0, maxima = 0, powers = 0, sums = 0, shares = 0, values = 0;
  std::optional<unsigned> mask = std::nullopt;
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
  bool matchPowers(Attention &found) const;
  bool matchScores(Attention &found) const;
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

/// The matrix that value `number` is, times a constant, which becomes `scale`.
static std::optional<unsigned> matchScaled(const Expression &expression,
                                           unsigned number, float &scale) {
  const Value *value = &expression.values[number];
  scale = 1;
  if (value->is(Function::Mul))
    for (unsigned i : {0, 1})
      if (const auto &other = expression.values[value->arguments[i]];
          other.kind == Kind::Constant) {
        scale = other.constant;
        value = &expression.values[value->arguments[1 - i]];
        break;
      }
  return value->kind == Kind::Matrix ? std::optional(value->number)
                                     : std::nullopt;
}

/// `exp(s * scale - a * scale)`, where a are the maxima of s.
bool AttentionMatcher::matchPowers(Attention &found) const {
  const Stage &powers = stage(found.powers);
  const auto &values = powers.expression.values;
  if (!powers.terms.empty() || powers.reduction || values.empty() ||
      !values.back().is(Function::Exp))
    return false;
  const Value &shifted = values[values.back().arguments[0]];
  if (!shifted.is(Function::Sub))
    return false;
  float other;
  auto scores =
      matchScaled(powers.expression, shifted.arguments[0], found.scale);
  auto maxima = matchScaled(powers.expression, shifted.arguments[1], other);
  if (!scores || !maxima || other != found.scale || !(other > 0))
    return false;
  auto scoreStage = find(*scores, /*readers=*/2);
  auto maximumStage = find(*maxima, /*readers=*/1);
  if (!scoreStage || !maximumStage)
    return false;
  found.scores = *scoreStage;
  found.maxima = *maximumStage;
  const Stage &maximum = stage(found.maxima);
  return maximum.reducesAll() && maximum.reduction->function == Function::Max &&
         maximum.reduction->over == found.keys &&
         maximum.expression.values.size() == 1 &&
         maximum.expression.matrices() == llvm::ArrayRef(*scores) &&
         resultOf(found.maxima).has(found.queries);
}

/// A product in bf16, beside a mask that is a band.
bool AttentionMatcher::matchScores(Attention &found) const {
  const Stage &scores = stage(found.scores);
  auto isWide = [&](const Term &term) {
    return graph.matrices[term.left].type != ElementType::BF16;
  };
  if (scores.reduction || scores.numProducts() != 1 ||
      llvm::any_of(scores.terms, isWide) ||
      resultOf(found.scores).type != ElementType::F32)
    return false;
  const auto &values = scores.expression.values;
  if (values.empty())
    return true;
  const Value &last = values.back();
  auto masks = scores.expression.matrices();
  if (values.size() != 3 || masks.size() != 1 ||
      !(last.is(Function::Min) || last.is(Function::Add)))
    return false;
  const Matrix &mask = graph.matrices[masks.front()];
  if (!mask.band || mask.band->period || mask.rows != found.queries ||
      mask.columns != found.keys ||
      (mask.band->inside == 0) != last.is(Function::Add))
    return false;
  found.mask = masks.front();
  return true;
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
  auto powers = find(values[0].number, /*readers=*/2);
  auto sums = find(values[1].number, /*readers=*/1);
  auto reader = findReader(shares.result, number);
  if (!powers || !sums || !reader || !find(shares.result, /*readers=*/1))
    return std::nullopt;
  Attention found;
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
  if (!result.has(found.keys) || !matchPowers(found) || !matchScores(found) ||
      !matchValues(found))
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

/// The sum of `stage` that has `term` is divided by that of exponentials.
static void divideSum(Graph &graph, Stage &stage, const Attention &found,
                      unsigned powers, unsigned ones) {
  unsigned shares = graph.stages[found.shares].result;
  const Matrix result = graph.matrices[stage.result];
  Term &term = *llvm::find_if(stage.terms, [&](const Term &term) {
    return term.left == shares || term.right == shares;
  });
  bool isLeft = term.left == shares;
  (isLeft ? term.left : term.right) = powers;
  // A sum of one column is for rows that do not become columns.
  unsigned one =
      graph.matrices[graph.stages[found.maxima].result].otherDim(found.queries);
  bool isColumn = result.role == Role::Result && result.rows == found.queries;
  makeConstant(graph, ones, "ones", found.keys,
               isColumn ? one : result.otherDim(found.queries));
  graph.matrices[ones].constant = 1;
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
      number = scaled.apply(Function::Div, {number, scaled.addSum(sum)});
    numbers.push_back(number);
  }
  stage.expression = scaled.canonical(numbers.back(), result.type, sums);
  for (Term &own : stage.terms)
    own.sum = llvm::find(sums, own.sum) - sums.begin();
}

static void turn(TurnedGraph &turned, const Attention &found) {
  Graph &graph = turned.graph;
  Stage &scores = graph.stages[found.scores];
  Stage &maxima = graph.stages[found.maxima];
  Stage &powers = graph.stages[found.powers];
  // Constants take the places of matrices that are no more.
  unsigned minus = scores.result, mask = graph.stages[found.shares].result,
           ones = graph.stages[found.sums].result;
  unsigned keys = found.keys, queries = found.queries;
  unsigned one = graph.matrices[maxima.result].otherDim(queries);
  divideSum(graph, graph.stages[found.values], found, powers.result, ones);
  makeConstant(graph, minus, "minus", one, keys);
  graph.matrices[minus].constant = -1;
  if (found.mask) {
    Band band = *graph.matrices[*found.mask].band;
    band.inside = 0;
    makeConstant(graph, mask, "mask", queries, keys);
    graph.matrices[mask].band = band;
    turned.origins[mask] = *found.mask;
  }

  maxima.terms = scores.terms;
  for (Term &term : maxima.terms)
    term = orient(graph, queries, term);
  maxima.expression = {};
  addMasked(maxima.expression, found, mask);
  graph.matrices[maxima.result].type = ElementType::BF16;

  Matrix &probabilities = graph.matrices[powers.result];
  powers.terms = scores.terms;
  powers.terms.push_back({maxima.result, minus, one, 0});
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

  llvm::SmallVector<unsigned> gone{found.scores, found.sums, found.shares};
  llvm::sort(gone, std::greater<>());
  for (unsigned number : gone)
    graph.stages.erase(graph.stages.begin() + number);
  if (!found.mask)
    eraseMatrix(turned, mask);
}

std::optional<TurnedGraph> planning::turnSoftmax(const Graph &source) {
  TurnedGraph turned{
      source, llvm::to_vector(llvm::seq<unsigned>(0, source.matrices.size()))};
  bool isTurned = false;
  for (unsigned number = 0; number < turned.graph.stages.size(); ++number)
    if (auto found = AttentionMatcher(turned.graph).match(number)) {
      turn(turned, *found);
      number = found->scores;
      isTurned = true;
    }
  return isTurned ? std::optional(std::move(turned)) : std::nullopt;
}

bool planning::isTurned(const Graph &graph) {
  return llvm::any_of(graph.matrices, [](const Matrix &matrix) {
    return matrix.role == Role::Constant;
  });
}
