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
#include <utility>

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

/// Whether `nest` reads `number`, which lies in HBM with an interleaved dim in
/// its columns, as rows: a packed X, or one row for all others.
static bool readsAsRows(const Graph &graph, const Plan &plan, unsigned number,
                        unsigned nest) {
  const Stage &stage = graph.stages[nest];
  const Matrix &matrix = graph.matrices[number];
  const Home *home = plan.homeOf(number, nest);
  if (matrix.role != Role::Input)
    return false;
  const Home *turned = plan.homeOf(stage.result, nest);
  if (stage.source == number && !home && turned && turned->packed)
    return true;
  return graph.isRepeated(stage, number) && home && !matrix.window &&
         matrix.columnBatches.empty();
}

llvm::SmallVector<bool, 16> planning::findColumnsInOrder(const Graph &graph,
                                                         const Plan &plan) {
  llvm::SmallVector<bool, 16> inOrder(graph.matrices.size(), false);
  auto isInterleaved = [&](unsigned number) {
    return plan.isInterleaved(graph.matrices[number].columns);
  };
  for (unsigned number = 0; number < inOrder.size(); ++number)
    for (unsigned nest : nestsThatUse(graph, number))
      if (isInterleaved(number) &&
          graph.matrices[number].role != Role::Constant &&
          isInHbm(graph, plan, number, nest) &&
          !readsAsRows(graph, plan, number, nest))
        inOrder[number] = true;
  // What a stage computes has the columns of what it computes it of.
  bool isChanging = !plan.interleaved.empty();
  while (std::exchange(isChanging, false))
    for (const Stage &stage : graph.stages) {
      if (stage.isTransposition())
        continue;
      llvm::SmallVector<unsigned> alike{stage.result};
      llvm::append_range(alike, stage.expression.matrices());
      for (const Term &term : stage.terms)
        alike.push_back(term.right);
      llvm::erase_if(alike,
                     [&](unsigned number) { return !isInterleaved(number); });
      if (llvm::none_of(alike,
                        [&](unsigned number) { return inOrder[number]; }))
        continue;
      for (unsigned number : alike)
        isChanging |= !std::exchange(inOrder[number], true);
    }
  return inOrder;
}

/// What keeps `nest` from reading columns that are in the order of HBM, where
/// others have tiles of them.
static llvm::Error checkInOrder(const Graph &graph, const Plan &plan,
                                unsigned dim, llvm::ArrayRef<bool> inOrder,
                                unsigned nest) {
  const Stage &stage = graph.stages[nest];
  llvm::StringRef name = graph.dims[dim].name;
  auto isInOrder = [&](unsigned number) {
    return inOrder[number] && graph.matrices[number].columns == dim;
  };
  auto nameOf = [&](unsigned number) -> llvm::StringRef {
    return graph.matrices[number].name;
  };
  for (const Term &term : stage.terms)
    if (isInOrder(term.left))
      return refuse("{0} is interleaved, so {1}, whose columns become rows of "
                    "{2}, must not have them in the order of HBM",
                    name, nameOf(term.left), nameOf(stage.result));
  if (!stage.isTransposition())
    return llvm::Error::success();
  if (isInOrder(stage.result))
    return refuse("{0} is interleaved, so {1}, which must have it in the order "
                  "of HBM, must not be the transpose of {2}",
                  name, nameOf(stage.result), nameOf(*stage.source));
  if (!isInOrder(*stage.source))
    return llvm::Error::success();
  const Home *home = plan.homeOf(*stage.source, nest);
  if (const Home *turned = plan.homeOf(stage.result, nest);
      turned && turned->packed) {
    if (!home)
      return llvm::Error::success();
    return refuse("{0} is interleaved, and {1} is packed, so {2} must have no "
                  "home there",
                  name, nameOf(stage.result), nameOf(*stage.source));
  }
  llvm::ArrayRef<Loop> shared =
      llvm::ArrayRef(plan.nests[nest].loops)
          .take_front(home ? plan.sharedLoops(home->nests.front(), nest) : 0);
  bool isShared =
      llvm::any_of(shared, [&](const Loop &loop) { return loop.dim == dim; });
  if (!home || isShared || !hasAllColumns(graph, plan, *stage.source, nest))
    return refuse("{0} is interleaved, so {1}, which has it in the order of "
                  "HBM, must be there with all columns where {2} is computed",
                  name, nameOf(*stage.source), nameOf(stage.result));
  return llvm::Error::success();
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
    if (!plan.stacked || readsAsRows(graph, plan, number, nest))
      return llvm::Error::success();
    return refuse("{0} is interleaved, and {1} is stacked, so {2}, which lies "
                  "in HBM, must have {0} in its rows",
                  name, graph.dims[*plan.stacked].name, matrix.name);
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
  bool isWhole =
      (matrix.columnBatches.empty() && !matrix.headColumns) || home->whole;
  if (!isWhole || !hasAllColumns(graph, plan, number, nest))
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
  if (llvm::none_of(graph.matrices,
                    [&](const Matrix &matrix) { return matrix.rows == dim; }))
    return refuse("{0} is interleaved, so a matrix must have it in its rows",
                  name);
  llvm::SmallVector<bool, 16> inOrder = findColumnsInOrder(graph, plan);
  for (unsigned nest = 0; nest < graph.stages.size(); ++nest)
    if (llvm::Error error = checkInOrder(graph, plan, dim, inOrder, nest))
      return error;
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
