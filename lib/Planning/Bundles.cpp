//===- Bundles.cpp - Tiles that share a bank ------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bundles.h"

#include "trn/Planning/Neighbours.h"

#include "trn/Machine/Machine.h"
#include "trn/Planning/StageNeeds.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

int64_t Bundles::countTiles(unsigned nest, const Home &home,
                            int64_t rows) const {
  const Stage &stage = stageOf(nest);
  bool addsUpNext = nest + 1 < plan.nests.size() && addsUpPrevious(nest + 1);
  if (plan.stacked || home.sums || addsUpNext ||
      !mayBundle(graph, stage, machine))
    return 1;
  int64_t most = mostInBundle(graph, stage, machine);
  int64_t step = homes.transfers.neighboursIn(home);
  int64_t all = llvm::divideCeil(rows, machine.partitions);
  if (step > 1 && all <= most)
    return std::max(step, all);
  int64_t tiles = rows / machine.partitions;
  if (most < 2 || tiles < 2)
    return 1;
  int64_t count = llvm::divideCeil(tiles, llvm::divideCeil(tiles, most));
  return std::max<int64_t>(step, llvm::alignDown(count, step));
}

/// Those tiles of `bundle` of which masks hide not all.
llvm::SmallVector<BundledTile, 4> Bundles::listTiles(unsigned nest,
                                                     const Extents &extents,
                                                     const BlockView &whole,
                                                     const Tile &bundle) {
  llvm::SmallVector<BundledTile, 4> tiles;
  int64_t side = machine.partitions;
  for (int64_t row = 0; row < bundle.rows; row += side) {
    Tile tile{bundle.row + row, std::min(side, bundle.rows - row), 0,
              bundle.columns};
    Extents part = masks.liveIn(nest, within(tile, nest, extents));
    bool isHidden =
        llvm::any_of(graph.dimsOf(stageOf(nest)),
                     [&](unsigned dim) { return part[dim].size == 0; });
    if (isHidden)
      emit->fill(0, partOf(whole, tile));
    else
      tiles.push_back({part, partOf(whole, tile)});
  }
  return tiles;
}

/// The same of tiles that have every `step`-th row: as many as those are
/// neighbours.
llvm::SmallVector<BundledTile, 4>
Bundles::listSteppedTiles(unsigned nest, const Extents &extents,
                          const BlockView &whole, const Tile &bundle,
                          int64_t step) const {
  llvm::SmallVector<BundledTile, 4> tiles;
  int64_t side = machine.partitions;
  for (int64_t row = 0; row < bundle.rows; row += step * side) {
    int64_t rows = std::min(step * side, bundle.rows - row);
    Tile all{bundle.row + row, rows, 0, bundle.columns};
    Extents part = masks.liveIn(nest, within(all, nest, extents));
    for (int64_t first = 0; first < step; ++first) {
      Tile own{all.row + first * side, rows / step, 0, bundle.columns};
      tiles.push_back({part, partOf(whole, own), first, step});
    }
  }
  return tiles;
}

/// The first `neighbours` rows of `bundle` have neighbours.
void Bundles::multiplyBundle(unsigned nest, const Home &home,
                             const Extents &extents, const BlockView &whole,
                             const Tile &bundle, int64_t neighbours) {
  const Stage &stage = stageOf(nest);
  int64_t step = homes.transfers.neighboursIn(home);
  llvm::SmallVector<BundledTile, 4> tiles = listSteppedTiles(
      nest, extents, whole, {bundle.row, neighbours, 0, bundle.columns}, step);
  tiles.append(listTiles(
      nest, extents, whole,
      {bundle.row + neighbours, bundle.rows - neighbours, 0, bundle.columns}));
  if (tiles.empty())
    return;
  for (BundledTile &tile : tiles)
    tile.to.tileRows = 0;
  int64_t rows = tiles.front().to.rows, width = bundle.columns + 1;
  BlockView bank =
      emit.openBank(home.matrix, rows, int64_t(tiles.size()) * width);
  for (auto [number, tile] : llvm::enumerate(tiles)) {
    int64_t first = int64_t(number) * width;
    tile.sums.resize(stage.numProducts());
    for (const Term &term : stage.terms)
      tile.sums[term.sum] = graph.isBeside(stage, term.right)
                                ? partOf(bank, {0, rows, first + width - 1, 1})
                                : partOf(bank, {0, rows, first, width - 1});
    if (tile.step > 1)
      products.sumUpRows(nest, tile.extents, tile.first, step, tile.sums);
    else
      products.sumUpIn(nest, tile.extents, tile.sums);
  }
  evaluator.evaluateBundle(nest, bank, tiles);
}

void Bundles::multiply(unsigned nest, const Home &home, const Extents &extents,
                       int64_t count, Emitter::TileBody finish) {
  BlockView whole = homes.inHome(home, nest, extents);
  int64_t side = machine.partitions;
  int64_t step = homes.transfers.neighboursIn(home);
  if (step > 1)
    whole.tileRows = side, whole.tileStep = whole.columns;
  emit.overPieces(
      whole.rows, count * side, [&](const LinearExpr &row, int64_t rows) {
        // Tiles of a bundle have as many rows each; one behind them has fewer.
        int64_t neighbours =
            step > 1 ? rowsOfNeighbours(rows, step, machine) : 0;
        int64_t full = neighbours == rows ? rows / (step * side) * (step * side)
                                          : rows / side * side;
        for (auto [start, size] :
             {std::pair(int64_t(0), full), std::pair(full, rows - full)})
          if (size)
            multiplyBundle(nest, home, extents, whole,
                           {row + start, size, 0, whole.columns},
                           std::clamp<int64_t>(neighbours - start, 0, size));
        finish({row, rows, 0, whole.columns});
      });
}
