//===- Transfers.cpp - Blocks on their way to and from HBM ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transfers.h"

#include "trn/Machine/Machine.h"
#include "trn/Planning/Interleave.h"
#include "trn/Planning/Neighbours.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

Transfers::Transfers(const PlanFacts &facts, Emitter &emit)
    : PlanFacts(facts), blocks(facts), emit(emit),
      neighbours(findNeighbours(graph, plan, machine)),
      columnsInOrder(findColumnsInOrder(graph, plan)) {}

void Transfers::load(const Home &home, const BlockView &held,
                     const Extents &extents) {
  BlockView region = blocks.heldBy(home, extents);
  BlockView to = inBuffer(region, held);
  if (hasBeside(home))
    fillBeside(home, region, to);
  if (region.repeated &&
      plan.isInterleaved(graph.matrices[home.matrix].columns) &&
      !hasColumnsInOrder(home.matrix))
    return loadByTurning(region, to);
  if (int64_t count = neighboursIn(home); count > 1)
    return loadNeighbours(region, to, count);
  if (!home.whole || liesByPartitions(home)) {
    for (const auto &[hbm, buffer] : asTransferred(home, region, to, extents))
      buffer.runs > 1 ? loadWithGaps(hbm, buffer) : move(hbm, buffer);
    return;
  }
  // Nobody waits for rows that are read later.
  auto takeRows = [&](const LinearExpr &row, int64_t rows) {
    Tile tile{row, rows, 0, region.columns};
    move(partOf(region, tile), partOf(to, tile));
  };
  emit.overPieces(region.rows, machine.partitions, takeRows,
                  /*isUnrolled=*/true);
}

/// Gives `to` the constant behind its columns.
void Transfers::fillBeside(const Home &home, const BlockView &region,
                           BlockView to) {
  const Stage &reader = stageOf(home.nests.front());
  float value =
      graph.matrices[graph.findBeside(reader, home.matrix)->right].constant;
  int64_t side = machine.partitions, rows = 0;
  if (liesByPartitions(home)) {
    to.tileRows = side;
    to.tileStep = region.columns + 1;
    if (int64_t tiles = region.rows / side) {
      BlockView column = partOf(to, {0, side, region.columns, 1});
      column.columns = tiles;
      column.columnStep = to.tileStep;
      column.tileRows = 0;
      emit->fill(value, column);
      rows = tiles * side;
    }
  }
  emit.overPieces(region.rows - rows, side,
                  [&](const LinearExpr &row, int64_t count) {
                    Tile tile{row + rows, count, region.columns, 1};
                    BlockView column = partOf(to, tile);
                    column.tileRows = 0;
                    emit->fill(value, column);
                  });
}

void Transfers::store(const Home &home, const BlockView &from,
                      const BlockView &region, const Extents &extents) {
  if (int64_t count = neighboursIn(home); count > 1)
    return storeNeighbours(from, region, count);
  for (const auto &[hbm, buffer] : asTransferred(home, region, from, extents))
    move(buffer, hbm);
}

void Transfers::move(const BlockView &from, const BlockView &to) {
  const Matrix &matrix = graph.matrices[from.matrix];
  int64_t width = matrix.headColumns;
  if (!width)
    return emit->copy(from, to);
  auto takeHeads = [&](const BlockView &view, const LinearExpr &row,
                       int64_t rows) {
    BlockView heads = partOf(view, {row, rows, 0, view.columns});
    heads.runs = view.columns / width;
    heads.runStep = view.buffer ? width : graph.rowsOf(matrix) * width;
    heads.columns = width;
    return heads;
  };
  emit.overPieces(
      to.rows, machine.partitions, [&](const LinearExpr &row, int64_t rows) {
        emit->copy(takeHeads(from, row, rows), takeHeads(to, row, rows));
      });
}

/// Calls `body` with parts of `region` of whole rows, of which each partition
/// takes `count` neighbours at a time, and their places in `there`. A last
/// partition takes as many as are left.
void Transfers::overNeighbours(const BlockView &region, const BlockView &there,
                               int64_t count,
                               llvm::function_ref<void(Pair)> body) {
  auto take = [&](const LinearExpr &row, int64_t first, int64_t rows,
                  int64_t each) {
    int64_t width = each * region.columns;
    BlockView hbm{region.matrix,
                  std::nullopt,
                  0,
                  (region.row + row + first * count) * region.columns,
                  rows,
                  width};
    hbm.rowOf = width;
    body({hbm,
          {there.matrix, there.buffer, first,
           (there.row + row) / machine.partitions * region.columns, rows,
           width}});
  };
  emit.overPieces(region.rows, count * machine.partitions,
                  [&](const LinearExpr &row, int64_t rows) {
                    int64_t whole = rows / count;
                    if (whole)
                      take(row, 0, whole, count);
                    if (int64_t left = rows % count)
                      take(row, whole, 1, left);
                  });
}

