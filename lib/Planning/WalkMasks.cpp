//===- WalkMasks.cpp - What masks hide of tiles ---------------------------===//
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

#include "Walker.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

/// The diagonals on which square tiles of `side` begin that `band` cuts.
static llvm::SmallVector<int64_t> diagonalsCutBy(const Band &band,
                                                 int64_t side) {
  llvm::SmallVector<int64_t> diagonals;
  for (std::optional<int64_t> bound : {band.least, band.most}) {
    if (!bound)
      continue;
    int64_t last = llvm::divideFloorSigned(*bound + side - 1, side) * side;
    for (int64_t diagonal : {last - side, last}) {
      int64_t least = diagonal - side + 1, most = diagonal + side - 1;
      bool isCut = (band.least && least < *band.least && *band.least <= most) ||
                   (band.most && least <= *band.most && *band.most < most);
      if (isCut && !llvm::is_contained(diagonals, diagonal))
        diagonals.push_back(diagonal);
    }
  }
  return diagonals;
}

/// Whether the mask hides some of a tile, but not all.
static bool isCut(const Band &band, const Extents &tile, const Matrix &mask) {
  int64_t row = tile[mask.rows].start.constant,
          first = tile[mask.columns].start.constant,
          end = first + tile[mask.columns].size;
  int64_t height = tile[mask.rows].size;
  auto live = band.columnsOf(row, height, first, end);
  std::pair<int64_t, int64_t> all{first, end};
  return live.first < live.second &&
         band.wholeColumnsOf(row, height, first, end) != all;
}

PlannedBuffer BufferWalker::describeConstant(const Home &home) const {
  const Matrix &matrix = graph.matrices[home.matrix];
  PlannedBuffer buffer{
      home.matrix, Space::Sbuf, matrix.type,
      std::min(graph.rowsOf(matrix), machine.partitions),
      std::min(graph.columnsOf(matrix), machine.movingFreeMax)};
  if (matrix.band) {
    int64_t tiles = diagonalsCutBy(*matrix.band, machine.partitions).size();
    buffer.rows = machine.partitions;
    buffer.columns = (1 + tiles) * machine.partitions;
  }
  return buffer;
}

void BufferWalker::makeConstant(const Home &home, const PlannedBuffer &buffer) {
  const Matrix &matrix = graph.matrices[home.matrix];
  BlockView whole = liveOf(home).block;
  whole.row = whole.column = 0;
  whole.rows = buffer.rows;
  whole.columns = buffer.columns;
  if (!matrix.band)
    return visitor->fill(matrix.constant, whole);
  const Band &band = *matrix.band;
  int64_t side = machine.partitions, begin = side;
  auto keep = [&](const BlockView &tile, int64_t diagonal, const Band &of,
                  float outside) {
    if (of.most && *of.most < diagonal + side - 1)
      visitor->keepSide(*of.most - diagonal, 1, -1, outside, tile);
    if (of.least && *of.least > diagonal - side + 1)
      visitor->keepSide(diagonal - *of.least, -1, 1, outside, tile);
  };
  BlockView unit = partOf(whole, {0, side, 0, side});
  visitor->fill(1, unit);
  keep(unit, 0, Band{0, 0}, 0);
  // So little that nothing adds up to more, but finite: zero times that is
  // zero.
  const float lowest = -0x1.fep127f;
  for (int64_t diagonal : diagonalsCutBy(band, side)) {
    BlockView tile = partOf(whole, {0, side, begin, side});
    begin += side;
    visitor->fill(0, tile);
    keep(tile, diagonal, band, lowest);
  }
}

/// Adds a mask that is made on chip to sums in their bank, where it hides some
/// of a tile: a product with the unit matrix.
void Walker::addMask(unsigned nest, const Extents &extents,
                     const BlockView &bank) {
  std::optional<unsigned> mask =
      leavesOut ? findMask(nest, extents) : std::nullopt;
  if (!mask || !isMadeMask(graph.matrices[*mask]))
    return;
  const Home &home = *plan.homeOf(*mask, nest);
  int64_t rows = bank.rows, side = machine.partitions;
  BlockView unit = liveOf(home).block;
  unit.row = unit.column = 0;
  unsigned dim = graph.columnsIn(stageOf(nest));
  for (int64_t begin = 0; begin < extents[dim].size; begin += side) {
    int64_t size = std::min(side, extents[dim].size - begin);
    Extents part = cut(extents, dim, begin, size);
    if (isCut(*graph.matrices[*mask].band, part, graph.matrices[*mask]))
      visitor->multiply(partOf(unit, {0, rows, 0, rows}),
                        operand(*mask, nest, part),
                        partOf(bank, {0, rows, begin, size}), 1);
  }
}

/// Where `region` of the matrix lies in the home of a constant.
BlockView BufferWalker::inConstant(const Home &home, BlockView region) const {
  const Matrix &matrix = graph.matrices[home.matrix];
  int64_t side = machine.partitions, tile = 0;
  if (matrix.band) {
    auto diagonals = diagonalsCutBy(*matrix.band, side);
    int64_t own = region.column.constant - region.row.constant;
    tile = llvm::find(diagonals, own) - diagonals.begin();
  }
  region.buffer = live[&home - plan.homes.data()].block.buffer;
  region.row = 0;
  region.column = matrix.band ? (1 + tile) * side : 0;
  return region;
}

Extents Walker::liveIn(unsigned nest, Extents extents) const {
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

/// A product whose columns are the rows of the band, over a tile of its
/// columns: those of which the mask hides all of that tile are left out, and of
/// others it may be the first, unless the sum has begun.
void Walker::multiplyLive(unsigned nest, const Term &term,
                          const Extents &extents, const BlockView &bank,
                          bool hasBegun) {
  struct Run {
    int64_t begin, size;
    bool isFirst;
  };
  llvm::SmallVector<Run, 2> runs;
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
  for (const Run &run : runs) {
    Extents part = cut(extents, band->rows, run.begin, run.size);
    visitor->multiply(operand(term.left, nest, part, term.over),
                      operand(term.right, nest, part, term.over),
                      partOf(bank, {0, bank.rows, run.begin, run.size}),
                      run.isFirst ? 0 : 1);
  }
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

llvm::SmallVector<MaskedRun, 4> Walker::runsIn(unsigned nest,
                                               const Extents &extents) const {
  const Stage &stage = stageOf(nest);
  unsigned dim = graph.columnsIn(stage);
  const Extent &rows = extents[graph.matrices[stage.result].rows];
  int64_t size = extents[dim].size, side = machine.partitions;
  std::optional<unsigned> mask = findMask(nest, extents);
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

/// The mask of which it is known where it hides nothing.
std::optional<unsigned> Walker::findMask(unsigned nest,
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
