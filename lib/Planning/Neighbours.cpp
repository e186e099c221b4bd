//===- Neighbours.cpp - Rows that come to one partition -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/Neighbours.h"

#include "trn/Machine/Machine.h"
#include "trn/Planning/LiveBand.h"
#include "trn/Planning/StageNeeds.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

/// Whether the last of groups of `group` rows may have fewer. It takes a few
/// instructions more, so that it is worth them where pieces of 1 KiB cost the
/// DMA no more than shorter ones. NKI for other machines has no words for it.
static bool mayBeRagged(int64_t rows, int64_t group, const Machine &machine) {
  const double longPiece = 1024;
  double bytes =
      machine.dmaMinNsPerDescriptor * machine.dmaGBPerSecondPerEngine;
  return bytes >= longPiece || rows % group == 0;
}

/// Whether `home` has rows of HBM as they lie there, for the tensor engine to
/// transpose them.
static bool holdsRowsToTranspose(const Graph &graph, const Plan &plan,
                                 const Home &home) {
  const Matrix &matrix = graph.matrices[home.matrix];
  unsigned nest = home.nests.front();
  const Stage &reader = graph.stages[nest];
  bool hasParts = graph.dims[matrix.rows].of ||
                  llvm::any_of(graph.dims, [&](const Dim &dim) {
                    return dim.of == matrix.rows;
                  });
  bool cutsColumns =
      llvm::any_of(plan.nests[nest].loops, [&](const Loop &loop) {
        return loop.dim == matrix.columns &&
               loop.block < graph.sizeOf(loop.dim);
      });
  return home.nests.size() == 1 && reader.isTransposition() &&
         reader.source == home.matrix && !home.packed && !home.whole &&
         !home.apart && !home.ahead && !plan.stacked &&
         !plan.isInterleaved(matrix.rows) &&
         !plan.isInterleaved(matrix.columns) && !hasParts && !cutsColumns &&
         !matrix.window && matrix.columnBatches.empty() &&
         !graph.isRepeated(reader, home.matrix);
}

/// Whether iterations transpose those rows alone that the mask leaves of their
/// own ones.
static bool maskCutsRows(const Graph &graph, const Plan &plan,
                         const Home &home) {
  std::optional<LiveBand> band = findLiveBand(graph);
  return band && graph.matrices[home.matrix].rows == band->columns &&
         llvm::any_of(plan.nests[home.nests.front()].loops,
                      [&](const Loop &loop) { return loop.dim == band->rows; });
}

/// Whether `home` has a result as products leave it, with a constant behind
/// their columns, whose rows are whole in HBM.
static bool holdsRowsToStore(const Graph &graph, const Plan &plan,
                             const Home &home, const Machine &machine) {
  const Matrix &matrix = graph.matrices[home.matrix];
  const Stage &writer = graph.stages[home.nests.front()];
  bool hasParts = llvm::any_of(
      graph.dims, [&](const Dim &dim) { return dim.of == matrix.rows; });
  return matrix.role == Role::Result && writer.result == home.matrix &&
         nestsThatUse(graph, home.matrix).size() == 1 &&
         mayBundle(graph, writer, machine) && !home.sums && !home.packed &&
         !home.apart && !plan.stacked && !plan.isInterleaved(matrix.rows) &&
         !hasParts && !graph.dims[matrix.rows].of &&
         matrix.columnBatches.empty() && !matrix.headColumns;
}

/// As many tiles as share a bank with a column more for each of their rows.
static int64_t neighboursInResult(const Graph &graph, const Plan &plan,
                                  const Home &home, const Machine &machine) {
  if (!holdsRowsToStore(graph, plan, home, machine))
    return 1;
  const Matrix &matrix = graph.matrices[home.matrix];
  const Stage &writer = graph.stages[home.nests.front()];
  int64_t rows = graph.rowsOf(matrix), tile = machine.partitions, most = 4;
  most = std::min(most, mostInBundle(graph, writer, machine));
  if (llvm::any_of(graph.matrices,
                   [](const Matrix &other) { return other.band; })) {
    // Half of a tile's rows are a part that engines can start at.
    std::optional<LiveBand> band = findLiveBand(graph);
    int64_t granule =
        std::max(machine.partitionGranule, machine.tensorColumnGranule);
    if (!band || band->rows != matrix.rows || tile / 2 % granule != 0)
      return 1;
    most = std::min<int64_t>(most, 2);
  }
  for (int64_t count = most; count > 1; --count) {
    bool isCut = llvm::any_of(
        plan.nests[home.nests.front()].loops, [&](const Loop &loop) {
          return loop.dim == matrix.rows && loop.block < rows &&
                 loop.block % (count * tile) != 0;
        });
    if (rows > tile && mayBeRagged(rows, count * tile, machine) && !isCut)
      return count;
  }
  return 1;
}

static int64_t neighboursIn(const Graph &graph, const Plan &plan,
                            const Home &home, const Machine &machine) {
  if (!holdsRowsToTranspose(graph, plan, home) ||
      maskCutsRows(graph, plan, home))
    return 1;
  unsigned dim = graph.matrices[home.matrix].rows;
  int64_t all = graph.sizeOf(dim);
  for (int64_t most = machine.movingFreeMax / machine.partitions, count = most;
       count > 1; --count) {
    int64_t rows = count * machine.partitions;
    if (rows >= 2 * all || !mayBeRagged(all, rows, machine))
      continue;
    auto isCut = [&](const Loop &loop) {
      return loop.dim == dim && loop.block < all && loop.block % rows != 0;
    };
    if (machine.movingFreeMax % rows == 0 &&
        llvm::none_of(plan.nests[home.nests.front()].loops, isCut))
      return count;
  }
  return 1;
}

int64_t planning::rowsOfNeighbours(int64_t rows, int64_t count,
                                   const Machine &machine) {
  int64_t rest = rows % (count * machine.partitions);
  bool isCut = rest > machine.partitions && rest % count == 0;
  return isCut ? rows : rows - rest;
}

llvm::SmallVector<int64_t, 16>
planning::findNeighbours(const Graph &graph, const Plan &plan,
                         const Machine &machine) {
  llvm::SmallVector<int64_t, 16> found;
  for (const Home &home : plan.homes)
    found.push_back(std::max(neighboursIn(graph, plan, home, machine),
                             neighboursInResult(graph, plan, home, machine)));
  return found;
}
