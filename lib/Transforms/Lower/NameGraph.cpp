//===- NameGraph.cpp - Names for what a kernel computes -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NameGraph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace mlir::trn;
using planning::Graph;
using planning::Matrix;
using planning::Role;

void mlir::trn::nameGraph(Graph &graph, ArrayRef<unsigned> units) {
  auto call = [](auto &what, const Twine &name) {
    if (what.name.empty())
      what.name = name.str();
  };
  size_t count = graph.stages.size(), products = 0, total = 0;
  for (const planning::Stage &stage : graph.stages)
    total += stage.terms.size();
  bool isPair = count == 2 && total == 2 && graph.stages[0].terms.size() == 1 &&
                graph.stages[1].productOf(graph.stages[0].result);
  auto isResult = [](const Matrix &matrix) {
    return matrix.role == Role::Result;
  };
  bool hasOne = llvm::count_if(graph.matrices, isResult) == 1;
  for (auto [i, stage] : llvm::enumerate(graph.stages)) {
    Matrix &result = graph.matrices[stage.result];
    bool isLast = i + 1 == count && hasOne;
    auto number = std::to_string(i + 1);
    for (const planning::Term &term : stage.terms) {
      Matrix &left = graph.matrices[term.left];
      Matrix &right = graph.matrices[term.right];
      std::string weight = total == 1 ? "w"
                           : isPair   ? (i == 0 ? "u" : "v")
                                      : "w" + std::to_string(products + 1);
      bool isOther = left.name.empty() && right.name.empty();
      call(left, products == 0 ? "x"
                 : isOther     ? "x" + std::to_string(products + 1)
                               : weight);
      call(right, weight);
      call(graph.dims[term.over], products == 0 ? "k"
                                  : isPair      ? "r"
                                                : "r" + Twine(products));
      if (products++ == 0)
        call(graph.dims[left.otherDim(term.over)], "m");
      // Other terms may have their operands the other way round.
      if (isLast && &term == &stage.terms.front())
        call(graph.dims[right.otherDim(term.over)], "n");
    }
    call(result, isLast             ? "o"
                 : isResult(result) ? "o" + number
                 : isPair           ? "y"
                                    : "y" + number);
  }
  size_t vectors = 0, others = 0;
  for (const planning::Stage &stage : graph.stages)
    for (unsigned operand : stage.expression.matrices()) {
      Matrix &matrix = graph.matrices[operand];
      if (!matrix.name.empty())
        continue;
      bool isVector = llvm::is_contained(units, matrix.rows) ||
                      llvm::is_contained(units, matrix.columns);
      size_t &number = isVector ? vectors : others;
      call(matrix,
           (isVector ? "b" : "c") + (number++ ? std::to_string(number) : ""));
    }
  for (auto [i, dim] : llvm::enumerate(graph.batches()))
    call(graph.dims[dim], "batch" + (i ? Twine(i + 1) : Twine()));
  for (auto [i, dim] : llvm::enumerate(graph.dims))
    call(dim, "d" + Twine(i));
  for (auto [i, matrix] : llvm::enumerate(graph.matrices))
    call(matrix, "a" + Twine(i));
}
