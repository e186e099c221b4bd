//===- WalkHomes.cpp - Buffers that the loops of a plan open and close ----===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walker.h"
#include "trn/Planning/StageNeeds.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

int32_t BufferWalker::allocate(PlannedBuffer buffer) {
  // What is written out has buffers of its own.
  if (isWrittenOut)
    buffer.slots = std::min<int64_t>(buffer.slots, 1);
  visitor->allocate(buffers, buffer);
  return buffers++;
}

BlockView BufferWalker::openBuffer(const PlannedBuffer &buffer) {
  return {buffer.matrix, allocate(buffer), 0, 0, buffer.rows, buffer.columns};
}

BlockView BufferWalker::openBank(unsigned matrix, int64_t rows,
                                 int64_t columns) {
  return openBuffer({matrix, Space::Psum, ElementType::F32, rows, columns, 0});
}

/// The sums of a tile, each in a bank of its own or behind another one.
llvm::SmallVector<BlockView, 2>
BufferWalker::openBanks(unsigned nest, int64_t rows, int64_t columns) {
  const Stage &stage = stageOf(nest);
  unsigned count = stage.numProducts(), matrix = stage.result;
  llvm::SmallVector<BlockView, 2> banks(count);
  for (const Term &term : stage.terms) {
    const Term *beside = graph.findBeside(stage, term.right);
    bool isOpen = banks[term.sum].buffer.has_value();
    if (isOpen || graph.isBeside(stage, term.right))
      continue;
    BlockView bank =
        openBank(matrix, rows,
                 graph.isColumn(stage, term.sum) ? 1 : columns + bool(beside));
    if (beside)
      banks[beside->sum] = partOf(bank, {0, rows, columns, 1});
    bank.columns -= bool(beside);
    banks[term.sum] = bank;
  }
  return banks;
}

/// The sums of tiles one below the other, whose columns lie side by side.
llvm::SmallVector<BlockView, 2>
BufferWalker::openTilesInBanks(unsigned nest, int64_t rows, int64_t columns) {
  int64_t height = std::min(rows, machine.partitions);
  int64_t count = llvm::divideCeil(rows, height);
  llvm::SmallVector<BlockView, 2> tiles;
  auto banks = openBanks(nest, height, count * columns);
  for (int64_t tile = 0; tile < count; ++tile)
    for (const BlockView &bank : banks)
      tiles.push_back(partOf(bank, {0, std::min(height, rows - tile * height),
                                    tile * columns, columns}));
  return tiles;
}

/// Homes inside of `level` loops that `group` opens again and again, `extents`
/// being the largest, get their slots.
void BufferWalker::beginRotation(NestRange group, unsigned level,
                                 const Extents &extents) {
  for (const Home &home : plan.homes)
    if (home.level == level && !home.ahead && !home.packed &&
        !findGuest(home) && group.contains(home.nests.front())) {
      std::deque<int32_t> own;
      for (int64_t slot = 0; slot < home.slots; ++slot)
        own.push_back(allocateHome(home, extents, /*slots=*/1));
      rotations[&home] = std::move(own);
    }
}

void BufferWalker::endRotation(unsigned level) {
  for (const Home &home : plan.homes)
    if (home.level == level)
      rotations.erase(&home);
}

int32_t BufferWalker::allocateHome(const Home &home, const Extents &extents) {
  if (const RowsBelow *below = findGuest(home))
    return *liveOf(*below->right).block.buffer;
  auto rotation = rotations.find(&home);
  if (rotation == rotations.end())
    return allocateHome(home, extents,
                        home.ahead && home.level ? 1 : home.slots);
  std::deque<int32_t> &own = rotation->second;
  own.push_back(own.front());
  own.pop_front();
  return own.back();
}

int32_t BufferWalker::allocateHome(const Home &home, const Extents &extents,
                                   int64_t slots) {
  const Matrix &matrix = graph.matrices[home.matrix];
  if (matrix.role == Role::Constant)
    return allocate(describeConstant(home));
  BlockView block = blockOf(home, extents);
  PlannedBuffer buffer{home.matrix, Space::Sbuf,   matrix.type,
                       block.rows,  block.columns, slots};
  buffer.columns += besideHome(home) != nullptr;
  if (const RowsBelow *below = findHost(home))
    buffer.rows += graph.sizeOf(below->below->over);
  if (home.packed || liesByPartitions(home) || neighboursIn(home) > 1) {
    buffer.columns *= buffer.rows / machine.partitions;
    buffer.rows = machine.partitions;
  }
  return allocate(buffer);
}

/// What lies behind the columns of `home`, if anything does.
const Term *BufferWalker::besideHome(const Home &home) const {
  return graph.findBeside(stageOf(home.nests.front()), home.matrix);
}

