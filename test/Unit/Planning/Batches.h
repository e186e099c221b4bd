//===- Batches.h - Matrices of batches --------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_UNIT_PLANNING_BATCHES_H
#define TRN_TEST_UNIT_PLANNING_BATCHES_H

#include "trn/Planning/Graph.h"

namespace mlir::trn::planning {

/// An index for each batch dim, by dim; 0 for the others.
using Batch = std::vector<int64_t>;

inline std::vector<Batch> allBatches(const Graph &graph) {
  std::vector<Batch> batches = {Batch(graph.dims.size())};
  for (unsigned dim : graph.batches())
    for (size_t i = 0, count = batches.size(); i < count; ++i)
      for (int64_t index = 1; index < graph.sizeOf(dim); ++index) {
        batches.push_back(batches[i]);
        batches.back()[dim] = index;
      }
  return batches;
}

inline int64_t numElements(const Graph &graph, const Matrix &matrix) {
  int64_t count = 1;
  for (int64_t size : graph.shapeInHbm(matrix))
    count *= size;
  return count;
}

/// One or two batch dims: what is computed has them, inputs do or are shared.
template <typename Below>
void addBatches(Graph &graph, Below below) {
  for (unsigned i = 0, count = 1 + below(2); i < count; ++i) {
    unsigned batch = graph.dims.size();
    graph.dims.push_back({"b" + std::to_string(i), int64_t(1 + below(3))});
    for (Matrix &matrix : graph.matrices)
      if (matrix.role != Role::Input || below(3))
        (below(2) ? matrix.rowBatches : matrix.columnBatches).push_back(batch);
  }
}

/// Where the matrix of one batch begins in HBM, and how far its rows are apart.
struct BatchPlace {
  int64_t start = 0, pitch = 0;
};

inline BatchPlace placeOf(const Graph &graph, const Matrix &matrix,
                          const Batch &batch) {
  auto numberIn = [&](llvm::ArrayRef<unsigned> dims) {
    int64_t number = 0;
    for (unsigned dim : dims)
      number = number * graph.sizeOf(dim) + batch[dim];
    return number;
  };
  // All of them lie in one that is as large, or larger.
  Window whole = matrix.window.value_or(
      Window{graph.rowsOf(matrix), graph.columnsOf(matrix), 0, 0});
  int64_t columns = whole.columns, pitch = columns;
  for (unsigned dim : matrix.columnBatches)
    pitch *= graph.sizeOf(dim);
  int64_t row = numberIn(matrix.rowBatches) * whole.rows + whole.row;
  return {row * pitch + numberIn(matrix.columnBatches) * columns + whole.column,
          pitch};
}

} // namespace mlir::trn::planning

#endif // TRN_TEST_UNIT_PLANNING_BATCHES_H
