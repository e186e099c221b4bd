//===- FinishGraph.cpp - The last steps of making a graph -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FinishGraph.h"

#include "MoveScales.h"

using namespace mlir;
using namespace mlir::trn;
using planning::Graph;
using planning::Matrix;
using planning::Role;

/// Gives the matrices of `graph` this order, which has those in use once.
static void orderMatrices(Graph &graph, ArrayRef<unsigned> order) {
  SmallVector<unsigned> numbers(graph.matrices.size());
  std::vector<Matrix> ordered;
  for (auto [position, number] : llvm::enumerate(order)) {
    numbers[number] = position;
    ordered.push_back(graph.matrices[number]);
  }
  graph.matrices = std::move(ordered);
  for (planning::Stage &stage : graph.stages) {
    stage.result = numbers[stage.result];
    for (planning::Term &term : stage.terms) {
      term.left = numbers[term.left];
      term.right = numbers[term.right];
    }
    for (planning::Value &value : stage.expression.values)
      if (value.kind == planning::Value::Kind::Matrix)
        value.number = numbers[value.number];
  }
}

/// Heads are stored in short pieces, which takes long. So they are computed
/// first, and others while they are stored.
static void computeHeadsFirst(Graph &graph) {
  DenseSet<unsigned> needed; // matrices, for heads
  for (auto [number, matrix] : llvm::enumerate(graph.matrices))
    if (matrix.headColumns)
      needed.insert(number);
  for (const planning::Stage &stage : llvm::reverse(graph.stages))
    if (needed.contains(stage.result))
      needed.insert_range(stage.operands());
  std::vector<planning::Stage> ordered;
  for (bool isForHeads : {true, false})
    llvm::copy_if(graph.stages, std::back_inserter(ordered),
                  [&](const planning::Stage &stage) {
                    return needed.contains(stage.result) == isForHeads;
                  });
  graph.stages = std::move(ordered);
}

static void narrowMaxima(Graph &graph) {
  for (const planning::Stage &stage : graph.stages) {
    Matrix &result = graph.matrices[stage.result];
    if (stage.reduction && stage.reduction->function != Function::Add &&
        result.role == Role::Intermediate &&
        stage.expression.values.size() == 1)
      result.type = graph.matrices[stage.expression.values.front().number].type;
  }
}

SmallVector<unsigned> mlir::trn::finishGraph(Graph &graph,
                                             SmallVector<unsigned> order) {
  for (unsigned unused : scaleBehindProducts(graph))
    llvm::erase(order, unused);
  orderMatrices(graph, order);
  computeHeadsFirst(graph);
  narrowMaxima(graph);
  scaleWhereRead(graph);
  return order;
}
