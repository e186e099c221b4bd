//===- Tiles.cpp - The tiles inside the loops of a plan -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tiles.h"

#include "trn/Machine/Machine.h"
#include "trn/Planning/StageNeeds.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

Tiles::Tiles(Homes &homes, const Masks &masks)
    : PlanFacts(homes), homes(homes), masks(masks), emit(homes.emit),
      copies(homes, emit), evaluator(homes, masks, copies),
      products(homes, masks), bundles(homes, masks, evaluator, products),
      transpositions(homes, copies, evaluator) {}

void Tiles::compute(unsigned nest, const Extents &extents) {
  const Stage &stage = stageOf(nest);
  emit->enterStage(nest);
  if (stage.isTransposition())
    return transpositions.transpose(nest, extents);
  const Home &home = *plan.homeOf(stage.result, nest);
  if (addsUpPrevious(nest))
    return;
  if (stage.reducesAll())
    return reduce(nest, home, extents);
  if (stage.reduction)
    return reduceGroups(nest, home, extents);
  if (home.sumsInPsum())
    return products.addTo(home, extents);
  multiply(nest, home, extents);
}

//===----------------------------------------------------------------------===//
// Products, and values of what SBUF holds
//===----------------------------------------------------------------------===//

/// A tile, which is `to` in its home.
void Tiles::multiplyTile(unsigned nest, const Home &home,
                         const Extents &extents, const Tile &tile,
                         const BlockView &to) {
  Extents part = masks.liveIn(nest, within(tile, nest, extents));
  bool adds = addsToPrevious(nest, extents);
  unsigned count = stageOf(nest).numProducts();
  bool isHidden = llvm::any_of(graph.dimsOf(stageOf(nest)), [&](unsigned dim) {
    return part[dim].size == 0;
  });
  if (isHidden && adds)
    return;
  if (isHidden) {
    for (unsigned sum = 0; sum < count; ++sum)
      emit->fill(0, partOf(homes.inSums(home, sum, extents), tile));
    return;
  }
  llvm::SmallVector<BlockView, 2> banks =
      products.sumUp(nest, part, tile.rows, tile.columns);
  if (!home.sums && !adds)
    return evaluator.evaluate(nest, part, banks, to);
  for (unsigned sum = 0; sum < count; ++sum) {
    BlockView sums = partOf(homes.inSums(home, sum, extents), tile);
    sums.columns = banks[sum].columns;
    if (adds)
      emit->add(banks[sum], sums);
    else
      copies.convert(nest, banks[sum], sums);
  }
}

/// Several tiles of rows, one by one or together if each partition has
/// neighbours.
void Tiles::storeRows(const Home &home, const BlockView &from,
                      const BlockView &hbm) {
  if (int64_t count = homes.transfers.neighboursIn(home); count > 1)
    return homes.transfers.storeNeighbours(from, hbm, count);
  emit.overPieces(
      from.rows, machine.partitions,
      [&](const LinearExpr &row, int64_t rows) {
        Tile done{row, rows, 0, from.columns};
        homes.transfers.move(partOf(from, done), partOf(hbm, done));
      },
      /*isUnrolled=*/true);
}

