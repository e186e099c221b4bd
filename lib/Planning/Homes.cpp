//===- Homes.cpp - Buffers that the loops of a plan open ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Homes.h"

#include "MadeConstants.h"
#include "trn/Machine/Machine.h"
#include "trn/Planning/StageNeeds.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

llvm::SmallVector<BlockView, 2> Homes::openBanks(unsigned nest, int64_t rows,
                                                 int64_t columns) {
  const Stage &stage = stageOf(nest);
  unsigned count = stage.numProducts(), matrix = stage.result;
  llvm::SmallVector<BlockView, 2> banks(count);
  for (const Term &term : stage.terms) {
    const Term *beside = graph.findBeside(stage, term.right);
    bool isOpen = banks[term.sum].buffer.has_value();
    if (isOpen || graph.isBeside(stage, term.right))
      continue;
    BlockView bank = emit.openBank(
        matrix, rows,
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
Homes::openTilesInBanks(unsigned nest, int64_t rows, int64_t columns) {
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

void Homes::openSums(const Home &home, const Extents &extents) {
  unsigned nest = home.nests.front();
  BlockView block = blocks.inHbm(home.matrix, nest, extents);
  Live &at = liveOf(home);
  unsigned count = stageOf(nest).numSums();
  at.sums.clear();
  at.sumExtents = extents;
  if (holdsSums(home))
    return;
  if (home.sums->store == Store::Sbuf) {
    for (unsigned sum = 0; sum < count; ++sum) {
      BlockView &sums = at.sums.emplace_back(block);
      sums.buffer = emit.allocate({home.matrix, Space::Sbuf, home.sums->type,
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

void Homes::beginRotation(NestRange group, unsigned level,
                          const Extents &extents) {
  for (const Home &home : plan.homes)
    if (home.level == level && !home.ahead && !home.packed &&
        !findGuest(home) && group.contains(home.nests.front())) {
      std::deque<int32_t> own;
      for (int64_t slot = 0; slot < home.slots; ++slot)
        own.push_back(allocate(home, extents, /*slots=*/1));
      rotations[&home] = std::move(own);
    }
}

void Homes::endRotation(unsigned level) {
  for (const Home &home : plan.homes)
    if (home.level == level)
      rotations.erase(&home);
}

int32_t Homes::allocate(const Home &home, const Extents &extents) {
  if (const RowsBelow *below = findGuest(home))
    return *liveOf(*below->right).block.buffer;
  auto rotation = rotations.find(&home);
  if (rotation == rotations.end())
    return allocate(home, extents, home.ahead && home.level ? 1 : home.slots);
  std::deque<int32_t> &own = rotation->second;
  own.push_back(own.front());
  own.pop_front();
  return own.back();
}

int32_t Homes::allocate(const Home &home, const Extents &extents,
                        int64_t slots) {
  const Matrix &matrix = graph.matrices[home.matrix];
  if (matrix.role == Role::Constant)
    return emit.allocate(describeConstant(graph, home.matrix, machine));
  BlockView block = blocks.heldBy(home, extents);
  PlannedBuffer buffer{home.matrix, Space::Sbuf,   matrix.type,
                       block.rows,  block.columns, slots};
  buffer.columns += hasBeside(home);
  if (const RowsBelow *below = findHost(home))
    buffer.rows += graph.sizeOf(below->below->over);
  if (int64_t count = transfers.neighboursIn(home);
      home.packed || liesByPartitions(home) || count > 1) {
    buffer.columns *=
        count * llvm::divideCeil(buffer.rows, count * machine.partitions);
    buffer.rows = machine.partitions;
  }
  return emit.allocate(buffer);
}

BlockView Homes::place(const Home &home, int32_t buffer,
                       const Extents &extents) const {
  BlockView block = blocks.heldBy(home, extents);
  block.buffer = buffer;
  if (const RowsBelow *below = findGuest(home)) {
    block.row = block.row - graph.sizeOf(below->above->over);
    block.column = liveOf(*below->right).block.column;
  }
  return block;
}

const RowsBelow *Homes::findGuest(const Home &home) const {
  const auto *found = llvm::find_if(
      rowsBelow, [&](const RowsBelow &below) { return below.guest == &home; });
  return found == rowsBelow.end() ? nullptr : found;
}

const RowsBelow *Homes::findHost(const Home &home) const {
  const auto *found = llvm::find_if(rowsBelow, [&](const RowsBelow &below) {
    return below.left == &home || below.right == &home;
  });
  return found == rowsBelow.end() ? nullptr : found;
}

bool Homes::isConstantBelow(const Home &home) const {
  return llvm::any_of(rowsBelow, [&](const RowsBelow &below) {
    return below.constant == &home;
  });
}

void Homes::load(const Home &home, const Extents &extents) {
  BlockView held = liveOf(home).block;
  if (graph.matrices[home.matrix].role != Role::Constant)
    return transfers.load(home, held, extents);
  held.row = held.column = 0;
  PlannedBuffer buffer = describeConstant(graph, home.matrix, machine);
  held.rows = buffer.rows;
  held.columns = buffer.columns;
  makeConstant(graph, held, machine, emit);
}

void Homes::open(const Home &home, const Extents &extents) {
  liveOf(home).block = place(home, allocate(home, extents), extents);
  if (const RowsBelow *below = findHost(home); below && below->left == &home)
    fillBelow(*below);
  if (!isWritten(home) || (!home.sums && isOffChip(home.matrix) &&
                           addsToPrevious(home.nests.front(), extents)))
    load(home, extents);
}

/// The constant below what its product multiplies from the left.
void Homes::fillBelow(const RowsBelow &below) {
  BlockView rows = liveOf(*below.left).block;
  rows.row = graph.sizeOf(below.above->over);
  rows.rows = graph.sizeOf(below.below->over);
  rows.column = 0;
  emit->fill(graph.matrices[below.below->left].constant, rows);
}

bool Homes::opensAt(const Home &home, NestRange group, unsigned depth) const {
  unsigned first = home.nests.front();
  if (isWritten(home) && addsUpPrevious(first))
    --first;
  return group.contains(first) && home.level == depth && !home.ahead &&
         !areForAll[&home - plan.homes.data()] && !isAllocatedLate(home) &&
         !(home.packed && !isWritten(home)) && !isForAllBatches(home) &&
         !isConstantBelow(home);
}

void Homes::openAll(NestRange group, unsigned depth, const Extents &extents) {
  for (const Home &home : plan.homes) {
    if (opensAt(home, group, depth)) {
      emit->enterStage(home.nests.front());
      open(home, extents);
    }
    if (home.sums && home.sums->level == depth &&
        group.contains(home.nests.front()))
      openSums(home, extents);
  }
}

void Homes::openForAllBatches(const Extents &extents) {
  for (const Home &home : plan.homes)
    if (isForAllBatches(home) && !isConstantBelow(home)) {
      emit->enterStage(home.nests.front());
      open(home, extents);
    }
}

void Homes::openForAll(NestRange nests, unsigned dim, const Extents &extents) {
  for (auto [home, isForAll] : llvm::zip_equal(plan.homes, areForAll)) {
    isForAll = opensAt(home, nests, /*depth=*/0) &&
               graph.matrices[home.matrix].role == Role::Input &&
               !graph.hasBatch(home.matrix, dim);
    if (!isForAll)
      continue;
    emit->enterStage(home.nests.front());
    open(home, extents);
  }
}

BlockView Homes::inHome(const Home &home, unsigned nest, const Extents &extents,
                        Over over) const {
  BlockView region = blocks.inHbm(home.matrix, nest, extents, over);
  const BlockView &held = liveOf(home).block;
  if (graph.matrices[home.matrix].role == Role::Constant) {
    region = inConstant(graph, region, machine);
    region.buffer = held.buffer;
    return region;
  }
  region = inBuffer(region, held);
  if (liesByPartitions(home)) {
    region.tileRows = machine.partitions;
    region.tileStep = held.columns + hasBeside(home);
    return partOf(region, {0, region.rows, 0, region.columns});
  }
  if (!home.packed)
    return region;
  // Column c of tile t of the rows lies at c * tiles + t.
  LinearExpr tile = region.row / machine.partitions;
  region.row = 0;
  int64_t tiles =
      graph.rowsOf(graph.matrices[home.matrix]) / machine.partitions;
  region.column = region.column * tiles + tile;
  region.columnStep = tiles;
  return region;
}

BlockView Homes::inSums(const Home &home, unsigned sum,
                        const Extents &extents) const {
  unsigned nest = home.nests.front();
  return holdsSums(home) || !home.sums
             ? inHome(home, nest, extents)
             : inBuffer(blocks.inHbm(home.matrix, nest, extents),
                        liveOf(home).sums[sum]);
}

BlockView Homes::operand(unsigned matrix, unsigned nest, const Extents &extents,
                         Over over) const {
  const Home *home = plan.homeOf(matrix, nest);
  return home ? inHome(*home, nest, extents, over)
              : blocks.inHbm(matrix, nest, extents, over);
}
