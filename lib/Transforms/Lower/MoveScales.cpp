//===- MoveScales.cpp - Numbers are scaled where that is cheap ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MoveScales.h"

using namespace mlir;
using namespace mlir::trn;
using planning::Graph;
using planning::Matrix;
using planning::Role;

/// The values of `expression`, each as what `replace` adds for it, its
/// arguments being those that were added; rounded to `type`.
static planning::Expression rewrite(
    const planning::Expression &expression, ElementType type,
    function_ref<unsigned(planning::Expression &, planning::Value)> replace) {
  planning::Expression rewritten;
  SmallVector<unsigned> numbers, sums;
  for (planning::Value value : expression.values) {
    for (unsigned &argument : value.arguments)
      argument = numbers[argument];
    numbers.push_back(replace(rewritten, value));
  }
  return rewritten.canonical(numbers.back(), type, sums);
}

//===----------------------------------------------------------------------===//
// Rows of factors
//===----------------------------------------------------------------------===//

namespace {
/// `result = function(from, column)` of each row.
struct RowScale {
  Function function;
  unsigned from, column;
};
} // namespace

static std::optional<RowScale> matchRowScale(const Graph &graph,
                                             const planning::Stage &stage) {
  const std::vector<planning::Value> &values = stage.expression.values;
  using Kind = planning::Value::Kind;
  if (!stage.terms.empty() || stage.reduction || values.size() != 3 ||
      values[0].kind != Kind::Matrix || values[1].kind != Kind::Matrix)
    return std::nullopt;
  const planning::Value &last = values.back();
  bool isProduct = last.function == Function::Mul;
  if (!isProduct && last.function != Function::Div)
    return std::nullopt;
  unsigned from = values[last.arguments[0]].number;
  unsigned column = values[last.arguments[1]].number;
  const Matrix &result = graph.matrices[stage.result];
  auto isWhole = [&](unsigned matrix) {
    return graph.matrices[matrix].has(result.rows) &&
           graph.matrices[matrix].has(result.columns);
  };
  if (isProduct && !isWhole(from))
    std::swap(from, column);
  if (!isWhole(from) || isWhole(column) || graph.readsByGroup(stage, column))
    return std::nullopt;
  return RowScale{last.function, from, column};
}

/// The stages that multiply what `stage` scales, alone in their sums and over
/// what the column lacks; none if anything else reads it.
static SmallVector<unsigned> findScaledProducts(const Graph &graph,
                                                const planning::Stage &stage,
                                                const RowScale &scale) {
  const Matrix &scaled = graph.matrices[stage.result];
  const Matrix &column = graph.matrices[scale.column];
  unsigned rows = column.has(scaled.rows) ? scaled.rows : scaled.columns;
  SmallVector<unsigned> products;
  for (auto [number, reader] : llvm::enumerate(graph.stages)) {
    if (!llvm::is_contained(reader.operands(), stage.result))
      continue;
    const planning::Term *term = reader.productOf(stage.result);
    const Matrix &result = graph.matrices[reader.result];
    bool isAlone = term && llvm::count_if(reader.terms, [&](auto &other) {
                             return other.sum == term->sum ||
                                    other.left == stage.result ||
                                    other.right == stage.result;
                           }) == 1;
    bool isSquare = isAlone && term->left == term->right;
    if (!column.has(rows) || !isAlone || isSquare ||
        term->over != scaled.otherDim(rows) ||
        llvm::is_contained(reader.expression.matrices(), stage.result) ||
        reader.productOf(scale.column) ||
        (result.role == Role::Result && result.rows != rows))
      return {};
    products.push_back(number);
  }
  return products;
}

/// Makes `stage` multiply `scale.from` and scale the sum.
static void scaleSum(Graph &graph, planning::Stage &stage, unsigned factor,
                     const RowScale &scale) {
  planning::Term &term = *llvm::find_if(stage.terms, [&](auto &term) {
    return term.left == factor || term.right == factor;
  });
  (term.left == factor ? term.left : term.right) = scale.from;
  planning::Expression old = std::move(stage.expression);
  if (old.isPlain())
    old.addSum(0);
  stage.expression = rewrite(
      old, graph.matrices[stage.result].type,
      [&](planning::Expression &scaled, planning::Value value) {
        unsigned number = scaled.add(value);
        bool isScaled = value.kind == planning::Value::Kind::Sum &&
                        value.number == term.sum;
        return isScaled ? scaled.apply(scale.function,
                                       {number, scaled.addMatrix(scale.column)})
                        : number;
      });
}

