//===- TurnSoftmax.cpp - Attention with keys on the partitions ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/TurnSoftmax.h"

#include "MatchAttention.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using Kind = Value::Kind;

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

/// Adds a step from a sum to a score, which computes `type`.
static unsigned addStep(Expression &expression, unsigned value,
                        const Value &step, ElementType type) {
  llvm::SmallVector<unsigned, 2> arguments{value};
  if (step.function != Function::Copy)
    arguments.push_back(expression.addConstant(step.constant));
  return step.function == Function::Copy && type == ElementType::F32
             ? value
             : expression.apply(step.function, arguments, type);
}

/// `value` times the scale of exponents.
static unsigned addScaled(Expression &expression, unsigned value,
                          const Attention &found) {
  return found.scale == 1
             ? value
             : expression.apply(Function::Mul,
                                {value, expression.addConstant(found.scale)});
}

//===----------------------------------------------------------------------===//
// Keys on the partitions
//===----------------------------------------------------------------------===//

/// Scores less their maxima, which another term subtracts, or rounded scores.
static unsigned addExponent(Expression &expression, const Attention &found,
                            unsigned mask) {
  if (found.steps.empty())
    return addMasked(expression, found, mask);
  unsigned root = expression.addSum(0);
  for (const Value &step : found.steps)
    root = addStep(expression, root, step, step.type);
  return found.mask ? expression.apply(Function::Add,
                                       {root, expression.addMatrix(mask)})
                    : root;
}

/// Computes exponentials with keys as rows, by products of their own. `mask` is
/// a matrix that is no more, and so is that of the scores.
static void turnPowers(TurnedGraph &turned, const Attention &found,
                       unsigned mask, unsigned one) {
  Graph &graph = turned.graph;
  Stage &powers = graph.stages[found.powers];
  if (found.mask) {
    Band band = *graph.matrices[*found.mask].band;
    band.inside = 0;
    makeConstant(graph, mask, "mask", found.queries, found.keys);
    graph.matrices[mask].band = band;
    turned.origins[mask] = *found.mask;
  }
  if (found.maxima) {
    const Stage &scores = graph.stages[*found.scores];
    powers.terms = scores.terms;
    computeMaxima(graph, found, mask);
    makeConstant(graph, scores.result, "minus", one, found.keys);
    graph.matrices[scores.result].constant = -1;
    powers.terms.push_back(
        {graph.stages[*found.maxima].result, scores.result, one, 0});
  }
  for (Term &term : powers.terms)
    term = orient(graph, graph.matrices[powers.result].rows, term);
  Expression exponentials;
  unsigned root =
      addScaled(exponentials, addExponent(exponentials, found, mask), found);
  root = exponentials.apply(Function::Exp, root);
  llvm::SmallVector<unsigned> sums;
  powers.expression = exponentials.canonical(root, ElementType::BF16, sums);
}

//===----------------------------------------------------------------------===//
// Queries on the partitions
//===----------------------------------------------------------------------===//

/// Rounds scores once where they are masked: that rounds nothing else. Powers
/// of two scale their differences.
static void simplifyScores(Graph &graph, const Attention &found) {
  Stage &scores = graph.stages[*found.scores],
        &powers = graph.stages[found.powers];
  unsigned maxima = graph.stages[*found.maxima].result;
  Expression rounded, exponentials;
  unsigned root = rounded.addSum(0);
  for (const Value &step : llvm::ArrayRef(found.steps).drop_back())
    root = addStep(rounded, root, step, step.type);
  root = addStep(rounded, root, found.steps.back(), ElementType::F32);
  if (found.mask)
    root = rounded.apply(graph.matrices[*found.mask].band->inside == 0
                             ? Function::Add
                             : Function::Min,
                         {root, rounded.addMatrix(*found.mask)});
  llvm::SmallVector<unsigned> sums;
  scores.expression = rounded.canonical(root, ElementType::BF16, sums);
  for (unsigned matrix : {scores.result, maxima})
    graph.matrices[matrix].type = ElementType::BF16;

  bool isRounded = found.differences != ElementType::F32;
  auto read = [&](unsigned matrix) {
    unsigned value = exponentials.addMatrix(matrix);
    return isRounded ? value : addScaled(exponentials, value, found);
  };
  unsigned score = read(scores.result), maximum = read(maxima);
  root = exponentials.apply(Function::Sub, {score, maximum}, found.differences);
  if (isRounded)
    root = addScaled(exponentials, root, found);
  root = exponentials.apply(Function::Exp, root);
  powers.expression = exponentials.canonical(root, ElementType::BF16, sums);
}

static void rewrite(TurnedGraph &turned, const Attention &found) {
  Graph &graph = turned.graph;
  Stage &powers = graph.stages[found.powers];
  // Constants take the places of matrices that are no more.
  unsigned mask = graph.stages[found.shares].result,
           ones = graph.stages[found.sums].result;
  unsigned one = graph.matrices[ones].otherDim(found.queries);
  divideSum(graph, graph.stages[found.values], found, powers.result, ones, one);
  llvm::SmallVector<unsigned> gone{found.sums, found.shares}, unused;
  if (found.divisors) {
    gone.push_back(*found.divisors);
    unused.push_back(graph.stages[*found.divisors].result);
  }
  if (!found.isTurned() || !found.mask)
    unused.push_back(mask);
  if (found.isTurned() && found.maxima)
    gone.push_back(*found.scores);
  if (found.isTurned())
    turnPowers(turned, found, mask, one);
  else
    simplifyScores(graph, found);
  graph.matrices[powers.result].type = ElementType::BF16;

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
  bool isAny = false;
  for (unsigned number = 0; number < turned.graph.stages.size(); ++number)
    if (auto found = matchAttention(turned.graph, number)) {
      rewrite(turned, *found);
      number = found->scores.value_or(found->powers);
      isAny = true;
    }
  return isAny ? std::optional(std::move(turned)) : std::nullopt;
}

bool planning::isTurned(const Graph &graph) {
  return llvm::any_of(graph.matrices, [](const Matrix &matrix) {
    return matrix.role == Role::Constant;
  });
}
