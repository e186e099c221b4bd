//===- Transpositions.cpp - Transposed tiles ------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transpositions.h"

#include "trn/Machine/Machine.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

/// Tiles of `from` that have the same columns, transposed side by side into one
/// bank, so that one copy takes them out. Each partition has so many
/// neighbouring rows.
BlockView Transpositions::transposeIntoBank(unsigned matrix,
                                            const BlockView &from,
                                            int64_t neighbours) {
  ElementType type = graph.matrices[from.matrix].type;
  if (!machine.psumTransposeNarrow || byteSize(type) != 2)
    type = ElementType::F32;
  BlockView bank =
      emit.openBuffer({matrix, Space::Psum, type, from.columns, from.rows, 0});
  int64_t width = graph.columnsOf(graph.matrices[from.matrix]);
  int64_t side = machine.partitions, group = side * neighbours;
  for (int64_t at = 0; at < from.rows; at += group) {
    int64_t rows = std::min(group, from.rows - at);
    for (int64_t own = 0; own < std::min(neighbours, rows); ++own) {
      int64_t count = llvm::divideCeil(rows - own, neighbours);
      BlockView tile = partOf(from, {at, count, 0, from.columns});
      if (neighbours > 1) {
        tile.column += (tile.row / side + own) * width;
        tile.row = 0;
      }
      BlockView to = partOf(bank, {0, bank.rows, at + own, count});
      to.columnStep = neighbours;
      emit->transpose(tile, to);
    }
  }
  return bank;
}

/// A row of X is a column of each tile, of which a partition has the elements
/// that lie beside each other in HBM.
void Transpositions::loadInterleavedRows(unsigned nest,
                                         const Extents &extents) {
  const Stage &stage = stageOf(nest);
  const Matrix &source = graph.matrices[*stage.source];
  BlockView to = homes.liveOf(*plan.homeOf(stage.result, nest)).block;
  int64_t side = machine.partitions, tiles = graph.columnsOf(source) / side;
  LinearExpr first = homes.blocks.inHbm(*stage.source, nest, extents).row;
  emit.overPieces(graph.rowsOf(source), 1, [&](const LinearExpr &row, int64_t) {
    BlockView hbm{*stage.source, std::nullopt, (first + row) * side, 0,
                  side,          tiles};
    hbm.rowOf = tiles;
    emit->copy(hbm, {to.matrix, to.buffer, 0, row * tiles, side, tiles});
  });
}

/// Rows of one tile's width come from HBM to all partitions, as many as one
/// bank takes transposed at a time.
void Transpositions::transposePacked(unsigned nest, const Extents &extents) {
  const Stage &stage = stageOf(nest);
  const Home &home = *plan.homeOf(stage.result, nest);
  const Home &raw = *plan.homeOf(*stage.source, nest);
  int64_t side = machine.partitions;
  const Matrix &source = graph.matrices[*stage.source];
  int64_t pieces = graph.columnsOf(source) / side;
  int64_t rows = graph.rowsOf(source) * pieces;
  LinearExpr first =
      homes.blocks.inHbm(*stage.source, nest, extents).row * pieces;
  emit.overPieces(
      rows, tileWidth(nest), [&](const LinearExpr &start, int64_t count) {
        BlockView hbm{*stage.source, std::nullopt, first + start, 0,
                      count,         side};
        hbm.rowOf = side;
        BlockView from = emit.openBuffer(
            {*stage.source, Space::Sbuf, source.type, count, side, raw.slots});
        emit->copy(hbm, from);
        BlockView bank = transposeIntoBank(home.matrix, from), to = bank;
        to.buffer = homes.liveOf(home).block.buffer;
        to.column = start;
        copies.convert(nest, bank, to);
      });
}

void Transpositions::transpose(unsigned nest, const Extents &extents) {
  const Stage &stage = stageOf(nest);
  const Home &home = *plan.homeOf(stage.result, nest);
  if (home.packed && plan.isInterleaved(graph.matrices[stage.result].rows))
    return loadInterleavedRows(nest, extents);
  if (home.packed)
    return transposePacked(nest, extents);
  BlockView from = homes.operand(*stage.source, nest, extents);
  BlockView to = homes.inHome(home, nest, extents);
  // Tile t has the t-th column of each partition, a last one those behind them.
  unsigned dim = graph.matrices[*stage.source].columns;
  bool isInOrder = homes.transfers.hasColumnsInOrder(*stage.source);
  auto turned = [&](const Tile &tile) {
    Tile part{tile.column, tile.columns, tile.row, tile.rows};
    if (!isInOrder || tile.rows < machine.partitions)
      return partOf(from, part);
    BlockView apart = from;
    const LinearExpr &start = extents[dim].start;
    apart.column += (start + tile.row) / machine.partitions - start;
    apart.columnStep = graph.sizeOf(dim) / machine.partitions;
    part.column = 0;
    return partOf(apart, part);
  };
  if (!from.buffer)
    return emit.overTiles(to, machine.partitions, [&](const Tile &tile) {
      emit->transposeByDma(turned(tile), partOf(to, tile));
    });
  int64_t neighbours =
      homes.transfers.neighboursIn(*plan.homeOf(*stage.source, nest));
  emit.overTiles(to, tileWidth(nest), [&](const Tile &tile) {
    BlockView bank = transposeIntoBank(home.matrix, turned(tile), neighbours);
    evaluator.evaluate(nest, within(tile, nest, extents), bank,
                       partOf(to, tile));
  });
}
