//===- ShrinkGraph.h - Fewer rows and batches to search with ----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SEARCH_SHRINKGRAPH_H
#define TRN_LIB_SEARCH_SHRINKGRAPH_H

#include "trn/Search/Demands.h"
#include <optional>

namespace mlir::trn::search {

/// A graph of which a few rows and batches stand for all.
struct SmallerGraph {
  planning::Graph graph;
  /// How many are left of them; 0: all.
  int64_t rows = 0, batches = 0;
  /// A plan for all needs buffers that are larger by no more than its inverse.
  double shareOfBuffers = 1;
};

/// `source` with the rows and batches that a search can simulate often enough;
/// nothing if it has no more.
std::optional<SmallerGraph> shrinkGraph(const planning::Graph &source,
                                        const Demands &demands,
                                        const Machine &machine);

} // namespace mlir::trn::search

#endif // TRN_LIB_SEARCH_SHRINKGRAPH_H
