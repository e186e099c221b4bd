//===- LowerBound.cpp - What no plan for a graph beats --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Search/LowerBound.h"

#include "trn/Machine/Work.h"
#include "trn/Planning/Interleave.h"
#include "trn/Planning/Legalize.h"
#include "trn/Planning/LiveBand.h"
#include "trn/Planning/RowsBelow.h"
#include "trn/Planning/TileLimits.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;

/// Columns of the tensor engine for tiles of at most `most` of `size`.
template <typename Cycles>
static double sumTiles(int64_t size, int64_t most, Cycles cycles) {
  double whole = double(size / most) * double(cycles(most));
  return size % most ? whole + double(cycles(size % most)) : whole;
}

/// Whether a plan may number `dim` by partitions: X comes packed then, with few
/// rows, and is not turned.
static bool mayInterleave(const Graph &graph, unsigned dim,
                          const Machine &machine) {
  return graph.sizeOf(stripOf(graph)) <= machine.partitions &&
         graph.sizeOf(dim) % machine.partitions == 0 &&
         hasNarrowWeight(graph, dim);
}

/// How long `graph`, which is legal, keeps the tensor engine busy.
static double tensorNs(const Graph &graph, const Machine &machine) {
  auto tiles = [&](unsigned dim) {
    return double(
        llvm::divideCeilSigned(graph.sizeOf(dim), machine.partitions));
  };
  std::optional<LiveBand> band = findLiveBand(graph);
  double live = band ? band->share(graph, machine.partitions) : 1;
  double sum = 0;
  llvm::SmallVector<unsigned, 2> batches = graph.batches();
  // Batches of a stack are multiplied together if they sum over few rows.
  auto together = [&](unsigned dim, unsigned rows) {
    bool mayStack =
        !batches.empty() && graph.sizeOf(rows) <= stackPitch(machine);
    return mayStack ? double(groupSizeFor(graph.sizeOf(dim), maxStack, machine))
                    : 1;
  };
  // And they are transposed together, as keys are, or if their rows are few.
  auto turnedTogether = [&](const Stage &stage) {
    const Matrix &result = graph.matrices[stage.result];
    if (!batches.empty() && graph.columnsOf(result) <= stackPitch(machine))
      return double(maxStack);
    double most = 1;
    for (const Stage &reader : graph.stages)
      for (const Term &term : reader.terms)
        if (term.right == stage.result)
          most = std::max(
              most, together(result.rows, graph.matrices[reader.result].rows));
    return most;
  };
  for (const Stage &stage : graph.stages) {
    double columns = 0;
    const Matrix &result = graph.matrices[stage.result];
    if (stage.isTransposition() && !machine.dmaTranspose &&
        !mayInterleave(graph, result.rows, machine))
      columns +=
          tiles(result.rows) / turnedTogether(stage) *
          sumTiles(graph.columnsOf(result), machine.partitions,
                   [&](int64_t size) {
                     return tensorTransposeCycles(machine, result.type, size);
                   });
    for (const Term &term : stage.terms) {
      // Rows of a constant may lie below those of another product.
      if (llvm::any_of(stage.terms, [&](const Term &above) {
            return mayLieBelow(graph, stage, above, term, machine);
          }))
        continue;
      columns += tiles(result.rows) * tiles(term.over) /
                 together(term.over, result.rows) *
                 sumTiles(graph.isColumn(stage, term.sum)
                              ? 1
                              : graph.sizeOf(graph.columnsIn(stage)),
                          machine.movingFreeMax, [&](int64_t size) {
                            return matmulCycles(
                                machine, graph.matrices[term.right].type, size);
                          });
    }
    columns *= band && band->isIn(graph, stage) ? live : 1;
    for (unsigned batch : batches) {
      // It may be there for all of the innermost ones.
      bool isShared = stage.isTransposition() && batch == batches.back() &&
                      !graph.hasBatch(*stage.source, batch);
      columns *= isShared ? 1 : double(graph.sizeOf(batch));
    }
    sum += columns;
  }
  return sum * machine.tensorNsPerColumn;
}

/// The fewest rows of DMA that move `matrix`: short ones may come with their
/// neighbours, or with those of all batches in the columns.
static double leastRows(const Graph &graph, const Matrix &matrix,
                        const Machine &machine) {
  double elements = graph.bytesOf(matrix) / double(byteSize(matrix.type));
  int64_t rows = graph.rowsOf(matrix), columns = graph.columnsOf(matrix);
  double pieces = elements / double(columns);
  if (columns * byteSize(matrix.type) >= machine.dmaSaturatingBytes)
    return pieces;
  if (matrix.rowBatches.empty() && !matrix.columnBatches.empty())
    pieces = elements / double(graph.columnsInHbm(matrix));
  if (rows >= machine.partitions && !matrix.band)
    pieces *=
        double(machine.partitions + rows % machine.partitions) / double(rows);
  return pieces;
}

double search::leastBusyNs(const Graph &source, const Machine &machine) {
  double dmaNs = 0;
  std::optional<Graph> turned = legalizeTurned(source);
  std::optional<LiveBand> band = findLiveBand(source);
  double live = band ? band->share(source, machine.partitions) : 1;
  for (auto [number, matrix] : llvm::enumerate(source.matrices)) {
    bool isMask = turned && band && band->isMask(matrix);
    if (!source.isMoved(number) || isMask)
      continue;
    double bytes = source.bytesOf(matrix);
    double pieces = leastRows(source, matrix, machine);
    if (band && band->isIn(matrix)) // a mask, of which rows are as many
      bytes *= live;
    dmaNs += machine.dmaEngineNs(bytes, pieces) / double(machine.dmaEngines);
  }
  double least =
      std::min(tensorNs(legalize(source, TransposeMode::Implicit), machine),
               tensorNs(legalize(source, TransposeMode::Explicit), machine));
  if (turned)
    least = std::min(least, tensorNs(*turned, machine));
  return std::max(dmaNs, least);
}
