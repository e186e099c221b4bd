//===- ShrinkGraph.cpp - Fewer rows and batches to search with ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShrinkGraph.h"

#include "trn/Machine/Machine.h"
#include "trn/Planning/Legalize.h"
#include "trn/Planning/LiveBand.h"
#include <algorithm>

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;

/// Leaves at most `most` indices of all `dims` together, the first ones first;
/// returns how many, or 0 if there are no more.
static int64_t shrink(Graph &graph, llvm::ArrayRef<unsigned> dims,
                      int64_t most) {
  int64_t count = 1;
  bool isLess = false;
  for (unsigned dim : dims) {
    int64_t &size = graph.dims[dim].size, all = size;
    size = std::min(size, most / count);
    count *= size;
    isLess |= size < all;
  }
  return isLess ? count : 0;
}

/// Programs that follow a mask are written out, so they are long: batches for
/// some 600 tiles.
static int64_t batchesOf(const LiveBand &band, const Graph &graph,
                         const Machine &machine) {
  const double mostTiles = 600;
  double side = double(machine.partitions);
  double tiles = double(graph.sizeOf(band.rows)) / side *
                 double(graph.sizeOf(band.columns)) / side *
                 band.share(graph, machine.partitions);
  return tiles <= mostTiles / 8 ? 8 : tiles <= mostTiles / 4 ? 4 : 2;
}

std::optional<SmallerGraph> search::shrinkGraph(const Graph &source,
                                                const Demands &demands,
                                                const Machine &machine) {
  std::optional<LiveBand> band = findLiveBand(source);
  bool isSquare =
      band && source.sizeOf(band->rows) == source.sizeOf(band->columns);
  unsigned strip = isSquare ? band->rows : stripOf(source);
  const int64_t most = isSquare ? 16 * machine.partitions : 8192;
  SmallerGraph smaller{source};
  bool mayShrink = demands.blockOf(source.dims[strip].name) <= most;
  if (source.sizeOf(strip) > most && mayShrink)
    smaller.rows = shrink(smaller.graph, strip, most);
  // What holds all keys, or all queries, is larger for all of them.
  if (isSquare && smaller.rows) {
    shrink(smaller.graph, band->columns, most);
    smaller.shareOfBuffers = double(most) / double(source.sizeOf(strip));
  }
  llvm::SmallVector<unsigned, 2> batches = source.batches();
  if (band) // heads that share keys rather than others
    std::reverse(batches.begin(), batches.end());
  smaller.batches = shrink(smaller.graph, batches,
                           band ? batchesOf(*band, smaller.graph, machine) : 8);
  if (smaller.graph == source)
    return std::nullopt;
  return smaller;
}