void Transfers::loadNeighbours(const BlockView &region, const BlockView &to,
                               int64_t count) {
  overNeighbours(region, to, count,
                 [&](Pair both) { emit->copy(both.first, both.second); });
}

void Transfers::storeNeighbours(const BlockView &from, const BlockView &region,
                                int64_t count) {
  int64_t paired = rowsOfNeighbours(region.rows, count, machine);
  Tile first{0, paired, 0, region.columns};
  BlockView tiles = from;
  overNeighbours(partOf(region, first), tiles, count,
                 [&](Pair both) { emit->copy(both.second, both.first); });
  tiles.tileRows = machine.partitions;
  tiles.tileStep = region.columns;
  emit.overPieces(region.rows - paired, machine.partitions,
                  [&](const LinearExpr &row, int64_t rows) {
                    Tile tile{row + paired, rows, 0, region.columns};
                    move(partOf(tiles, tile), partOf(region, tile));
                  });
}

/// `region`, one row for all of `to`, of which each partition takes
/// neighbouring columns: they are spread over as many columns as `to` has rows,
/// and turned. Columns behind those that fill tiles come as they are.
void Transfers::loadByTurning(const BlockView &region, const BlockView &to) {
  const Matrix &matrix = graph.matrices[region.matrix];
  int64_t side = machine.partitions, tiles = region.columns / side;
  if (int64_t rest = region.columns % side) {
    Tile tile{0, region.rows, tiles * side, rest};
    move(partOf(region, tile), partOf(to, tile));
  }
  if (!tiles)
    return;
  auto open = [&](int64_t columns, int64_t slots) {
    return emit.openBuffer(
        {region.matrix, Space::Sbuf, matrix.type, side, columns, slots});
  };
  BlockView taken = open(tiles, 1), zeros = open(region.rows, 1);
  LinearExpr first = region.row * graph.columnsOf(matrix);
  BlockView hbm{region.matrix, std::nullopt, 0, first + region.column / side,
                side,          tiles};
  hbm.rowOf = graph.columnsOf(matrix) / side;
  emit->copy(hbm, taken);
  emit->fill(0, zeros);
  emit.repeat(tiles, [&](const LinearExpr &tile) {
    BlockView spread = open(region.rows, 2);
    emit->combine(Function::Add, {zeros}, {partOf(taken, {0, side, tile, 1})},
                  spread);
    BlockView bank = emit.openBank(region.matrix, region.rows, side);
    emit->transpose(spread, bank);
    emit->convert(bank, partOf(to, {0, region.rows, tile * side, side}),
                  std::nullopt);
  });
}

/// `hbm` to tiles with a gap behind each of them. Pieces that the DMA moves lie
/// without gaps on both sides, so it moves them to a buffer of their own.
void Transfers::loadWithGaps(const BlockView &hbm, const BlockView &to) {
  BlockView taken =
      emit.openBuffer({to.matrix, Space::Sbuf, graph.matrices[to.matrix].type,
                       to.rows, hbm.columns, 2});
  emit->copy(hbm, taken);
  int64_t most = std::max<int64_t>(1, machine.movingFreeMax / to.columns);
  for (int64_t tile = 0; tile < to.runs; tile += most) {
    BlockView from = taken, part = to;
    from.column += tile * to.columns;
    part.column += tile * to.runStep;
    from.runs = part.runs = std::min(most, to.runs - tile);
    from.columns = from.runStep = to.columns;
    emit->convert(from, part, std::nullopt);
  }
}

/// `region` of the matrix of `home` as transfers move it, in HBM and `there` on
/// chip. If it lies by partitions, these are its whole tiles, and the rows
/// behind them as they are.
llvm::SmallVector<Transfers::Pair, 2>
Transfers::asTransferred(const Home &home, const BlockView &region,
                         const BlockView &there, const Extents &extents) const {
  if (!liesByPartitions(home))
    return {{region, there}};
  llvm::SmallVector<Pair, 2> parts;
  BlockView tiles = there;
  tiles.tileRows = machine.partitions;
  tiles.tileStep = region.columns + hasBeside(home);
  auto add = [&](const BlockView &hbm, const Tile &tile) {
    BlockView buffer = partOf(tiles, tile);
    buffer.tileRows = 0;
    if (tiles.tileStep == region.columns) {
      buffer.columns = hbm.columns;
    } else {
      buffer.runs = hbm.columns / region.columns;
      buffer.runStep = tiles.tileStep;
    }
    parts.push_back({hbm, buffer});
  };
  int64_t rest = region.rows % machine.partitions, whole = region.rows - rest;
  Tile first{0, whole, 0, region.columns};
  if (whole)
    add(blocks.byPartitions(partOf(region, first), extents),
        {0, machine.partitions, 0, region.columns});
  Tile last{whole, rest, 0, region.columns};
  if (rest)
    add(partOf(region, last), last);
  return parts;
}