SmallVector<unsigned> mlir::trn::scaleBehindProducts(Graph &graph) {
  SmallVector<unsigned> unused;
  for (size_t number = 0; number < graph.stages.size();) {
    const planning::Stage &stage = graph.stages[number];
    const Matrix &scaled = graph.matrices[stage.result];
    std::optional<RowScale> scale = matchRowScale(graph, stage);
    SmallVector<unsigned> products;
    // What is rounded is rounded where the source does it.
    if (scale && scaled.role == Role::Intermediate &&
        scaled.type == ElementType::F32 &&
        graph.matrices[scale->from].type == ElementType::F32)
      products = findScaledProducts(graph, stage, *scale);
    if (products.empty()) {
      ++number;
      continue;
    }
    for (unsigned product : products)
      scaleSum(graph, graph.stages[product], stage.result, *scale);
    unused.push_back(stage.result);
    graph.stages.erase(graph.stages.begin() + number);
  }
  return unused;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// The constant that the only sum of `stage` is multiplied with, if that is all
/// that happens to it but for a mask, which stays the same if it is multiplied.
static std::optional<float> findScale(const Graph &graph,
                                      const planning::Stage &stage) {
  using Kind = planning::Value::Kind;
  const std::vector<planning::Value> &values = stage.expression.values;
  auto isMask = [&](unsigned number) {
    return values[number].kind == Kind::Matrix &&
           graph.matrices[values[number].number].band;
  };
  if (stage.reduction || stage.numSums() != 1 || values.empty())
    return std::nullopt;
  const planning::Value *product = &values.back();
  if (product->is(Function::Min) || product->is(Function::Add)) {
    bool isFirst = isMask(product->arguments[0]);
    if (!isFirst && !isMask(product->arguments[1]))
      return std::nullopt;
    product = &values[product->arguments[isFirst]];
  }
  if (!product->is(Function::Mul))
    return std::nullopt;
  bool isFirst = values[product->arguments[0]].kind == Kind::Constant;
  const planning::Value &scale = values[product->arguments[!isFirst]];
  const planning::Value &sum = values[product->arguments[isFirst]];
  return sum.kind == Kind::Sum && scale.kind == Kind::Constant &&
                 scale.constant > 0
             ? std::optional(scale.constant)
             : std::nullopt;
}

/// Whether all that reads `matrix` are expressions; what only reduces it goes
/// to `reduced`.
static bool isReadByElements(const Graph &graph, unsigned matrix,
                             SmallVectorImpl<unsigned> &reduced) {
  if (graph.matrices[matrix].role != Role::Intermediate ||
      graph.matrices[matrix].type != ElementType::F32)
    return false;
  for (const planning::Stage &stage : graph.stages) {
    if (stage.productOf(matrix) ||
        (stage.isTransposition() && stage.source == matrix))
      return false;
    if (stage.reduction && stage.expression.values.size() == 1 &&
        llvm::is_contained(stage.operands(), matrix))
      reduced.push_back(stage.result);
  }
  return true;
}

/// Multiplies `matrix` wherever it is read, but by the stages that `except`
/// are the results of.
static void scaleReads(Graph &graph, unsigned matrix, float scale,
                       ArrayRef<unsigned> except) {
  using Kind = planning::Value::Kind;
  for (planning::Stage &stage : graph.stages) {
    if (!llvm::is_contained(stage.expression.matrices(), matrix) ||
        llvm::is_contained(except, stage.result))
      continue;
    ElementType type =
        stage.reduction ? ElementType::F32 : graph.matrices[stage.result].type;
    stage.expression = rewrite(
        stage.expression, type,
        [&](planning::Expression &scaled, planning::Value value) {
          unsigned number = scaled.add(value);
          bool isRead = value.kind == Kind::Matrix && value.number == matrix;
          return isRead ? scaled.apply(Function::Mul,
                                       {number, scaled.addConstant(scale)})
                        : number;
        });
  }
}

/// Takes the product of the sum out of what `stage` computes.
static void dropScale(const Graph &graph, planning::Stage &stage) {
  stage.expression = rewrite(
      stage.expression, graph.matrices[stage.result].type,
      [](planning::Expression &rest, planning::Value value) {
        if (value.is(Function::Mul))
          for (unsigned argument : value.arguments)
            if (rest.values[argument].kind == planning::Value::Kind::Sum)
              return argument;
        return rest.add(value);
      });
}

void mlir::trn::scaleWhereRead(Graph &graph) {
  for (planning::Stage &stage : graph.stages) {
    std::optional<float> scale = findScale(graph, stage);
    SmallVector<unsigned> reduced, none;
    if (!scale || !isReadByElements(graph, stage.result, reduced) ||
        llvm::any_of(reduced, [&](unsigned result) {
          return !isReadByElements(graph, result, none);
        }))
      continue;
    dropScale(graph, stage);
    scaleReads(graph, stage.result, *scale, reduced);
    for (unsigned result : reduced)
      scaleReads(graph, result, *scale, none);
  }
}
