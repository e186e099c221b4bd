//===- Interleave.cpp - Contractions that are numbered by partitions ------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/Interleave.h"

#include "trn/Support/Refuse.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

/// Whether each home of `matrix` in `nest` has all of its columns.
static bool hasAllColumns(const Graph &graph, const Plan &plan, unsigned matrix,
                          unsigned nest) {
  const Home *home = plan.homeOf(matrix, nest);
  unsigned columns = graph.matrices[matrix].columns;
  llvm::ArrayRef<Loop> loops = plan.nests[nest].loops;
  size_t around = home ? home->level : 0;
  // What is filled ahead falls into pieces by the next loop.
  const Home *filled = plan.homeOf(graph.stages[nest].result, nest);
  if (filled && filled->ahead && filled->level == around &&
      around < loops.size())
    ++around;
  return llvm::none_of(loops.take_front(around), [&](const Loop &loop) {
    return graph.wholeOf(loop.dim) == columns &&
           loop.block < graph.sizeOf(columns);
  });
}

/// What keeps `stage` from reading or computing `number` by partitions.
static llvm::Error checkUse(const Graph &graph, const Plan &plan, unsigned dim,
                            unsigned number, unsigned nest) {
  const Stage &stage = graph.stages[nest];
  const Matrix &matrix = graph.matrices[number];
  llvm::StringRef name = graph.dims[dim].name;
  const Home *home = plan.homeOf(number, nest);
  if (stage.isTransposition()) {
    const Home *turned = plan.homeOf(stage.result, nest);
    if (!turned || !turned->packed || plan.homeOf(stage.source, nest))
      return refuse(
          "{0} is interleaved, so {1} must be packed, and {2} have no "
          "home there",
          name, graph.matrices[stage.result].name,
          graph.matrices[stage.source].name);
    return llvm::Error::success();
  }
  if (!stage.productOf(number) || matrix.rows != dim)
    return refuse("{0} is interleaved, so {1} must be a factor of {2} that has "
                  "it in its rows",
                  name, matrix.name, graph.matrices[stage.result].name);
  if (home && home->packed)
    return llvm::Error::success();
  if (matrix.role != Role::Input || matrix.window || !home)
    return refuse("{0} is interleaved, so {1} must be an input that is no part "
                  "of a larger matrix",
                  name, matrix.name);
  if (!hasAllColumns(graph, plan, number, nest))
    return refuse("{0} is interleaved, so {1} must have all of its columns "
                  "where {2} is computed",
                  name, matrix.name, graph.matrices[stage.result].name);
  return llvm::Error::success();
}

llvm::Error planning::checkInterleaved(const Graph &graph, const Plan &plan,
                                       unsigned dim) {
  for (const Dim &part : graph.dims)
    if (part.of == dim || graph.dims[dim].of)
      return refuse("{0} is interleaved, so it must have no parts and be none",
                    graph.dims[dim].name);
  for (unsigned number = 0; number < graph.matrices.size(); ++number) {
    const Matrix &matrix = graph.matrices[number];
    if (!matrix.has(dim))
      continue;
    if (!matrix.rowBatches.empty() || !matrix.columnBatches.empty())
      return refuse("{0} is interleaved, so {1} must have no batch dims",
                    graph.dims[dim].name, matrix.name);
    for (unsigned nest : nestsThatUse(graph, number))
      if (llvm::Error error = checkUse(graph, plan, dim, number, nest))
        return error;
  }
  return llvm::Error::success();
}

bool planning::hasNarrowWeight(const Graph &graph, unsigned dim) {
  const int64_t narrow = 1024; // columns
  return llvm::any_of(graph.matrices, [&](const Matrix &matrix) {
    return matrix.role == Role::Input && matrix.rows == dim &&
           matrix.rowBatches.empty() && matrix.columnBatches.empty() &&
           graph.columnsOf(matrix) < narrow;
  });
}
