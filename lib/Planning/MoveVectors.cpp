//===- MoveVectors.cpp - Vectors behind transpositions --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MoveVectors.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using Kind = Value::Kind;

unsigned planning::addTranspose(Graph &graph, unsigned matrix) {
  Matrix turned = graph.matrices[matrix];
  turned.name += "t";
  turned.role = Role::Intermediate;
  turned.window.reset();
  std::swap(turned.rows, turned.columns);
  turned.band.reset();
  turned.rowBatches = graph.batches();
  turned.columnBatches.clear();
  graph.matrices.push_back(turned);
  return graph.matrices.size() - 1;
}

namespace {
/// What an expression does last to each row, with constants and with vectors
/// that are the same for all rows.
class Tail {
public:
  Tail(const Graph &graph, const Stage &stage)
      : graph(graph), stage(stage), values(stage.expression.values) {
    find();
  }

  /// What all vectors of the tail are combined with.
  std::optional<unsigned> start;
  /// These vectors.
  llvm::SmallVector<unsigned> vectors;

  /// The tail, of the first sum, in which `columns` takes the place of rows.
  Expression
  expression(const llvm::DenseMap<unsigned, unsigned> &columns) const;

private:
  void find();
  /// The only argument of `value` that depends on the row, if there is one.
  std::optional<unsigned> findRow(const Value &value) const;
  bool isVector(unsigned number) const;

  const Graph &graph;
  const Stage &stage;
  const std::vector<Value> &values;
};
} // namespace

bool Tail::isVector(unsigned number) const {
  const Value &value = values[number];
  if (value.kind != Kind::Matrix)
    return false;
  const Matrix &matrix = graph.matrices[value.number];
  return graph.rowsOf(matrix) == 1 &&
         matrix.columns == graph.matrices[stage.result].columns &&
         matrix.role == Role::Input && !isStorage(matrix.type);
}

std::optional<unsigned> Tail::findRow(const Value &value) const {
  std::optional<unsigned> row;
  for (unsigned argument : value.arguments)
    if (values[argument].kind != Kind::Constant && !isVector(argument)) {
      if (row)
        return std::nullopt;
      row = argument;
    }
  return row;
}

void Tail::find() {
  ElementType type = graph.matrices[stage.result].type;
  llvm::SmallVector<unsigned> passed;
  std::optional<unsigned> next = values.size() - 1;
  while (next && values[*next].kind == Kind::Apply) {
    // It is rounded as what is transposed.
    if (values[*next].type == type && passed.size() > vectors.size()) {
      start = next;
      vectors = passed;
    }
    for (unsigned argument : values[*next].arguments)
      if (isVector(argument))
        passed.push_back(values[argument].number);
    next = findRow(values[*next]);
  }
}

Expression
Tail::expression(const llvm::DenseMap<unsigned, unsigned> &columns) const {
  Expression tail = stage.expression;
  for (Value &value : tail.values)
    if (value.kind == Kind::Matrix)
      value.number = columns.lookup(value.number);
  tail.values[*start] = {Kind::Sum};
  llvm::SmallVector<unsigned> sums;
  return tail.canonical(tail.values.size() - 1,
                        graph.matrices[stage.result].type, sums);
}

/// The stage that computes `matrix` of elements alone, if one stage reads it.
static Stage *findRowStage(Graph &graph, unsigned matrix) {
  auto reads = [&](const Stage &stage) {
    return llvm::is_contained(stage.operands(), matrix);
  };
  if (graph.matrices[matrix].role != Role::Intermediate ||
      llvm::count_if(graph.stages, reads) != 1)
    return nullptr;
  Stage &writer = *llvm::find_if(
      graph.stages, [&](const Stage &stage) { return stage.result == matrix; });
  bool isOfElements = writer.terms.empty() && !writer.reduction &&
                      !writer.isTransposition() && !graph.widens(writer);
  // A vector costs a load of its own, which one row does not make up for.
  bool isOneRow = graph.rowsOf(graph.matrices[matrix]) == 1;
  return isOfElements && !isOneRow ? &writer : nullptr;
}

/// The column that `first`, in front of all stages, makes of the row `vector`.
static unsigned makeColumn(Graph &graph, unsigned vector,
                           std::vector<Stage> &first) {
  for (const Stage &stage : first)
    if (stage.source == vector)
      return stage.result;
  unsigned column = addTranspose(graph, vector);
  first.push_back({column, {}, vector});
  return column;
}

void planning::moveVectorsBehindTranspositions(Graph &graph) {
  std::vector<Stage> first;
  for (Stage &stage : graph.stages) {
    // Behind a product it would come in front of what that turns.
    if (!stage.terms.empty())
      break;
    if (!stage.isTransposition() || !stage.expression.isPlain())
      continue;
    Stage *writer = findRowStage(graph, *stage.source);
    if (!writer)
      continue;
    Tail tail(graph, *writer);
    if (!tail.start)
      continue;
    llvm::DenseMap<unsigned, unsigned> columns;
    for (unsigned vector : tail.vectors)
      columns[vector] = makeColumn(graph, vector, first);
    stage.expression = tail.expression(columns);
    llvm::SmallVector<unsigned> sums;
    writer->expression = writer->expression.canonical(
        *tail.start, graph.matrices[writer->result].type, sums);
  }
  graph.stages.insert(graph.stages.begin(), first.begin(), first.end());
}
