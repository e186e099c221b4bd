//===- Masks.cpp - What masks hide of tiles -------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A mask that is a constant is made on chip, from its band alone. Tiles of
// which it hides all are neither computed nor read, tiles of which it hides
// nothing do not read it. The others are alike on each diagonal, so one square
// tile for each is all that is made, beside a unit matrix: the tensor engine
// adds them to sums in PSUM. Loops inside of the one over the rows of the band
// are written out: each of their iterations has other tiles.

#include "Masks.h"

#include "trn/Machine/Machine.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

bool Masks::followsBand(NestRange group, unsigned depth,
                        const Extents &extents) const {
  if (!band || !mayFollow(*band, group, depth))
    return false;
  const Extent &columns = extents[band->columns];
  return extents[band->rows].start.isConstant() && columns.start == 0 &&
         columns.size == graph.sizeOf(band->columns);
}

Extents Masks::followBand(Extents iteration) const {
  const Extent &rows = iteration[band->rows];
  Extent &columns = iteration[band->columns];
  int64_t side = machine.partitions, all = columns.size;
  auto [first, end] =
      band->band.columnsOf(rows.start.constant, rows.size, 0, all);
  // At least one tile, of rows that see nothing, too.
  first = std::min(first, all - 1) / side * side;
  end = std::min<int64_t>(all, llvm::alignTo(std::max(end, first + 1), side));
  columns.start += first;
  columns.size = end - first;
  return iteration;
}

Extents Masks::liveIn(unsigned nest, Extents extents) const {
  if (!leavesOut || !band->isIn(graph, stageOf(nest)))
    return extents;
  // The rows of the result stay: they begin with the tile.
  bool isTurned = graph.matrices[stageOf(nest).result].rows == band->columns;
  const Extent &given = extents[isTurned ? band->columns : band->rows];
  Extent &cut = extents[isTurned ? band->rows : band->columns];
  Band own = isTurned ? band->band.transposed() : band->band;
  int64_t side = machine.partitions, start = cut.start.constant;
  auto [first, end] =
      own.columnsOf(given.start.constant, given.size, start, start + cut.size);
  first = start + (std::max(first, start) - start) / side * side;
  end = std::min<int64_t>(
      start + cut.size,
      start + llvm::alignTo(std::max<int64_t>(end - start, 0), side));
  cut.start = first;
  cut.size = std::max<int64_t>(0, end - first);
  return extents;
}

llvm::SmallVector<LiveRun, 2> Masks::runsOfProduct(const Extents &extents,
                                                   bool hasBegun) const {
  llvm::SmallVector<LiveRun, 2> runs;
  const Extent &queries = extents[band->rows], &keys = extents[band->columns];
  int64_t side = machine.partitions, end = keys.start.constant + keys.size;
  for (int64_t begin = 0; begin < queries.size; begin += side) {
    int64_t size = std::min(side, queries.size - begin);
    auto live = band->band.columnsOf(queries.start.constant + begin, size, 0,
                                     graph.sizeOf(band->columns));
    int64_t first = live.first / side * side;
    if (first >= end || live.second <= keys.start.constant)
      continue;
    bool isFirst = !hasBegun && first >= keys.start.constant;
    if (!runs.empty() && runs.back().isFirst == isFirst &&
        runs.back().begin + runs.back().size == begin)
      runs.back().size += size;
    else
      runs.push_back({begin, size, isFirst});
  }
  return runs;
}

/// The columns of a tile, in runs of which `mask` hides nothing, or something.
static void addRun(llvm::SmallVectorImpl<MaskedRun> &runs,
                   const MaskedRun &run) {
  bool continues = !runs.empty() && runs.back().isOpen && run.isOpen &&
                   runs.back().begin + runs.back().size == run.begin;
  if (continues)
    runs.back().size += run.size;
  else if (run.size > 0)
    runs.push_back(run);
}

llvm::SmallVector<MaskedRun, 4> Masks::runsIn(unsigned nest,
                                              const Extents &extents) const {
  const Stage &stage = stageOf(nest);
  unsigned dim = graph.columnsIn(stage);
  const Extent &rows = extents[graph.matrices[stage.result].rows];
  int64_t size = extents[dim].size, side = machine.partitions;
  std::optional<unsigned> mask = find(nest, extents);
  if (!mask)
    return {{0, size, std::nullopt, false}};
  const Matrix &matrix = graph.matrices[*mask];
  int64_t row = rows.start.constant, from = extents[dim].start.constant;
  llvm::SmallVector<MaskedRun, 4> runs;
  if (matrix.role != Role::Constant) {
    auto [first, end] =
        matrix.band->wholeColumnsOf(row, rows.size, from, from + size);
    first = std::min<int64_t>(size, llvm::alignTo(first - from, side));
    end -= from;
    if (end != size)
      end = std::max<int64_t>(end, 0) / side * side;
    end = std::max(first, end);
    addRun(runs, {0, first, mask, false});
    addRun(runs, {first, end - first, mask, true});
    addRun(runs, {end, size - end, mask, false});
    return runs;
  }
  for (int64_t begin = 0; begin < size; begin += side) {
    int64_t first = from + begin, width = std::min(side, size - begin);
    auto live = matrix.band->columnsOf(row, rows.size, first, first + width);
    if (live.first >= live.second)
      continue;
    // Where it hides some, it has been added.
    addRun(runs, {begin, width, mask, true});
  }
  return runs;
}

std::optional<unsigned> Masks::find(unsigned nest,
                                    const Extents &extents) const {
  const Stage &stage = stageOf(nest);
  unsigned rows = graph.matrices[stage.result].rows;
  unsigned columns = graph.columnsIn(stage);
  if (extents[rows].start.isConstant() && extents[columns].start.isConstant())
    for (unsigned number : stage.expression.matrices())
      if (const Matrix &matrix = graph.matrices[number];
          matrix.band && matrix.rows == rows && matrix.columns == columns)
        return number;
  return std::nullopt;
}

std::optional<unsigned> Masks::findCut(unsigned nest,
                                       const Extents &tile) const {
  std::optional<unsigned> number = leavesOut ? find(nest, tile) : std::nullopt;
  if (!number || !isMadeMask(graph.matrices[*number]))
    return std::nullopt;
  const Matrix &mask = graph.matrices[*number];
  int64_t row = tile[mask.rows].start.constant,
          first = tile[mask.columns].start.constant,
          end = first + tile[mask.columns].size;
  int64_t height = tile[mask.rows].size;
  auto live = mask.band->columnsOf(row, height, first, end);
  std::pair<int64_t, int64_t> all{first, end};
  bool isCut = live.first < live.second &&
               mask.band->wholeColumnsOf(row, height, first, end) != all;
  return isCut ? number : std::nullopt;
}
