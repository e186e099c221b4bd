//===- Interleave.cpp - Dims of which partitions have neighbours ----------===//
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
  if (around < loops.size() && plan.aheadOf(graph, nest, around))
    ++around;
  llvm::ArrayRef<unsigned> users = nest;
  if (home)
    users = home->nests;
  bool readsParts =
      llvm::any_of(graph.dimsIn(users, matrix, columns), [&](unsigned dim) {
        return graph.sizeOf(dim) < graph.sizeOf(columns);
      });
  return !readsParts &&
         llvm::none_of(loops.take_front(around), [&](const Loop &loop) {
           return graph.wholeOf(loop.dim) == graph.wholeOf(columns) &&
                  loop.block < graph.sizeOf(columns);
         });
}

/// Whether the matrix lies in HBM where `nest` uses it.
static bool isInHbm(const Graph &graph, const Plan &plan, unsigned number,
                    unsigned nest) {
  const Home *home = plan.homeOf(number, nest);
  auto isWriter = [&](unsigned other) {
    return graph.stages[other].result == number;
  };
  return graph.matrices[number].role != Role::Intermediate || !home ||
         !llvm::equal(home->nests, nestsThatUse(graph, number)) ||
         llvm::none_of(home->nests, isWriter);
}

/// What keeps `nest` from reading or storing `number`, which lies in HBM, by
/// partitions.
static llvm::Error checkUse(const Graph &graph, const Plan &plan, unsigned dim,
                            unsigned number, unsigned nest) {
  const Stage &stage = graph.stages[nest];
  const Matrix &matrix = graph.matrices[number];
  llvm::StringRef name = graph.dims[dim].name;
  llvm::StringRef result = graph.matrices[stage.result].name;
  const Home *home = plan.homeOf(number, nest);
  if (matrix.columns == dim) {
    bool isRead = matrix.role == Role::Input && stage.source == number;
    const Home *turned = plan.homeOf(stage.result, nest);
    if (isRead && turned && turned->packed && !home)
      return llvm::Error::success();
    // One row for all others comes as a column.
    if (graph.isRepeated(stage, number) && matrix.role == Role::Input && home &&
        !matrix.window && matrix.columnBatches.empty())
      return llvm::Error::success();
    if (isRead)
      return refuse(
          "{0} is interleaved, so {1} must be packed, and {2} have no "
          "home there",
          name, result, matrix.name);
    return refuse("{0} is interleaved, so {1}, which lies in HBM, must have it "
                  "in its rows",
                  name, matrix.name);
  }
  if (matrix.window)
    return refuse("{0} is interleaved, so {1} must be no part of a larger "
                  "matrix",
                  name, matrix.name);
  if (!home)
    return refuse("{0} is interleaved, so {1} needs a home where {2} is "
                  "computed",
                  name, matrix.name, result);
  if (home->packed)
    return refuse("{0} is interleaved, so {1} must not be packed", name,
                  matrix.name);
  bool isWhole = matrix.columnBatches.empty() || home->whole;
  if (!isWhole || !hasAllColumns(graph, plan, number, nest) ||
      graph.findBeside(stage, number))
    return refuse("{0} is interleaved, so {1} must have all of its columns, "
                  "and no others, where {2} is computed",
                  name, matrix.name, result);
  return llvm::Error::success();
}

llvm::Error planning::checkInterleaved(const Graph &graph, const Plan &plan,
                                       unsigned dim) {
  llvm::StringRef name = graph.dims[dim].name;
  for (const Dim &part : graph.dims)
    if (part.of == dim || graph.dims[dim].of)
      return refuse("{0} is interleaved, so it must have no parts and be none",
                    name);
  for (unsigned number = 0; number < graph.matrices.size(); ++number) {
    const Matrix &matrix = graph.matrices[number];
    if (graph.hasBatch(number, dim))
      return refuse("{0} is interleaved, so it must be no batch dim", name);
    if (!matrix.has(dim))
      continue;
    if (matrix.band)
      return refuse("{0} is interleaved, so {1} must be no mask", name,
                    matrix.name);
    if (matrix.role == Role::Constant)
      continue;
    for (unsigned nest : nestsThatUse(graph, number))
      if (isInHbm(graph, plan, number, nest))
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