void Tiles::multiply(unsigned nest, const Home &home, const Extents &extents) {
  BlockView whole = homes.inHome(home, nest, extents);
  BlockView hbm = homes.blocks.inHbm(home.matrix, nest, extents);
  bool stores = isStoredByTile(home);
  if (int64_t count = bundles.countTiles(nest, home, whole.rows); count > 1)
    return bundles.multiply(nest, home, extents, count, [&](const Tile &done) {
      if (stores)
        storeRows(home, partOf(whole, done), partOf(hbm, done));
    });
  // For each group there is one column.
  int64_t width = graph.groupIn(stageOf(nest)).value_or(tileWidth(nest));
  llvm::SmallVector<Engine> engines = copies.shareTiles(nest, whole);
  // What a mask hides nothing of is known of single tiles.
  bool isUnrolled = masks.find(nest, extents).has_value() || !engines.empty();
  const Engine *engine = engines.begin();
  auto emitRow = [&](const LinearExpr &row, int64_t rows) {
    copies.tileEngine =
        engines.empty() ? std::nullopt : std::optional(*engine++);
    unsigned dim = graph.matrices[home.matrix].columns;
    Extents live = masks.liveIn(
        nest, within({row, rows, 0, whole.columns}, nest, extents));
    LinearExpr first = live[dim].start - extents[dim].start;
    emit.overPieces(
        live[dim].size, width,
        [&](const LinearExpr &column, int64_t columns) {
          Tile tile{row, rows, first + column, columns};
          multiplyTile(nest, home, extents, tile, partOf(whole, tile));
        },
        isUnrolled);
    Tile done{row, rows, 0, whole.columns};
    if (stores)
      homes.transfers.move(partOf(whole, done), partOf(hbm, done));
  };
  emit.overPieces(whole.rows, machine.partitions, emitRow, isUnrolled);
  copies.tileEngine.reset();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Reduces the columns of `extents` to some of `columns`, from number `first`
/// on: one, or one for each run. Returns how many.
int64_t Tiles::reducePiece(unsigned nest, const Extents &extents,
                           const BlockView &columns, const LinearExpr &first) {
  const Stage &stage = stageOf(nest);
  int64_t size = extents[stage.reduction->over].size;
  llvm::SmallVector<BlockView, 2> banks;
  if (!stage.terms.empty())
    banks = products.sumUp(nest, extents, columns.rows, size);
  llvm::SmallVector<MaskedRun, 4> runs{{0, size}};
  if (masks.leavesOut)
    runs = masks.runsIn(nest, extents);
  for (auto [number, run] : llvm::enumerate(runs))
    evaluator.evaluateRun(
        nest, extents, run, banks,
        partOf(columns, {0, columns.rows, first + number, 1}));
  return runs.size();
}

/// Each piece of the columns becomes a column, and these become one.
void Tiles::reduce(unsigned nest, const Home &home, const Extents &extents) {
  const Stage &stage = stageOf(nest);
  const Reduction &reduction = *stage.reduction;
  BlockView whole = homes.inHome(home, nest, extents);
  BlockView hbm = homes.blocks.inHbm(home.matrix, nest, extents);
  bool adds = addsToPrevious(nest, extents), stores = isStoredByTile(home);
  int64_t width = tileWidth(nest);
  auto openColumns = [&](int64_t rows, int64_t count) {
    return emit.openBuffer(
        {home.matrix, Space::Sbuf, ElementType::F32, rows, count, 2});
  };
  emit.overPieces(
      whole.rows, machine.partitions, [&](const LinearExpr &row, int64_t rows) {
        Tile done{row, rows, 0, 1};
        Extents all = masks.liveIn(nest, within(done, nest, extents));
        int64_t size = all[reduction.over].size;
        if (!size && adds)
          return;
        auto pieceOf = [&](const LinearExpr &start, int64_t count) {
          return cut(all, reduction.over, start, count);
        };
        // Masks cut some pieces into several.
        int64_t pieces = 0;
        for (int64_t start = 0; start < size; start += width)
          pieces +=
              masks.leavesOut
                  ? masks
                        .runsIn(nest,
                                pieceOf(start, std::min(width, size - start)))
                        .size()
                  : 1;
        BlockView to = partOf(whole, done);
        BlockView own = adds ? openColumns(rows, 1) : to;
        BlockView parts = pieces > 1 ? openColumns(rows, pieces) : own;
        int64_t next = 0;
        emit.overPieces(
            size, width, [&](const LinearExpr &start, int64_t count) {
              next += reducePiece(nest, pieceOf(start, count), parts,
                                  emit.isWrittenOut ? next : start / width);
            });
        if (pieces > 1)
          emit->reduce(reduction.function, parts, own);
        if (adds)
          emit->combine(reduction.function, {own}, {to}, to);
        if (stores)
          emit->copy(to, partOf(hbm, done));
      });
}

/// Each group of the columns becomes a column.
void Tiles::reduceGroups(unsigned nest, const Home &home,
                         const Extents &extents) {
  const Stage &stage = stageOf(nest);
  unsigned rowsDim = graph.matrices[stage.result].rows;
  unsigned over = stage.reduction->over;
  BlockView whole = homes.inHome(home, nest, extents);
  BlockView hbm = homes.blocks.inHbm(home.matrix, nest, extents);
  int64_t width = *graph.groupIn(stage);
  auto emitRow = [&](const LinearExpr &row, int64_t rows) {
    Extents all = cut(extents, rowsDim, row, rows);
    emit.overPieces(extents[over].size, width,
                    [&](const LinearExpr &start, int64_t columns) {
                      evaluator.evaluateRun(
                          nest, cut(all, over, start, columns), {0, columns},
                          {}, partOf(whole, {row, rows, start / width, 1}));
                    });
    Tile done{row, rows, 0, whole.columns};
    if (isStoredByTile(home))
      homes.transfers.move(partOf(whole, done), partOf(hbm, done));
  };
  emit.overPieces(whole.rows, machine.partitions, emitRow);
}

//===----------------------------------------------------------------------===//
// What is complete
//===----------------------------------------------------------------------===//

void Tiles::evictSums(const Home &home, const Extents &extents) {
  if (holdsSums(home))
    return;
  unsigned nest = home.nests.front();
  if (isAllocatedLate(home))
    homes.open(home, extents);
  BlockView to = homes.inHome(home, nest, extents);
  BlockView hbm = homes.blocks.inHbm(home.matrix, nest, extents);
  int64_t height = machine.partitions, width = machine.movingFreeMax;
  unsigned count = stageOf(nest).numSums();
  if (home.sums->store == Store::Sbuf)
    return emit.overTiles(to, width, [&](const Tile &tile) {
      llvm::SmallVector<BlockView, 2> sums;
      for (unsigned sum = 0; sum < count; ++sum)
        sums.push_back(partOf(homes.inSums(home, sum, extents), tile));
      evaluator.evaluate(nest, within(tile, nest, extents), sums,
                         partOf(to, tile));
    });
  // As much at once as two banks hold makes rows that DMA moves well.
  bool stores = isStoredByTile(home);
  int64_t unit = wholeColumnsOf(graph, stageOf(nest));
  llvm::ArrayRef<BlockView> banks = homes.liveOf(home).sums;
  for (int64_t row = 0; row < to.rows; row += height)
    for (int64_t column = 0, stored = 0; column < to.columns; column += width) {
      int64_t columns = std::min(width, to.columns - column);
      int64_t end = column + columns;
      Tile tile{row, banks.front().rows, column, columns};
      evaluator.evaluate(nest, within(tile, nest, extents),
                         banks.take_front(count), partOf(to, tile));
      banks = banks.drop_front(count);
      Tile done{row, tile.rows, stored, end - stored};
      int64_t left = to.columns - end, elements = done.columns * done.rows;
      if (!stores ||
          (left && (end % unit || left < width || done.columns < 2 * width ||
                    elements < width * height / 8)))
        continue;
      homes.transfers.move(partOf(to, done), partOf(hbm, done));
      stored = end;
    }
}

void Tiles::complete(NestRange group, unsigned depth, const Extents &extents) {
  for (const Home &home : plan.homes) {
    if (home.sums && home.sums->level == depth &&
        group.contains(home.nests.front())) {
      emit->enterStage(home.nests.front());
      evictSums(home, extents);
    }
    if (home.level == depth && isClosedBehind(home, group) && isWritten(home) &&
        isOffChip(home.matrix) && !isStoredByTile(home)) {
      unsigned nest = home.nests.front();
      emit->enterStage(nest);
      homes.transfers.store(home, homes.inHome(home, nest, extents),
                            homes.blocks.inHbm(home.matrix, nest, extents),
                            extents);
    }
  }
}