void BufferWalker::load(const Home &home, const Extents &extents) {
  if (graph.matrices[home.matrix].role == Role::Constant)
    return makeConstant(home, describeConstant(home));
  BlockView region = blockOf(home, extents);
  const BlockView &held = liveOf(home).block;
  if (const Term *beside = besideHome(home))
    overPieces(region.rows, machine.partitions,
               [&](const LinearExpr &row, int64_t rows) {
                 visitor->fill(graph.matrices[beside->right].constant,
                               partOf(inBuffer(region, held),
                                      {row, rows, region.columns, 1}));
               });
  if (region.repeated &&
      plan.isInterleaved(graph.matrices[home.matrix].columns) &&
      !columnsInOrder[home.matrix])
    return loadByTurning(region, inBuffer(region, held));
  if (int64_t count = neighboursIn(home); count > 1)
    return loadNeighbours(region, inBuffer(region, held), count);
  auto [hbm, buffer] =
      asTransferred(home, region, inBuffer(region, held), extents);
  if (!home.whole || liesByPartitions(home))
    return transfer(hbm, buffer);
  // Nobody waits for rows that are read later.
  auto takeRows = [&, &from = hbm, &to = buffer](const LinearExpr &row,
                                                 int64_t rows) {
    Tile tile{row, rows, 0, region.columns};
    transfer(partOf(from, tile), partOf(to, tile));
  };
  overPieces(region.rows, machine.partitions, takeRows, /*isUnrolled=*/true);
}

/// One side is in HBM. Each head there takes its columns.
void BufferWalker::transfer(const BlockView &from, const BlockView &to) {
  const Matrix &matrix = graph.matrices[from.matrix];
  int64_t width = matrix.headColumns;
  if (!width)
    return visitor->copy(from, to);
  auto takeHeads = [&](const BlockView &view, const LinearExpr &row,
                       int64_t rows) {
    BlockView heads = partOf(view, {row, rows, 0, view.columns});
    heads.runs = view.columns / width;
    heads.runStep = view.buffer ? width : graph.rowsOf(matrix) * width;
    heads.columns = width;
    return heads;
  };
  overPieces(
      to.rows, machine.partitions, [&](const LinearExpr &row, int64_t rows) {
        visitor->copy(takeHeads(from, row, rows), takeHeads(to, row, rows));
      });
}

/// `region` of whole rows, of which each partition takes `count` neighbours at
/// a time.
void BufferWalker::loadNeighbours(const BlockView &region, const BlockView &to,
                                  int64_t count) {
  int64_t side = machine.partitions, width = count * region.columns;
  overPieces(region.rows, count * side, [&](const LinearExpr &row, int64_t) {
    BlockView hbm{region.matrix, std::nullopt, (region.row + row) / count, 0,
                  side,          width};
    hbm.rowOf = width;
    visitor->copy(hbm, {to.matrix, to.buffer, 0,
                        (to.row + row) / side * region.columns, side, width});
  });
}

/// `region`, one row for all of `to`, of which each partition takes
/// neighbouring columns: they are spread over as many columns as `to` has rows,
/// and turned.
void BufferWalker::loadByTurning(const BlockView &region, const BlockView &to) {
  const Matrix &matrix = graph.matrices[region.matrix];
  int64_t side = machine.partitions, tiles = region.columns / side;
  auto open = [&](int64_t columns, int64_t slots) {
    return openBuffer(
        {region.matrix, Space::Sbuf, matrix.type, side, columns, slots});
  };
  BlockView taken = open(tiles, 1), zeros = open(region.rows, 1);
  BlockView hbm{region.matrix,        std::nullopt, region.row * side,
                region.column / side, side,         tiles};
  hbm.rowOf = graph.columnsOf(matrix) / side;
  visitor->copy(hbm, taken);
  visitor->fill(0, zeros);
  repeat(tiles, [&](const LinearExpr &tile) {
    BlockView spread = open(region.rows, 2);
    visitor->combine(Function::Add, {zeros},
                     {partOf(taken, {0, side, tile, 1})}, spread);
    BlockView bank = openBank(region.matrix, region.rows, side);
    visitor->transpose(spread, bank);
    visitor->convert(bank, partOf(to, {0, region.rows, tile * side, side}),
                     std::nullopt);
  });
}

/// `region` of the matrix of `home` as one transfer moves it, in HBM and
/// `there` on chip.
std::pair<BlockView, BlockView>
BufferWalker::asTransferred(const Home &home, const BlockView &region,
                            const BlockView &there,
                            const Extents &extents) const {
  if (!liesByPartitions(home))
    return {region, there};
  BlockView hbm = byPartitions(region, extents), buffer = there;
  buffer.column += there.row / machine.partitions * region.columns;
  buffer.row = 0;
  buffer.tileRows = 0;
  buffer.rows = hbm.rows;
  buffer.columns = hbm.columns;
  return {hbm, buffer};
}

void BufferWalker::openHome(const Home &home, const Extents &extents) {
  liveOf(home).block = heldIn(allocateHome(home, extents), home, extents);
  if (const RowsBelow *below = findHost(home); below && below->left == &home)
    fillBelow(*below);
  if (!isWritten(home) || (!home.sums && isOffChip(home.matrix) &&
                           addsToPrevious(home.nests.front(), extents)))
    load(home, extents);
}

