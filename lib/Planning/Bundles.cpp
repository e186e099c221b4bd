//===- Bundles.cpp - Tiles that share a bank ------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bundles.h"

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
  int64_t tiles = rows / machine.partitions;
  if (most < 2 || tiles < 2)
    return 1;
  int64_t count = llvm::divideCeil(tiles, llvm::divideCeil(tiles, most));
  return llvm::alignDown(count, homes.transfers.neighboursIn(home));
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
Bundles::listTilesApart(unsigned nest, const Extents &extents,
                        const BlockView &whole, const Tile &bundle,
                        int64_t step) const {
  llvm::SmallVector<BundledTile, 4> tiles;
  int64_t side = machine.partitions;
  for (int64_t row = 0; row < bundle.rows; row += step * side) {
    Tile all{bundle.row + row, step * side, 0, bundle.columns};
    Extents part = masks.liveIn(nest, within(all, nest, extents));
    BlockView to = whole;
    to.row = 0;
    to.rows = side;
    for (int64_t first = 0; first < step; ++first) {
      to.column = ((whole.row + all.row) / side + first) * bundle.columns;
      tiles.push_back({part, to, first});
    }
  }
  return tiles;
}

void Bundles::multiplyBundle(unsigned nest, const Home &home,
                             const Extents &extents, const BlockView &whole,
                             const Tile &bundle) {
  const Stage &stage = stageOf(nest);
  int64_t step = homes.transfers.neighboursIn(home);
  llvm::SmallVector<BundledTile, 4> tiles =
      step > 1 ? listTilesApart(nest, extents, whole, bundle, step)
               : listTiles(nest, extents, whole, bundle);
  if (tiles.empty())
    return;
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
    if (step > 1)
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
  emit.overPieces(
      whole.rows, count * side, [&](const LinearExpr &row, int64_t rows) {
        // One that is not full has fewer rows.
        int64_t full = rows / side * side;
        for (auto [start, size] :
             {std::pair(int64_t(0), full), std::pair(full, rows - full)}) {
          if (!size)
            continue;
          Tile bundle{row + start, size, 0, whole.columns};
          multiplyBundle(nest, home, extents, whole, bundle);
          finish(bundle);
        }
      });
}
