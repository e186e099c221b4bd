//===- MadeConstants.cpp - Constants that are made on chip ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MadeConstants.h"

#include "Blocks.h"
#include "trn/Machine/Machine.h"
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

PlannedBuffer planning::describeConstant(const Graph &graph, unsigned matrix,
                                         const Machine &machine) {
  const Matrix &constant = graph.matrices[matrix];
  PlannedBuffer buffer{
      matrix, Space::Sbuf, constant.type,
      std::min(graph.rowsOf(constant), machine.partitions),
      std::min(graph.columnsOf(constant), machine.movingFreeMax)};
  if (constant.band) {
    int64_t tiles = diagonalsCutBy(*constant.band, machine.partitions).size();
    buffer.rows = machine.partitions;
    buffer.columns = (1 + tiles) * machine.partitions;
  }
  return buffer;
}

void planning::makeConstant(const Graph &graph, const BlockView &buffer,
                            const Machine &machine, Emitter &emit) {
  const Matrix &matrix = graph.matrices[buffer.matrix];
  if (!matrix.band)
    return emit->fill(matrix.constant, buffer);
  const Band &band = *matrix.band;
  int64_t side = machine.partitions, begin = side;
  auto keep = [&](const BlockView &tile, int64_t diagonal, const Band &of,
                  float outside) {
    if (of.most && *of.most < diagonal + side - 1)
      emit->keepSide(*of.most - diagonal, 1, -1, outside, tile);
    if (of.least && *of.least > diagonal - side + 1)
      emit->keepSide(diagonal - *of.least, -1, 1, outside, tile);
  };
  BlockView unit = partOf(buffer, {0, side, 0, side});
  emit->fill(1, unit);
  keep(unit, 0, Band{0, 0}, 0);
  // So little that nothing adds up to more, but finite: zero times that is
  // zero.
  const float lowest = -0x1.fep127f;
  for (int64_t diagonal : diagonalsCutBy(band, side)) {
    BlockView tile = partOf(buffer, {0, side, begin, side});
    begin += side;
    emit->fill(0, tile);
    keep(tile, diagonal, band, lowest);
  }
}

BlockView planning::inConstant(const Graph &graph, BlockView region,
                               const Machine &machine) {
  const Matrix &matrix = graph.matrices[region.matrix];
  int64_t side = machine.partitions, tile = 0;
  if (matrix.band) {
    auto diagonals = diagonalsCutBy(*matrix.band, side);
    int64_t own = region.column.constant - region.row.constant;
    tile = llvm::find(diagonals, own) - diagonals.begin();
  }
  region.row = 0;
  region.column = matrix.band ? (1 + tile) * side : 0;
  return region;
}