/// The constant below what its product multiplies from the left.
void BufferWalker::fillBelow(const RowsBelow &below) {
  BlockView rows = liveOf(*below.left).block;
  rows.row = graph.sizeOf(below.above->over);
  rows.rows = graph.sizeOf(below.below->over);
  rows.column = 0;
  visitor->fill(graph.matrices[below.below->left].constant, rows);
}

void BufferWalker::openSums(const Home &home, const Extents &extents) {
  unsigned nest = home.nests.front();
  BlockView block = inHbm(home.matrix, nest, extents);
  Live &at = liveOf(home);
  unsigned count = stageOf(nest).numSums();
  at.sums.clear();
  at.sumExtents = extents;
  if (holdsSums(home))
    return;
  if (home.sums->store == Store::Sbuf) {
    for (unsigned sum = 0; sum < count; ++sum) {
      BlockView &sums = at.sums.emplace_back(block);
      sums.buffer = allocate({home.matrix, Space::Sbuf, home.sums->type,
                              block.rows, block.columns, 1});
    }
    return;
  }
  int64_t height = machine.partitions, width = machine.movingFreeMax;
  int64_t beside = tilesInBank(graph, stageOf(nest), block.columns, machine);
  for (int64_t row = 0; row < block.rows; row += beside * height)
    for (int64_t column = 0; column < block.columns; column += width)
      llvm::append_range(
          at.sums,
          openTilesInBanks(nest, std::min(beside * height, block.rows - row),
                           std::min(width, block.columns - column)));
}

bool BufferWalker::opensAt(const Home &home, NestRange group,
                           unsigned depth) const {
  unsigned first = home.nests.front();
  if (isWritten(home) && addsUpPrevious(first))
    --first;
  return group.contains(first) && home.level == depth && !home.ahead &&
         !areOpen[&home - plan.homes.data()] && !isAllocatedLate(home) &&
         !(home.packed && !isWritten(home)) && !isForAllBatches(home) &&
         !isConstantBelow(home);
}

void BufferWalker::openHomes(NestRange group, unsigned depth,
                             const Extents &extents) {
  for (const Home &home : plan.homes) {
    if (opensAt(home, group, depth)) {
      visitor->enterStage(home.nests.front());
      openHome(home, extents);
    }
    if (home.sums && home.sums->level == depth &&
        group.contains(home.nests.front()))
      openSums(home, extents);
  }
}

//===----------------------------------------------------------------------===//
// Closing
//===----------------------------------------------------------------------===//

void Walker::evictSums(const Home &home, const Extents &extents) {
  if (holdsSums(home))
    return;
  unsigned nest = home.nests.front();
  if (isAllocatedLate(home))
    openHome(home, extents);
  BlockView to = inHome(home, nest, extents);
  BlockView hbm = inHbm(home.matrix, nest, extents);
  int64_t height = machine.partitions, width = machine.movingFreeMax;
  unsigned count = stageOf(nest).numSums();
  if (home.sums->store == Store::Sbuf)
    return overTiles(to, width, [&](const Tile &tile) {
      llvm::SmallVector<BlockView, 2> sums;
      for (unsigned sum = 0; sum < count; ++sum)
        sums.push_back(partOf(inSums(home, sum, extents), tile));
      evaluate(nest, within(tile, nest, extents), sums, partOf(to, tile));
    });
  // As much at once as two banks hold makes rows that DMA moves well.
  bool stores = isStoredByTile(home);
  int64_t unit = wholeColumnsOf(graph, stageOf(nest));
  llvm::ArrayRef<BlockView> banks = liveOf(home).sums;
  for (int64_t row = 0; row < to.rows; row += height)
    for (int64_t column = 0, stored = 0; column < to.columns; column += width) {
      int64_t columns = std::min(width, to.columns - column);
      int64_t end = column + columns;
      Tile tile{row, banks.front().rows, column, columns};
      evaluate(nest, within(tile, nest, extents), banks.take_front(count),
               partOf(to, tile));
      banks = banks.drop_front(count);
      Tile done{row, tile.rows, stored, end - stored};
      int64_t left = to.columns - end, elements = done.columns * done.rows;
      if (!stores ||
          (left && (end % unit || left < width || done.columns < 2 * width ||
                    elements < width * height / 8)))
        continue;
      transfer(partOf(to, done), partOf(hbm, done));
      stored = end;
    }
}

void Walker::closeHomes(NestRange group, unsigned depth,
                        const Extents &extents) {
  for (const Home &home : plan.homes) {
    if (home.sums && home.sums->level == depth &&
        group.contains(home.nests.front())) {
      visitor->enterStage(home.nests.front());
      evictSums(home, extents);
    }
    if (home.level == depth && isClosedBehind(home, group) && isWritten(home) &&
        isOffChip(home.matrix) && !isStoredByTile(home)) {
      unsigned nest = home.nests.front();
      visitor->enterStage(nest);
      auto [hbm, buffer] =
          asTransferred(home, inHbm(home.matrix, nest, extents),
                        inHome(home, nest, extents), extents);
      transfer(buffer, hbm);
    }
  }
}
