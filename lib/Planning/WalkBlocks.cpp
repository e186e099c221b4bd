//===- WalkBlocks.cpp - Where blocks of matrices lie in buffers -----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walker.h"
#include "trn/Planning/TileLimits.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

BlockView planning::partOf(BlockView block, const Tile &tile) {
  block.row += tile.row;
  block.column += tile.column * block.columnStep;
  if (block.tileRows) {
    block.column += block.row / block.tileRows * block.tileStep;
    block.row = 0;
  }
  block.rows = tile.rows;
  block.columns = tile.columns;
  return block;
}

/// The number of the matrix of the batch that is computed.
static LinearExpr batchOf(const Graph &graph, llvm::ArrayRef<unsigned> batches,
                          const Extents &extents) {
  LinearExpr number;
  for (unsigned batch : batches)
    number = number * graph.sizeOf(batch) + extents[batch].start;
  return number;
}

/// The indices of `dim` from the first to the last one that `parts`, which
/// stand for it, run over. If these are several, no loop cuts them.
static Extent hullOf(const Graph &graph, unsigned dim,
                     llvm::ArrayRef<unsigned> parts, const Extents &extents) {
  std::optional<Extent> all;
  for (unsigned part : parts) {
    Extent own = extents[part];
    if (part != dim)
      own.start += graph.dims[part].offset;
    if (!all)
      all = own;
    int64_t &start = all->start.constant, from = own.start.constant;
    int64_t end = std::max(start + all->size, from + own.size);
    start = std::min(start, from);
    all->size = end - start;
  }
  return *all;
}

BlockView BufferWalker::inHbm(unsigned matrix, llvm::ArrayRef<unsigned> nests,
                              const Extents &extents, Over over) const {
  const Matrix &of = graph.matrices[matrix];
  auto used = [&](unsigned dim) {
    return hullOf(graph, dim, graph.dimsIn(nests, matrix, dim), extents);
  };
  Extent rows = over ? hullOf(graph, of.rows, *over, extents) : used(of.rows);
  Extent columns = used(of.columns);
  // On chip there is one of all batches.
  std::pair<int64_t, int64_t> whole{graph.rowsOf(of), graph.columnsOf(of)};
  LinearExpr rowBatch, columnBatch;
  if (offChip[matrix]) {
    rowBatch = batchOf(graph, of.rowBatches, extents);
    columnBatch = batchOf(graph, of.columnBatches, extents);
    if (of.window)
      whole = {of.window->rows, of.window->columns};
  }
  BlockView region{matrix,
                   std::nullopt,
                   rowBatch * whole.first + rows.start,
                   columnBatch * whole.second + columns.start,
                   rows.size,
                   columns.size};
  const Stage &stage = stageOf(nests.front());
  if (graph.isRepeated(stage, matrix)) {
    int64_t height = extents[graph.matrices[stage.result].rows].size;
    region.rows = std::min(height, machine.partitions);
    region.repeated = true;
  }
  return region;
}

/// What `home` holds of its matrix.
BlockView BufferWalker::blockOf(const Home &home,
                                const Extents &extents) const {
  BlockView block = inHbm(home.matrix, home.nests, extents);
  if (home.whole) {
    block.column = 0;
    block.columns = graph.columnsInHbm(graph.matrices[home.matrix]);
  }
  // A row for the rows of all batches that lie together.
  auto isStacked = [&](unsigned nest) {
    return graph.matrices[stageOf(nest).result].rows == plan.stacked;
  };
  if (block.repeated && plan.stacked && isForStack(home) &&
      llvm::any_of(home.nests, isStacked))
    block.rows = stackSize(plan.jam, machine) * stackPitch(machine);
  return block;
}

/// `block` of a matrix in HBM, of which each partition takes rows that lie
/// beside each other.
BlockView BufferWalker::byPartitions(BlockView block,
                                     const Extents &extents) const {
  const Matrix &matrix = graph.matrices[block.matrix];
  int64_t side = machine.partitions, rows = graph.rowsOf(matrix);
  LinearExpr batch;
  if (offChip[block.matrix])
    batch = batchOf(graph, matrix.rowBatches, extents);
  block.column = (block.row - batch * rows) / side * block.columns;
  block.row = batch * side;
  block.rowOf = rows / side * block.columns;
  block.columns *= block.rows / side;
  block.rows = side;
  return block;
}

void planning::takeApart(llvm::ArrayRef<BlockView *> blocks) {
  int64_t runs = 1;
  for (const BlockView *block : blocks)
    runs = std::max(runs, block->runs);
  for (BlockView *block : blocks)
    if (block->runs < runs && block->columns > 1) {
      block->columns /= runs;
      block->runs = runs;
      block->runStep = block->columns * block->columnStep;
    }
}

BlockView planning::inBuffer(BlockView region, const BlockView &block) {
  region.buffer = block.buffer;
  region.repeated = false;
  region.row = region.row - block.row;
  region.column = region.column - block.column;
  return region;
}

BlockView BufferWalker::inHome(const Home &home, unsigned nest,
                               const Extents &extents, Over over) {
  BlockView region = inHbm(home.matrix, nest, extents, over);
  if (graph.matrices[home.matrix].role == Role::Constant)
    return inConstant(home, region);
  const BlockView &held = liveOf(home).block;
  region = inBuffer(region, held);
  if (liesByPartitions(home)) {
    region.tileRows = machine.partitions;
    region.tileStep = held.columns;
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

BlockView BufferWalker::inSums(const Home &home, unsigned sum,
                               const Extents &extents) {
  unsigned nest = home.nests.front();
  return holdsSums(home) || !home.sums
             ? inHome(home, nest, extents)
             : inBuffer(inHbm(home.matrix, nest, extents),
                        liveOf(home).sums[sum]);
}

BlockView BufferWalker::operand(unsigned matrix, unsigned nest,
                                const Extents &extents, Over over) {
  const Home *home = plan.homeOf(matrix, nest);
  return home ? inHome(*home, nest, extents, over)
              : inHbm(matrix, nest, extents, over);
}

/// What `home` holds if it is `buffer`, which may be another home's.
BlockView BufferWalker::heldIn(int32_t buffer, const Home &home,
                               const Extents &extents) {
  BlockView block = blockOf(home, extents);
  block.buffer = buffer;
  if (const RowsBelow *below = findGuest(home)) {
    block.row = block.row - graph.sizeOf(below->above->over);
    block.column = liveOf(*below->right).block.column;
  }
  return block;
}

const RowsBelow *BufferWalker::findGuest(const Home &home) const {
  const auto *found = llvm::find_if(
      rowsBelow, [&](const RowsBelow &below) { return below.guest == &home; });
  return found == rowsBelow.end() ? nullptr : found;
}

const RowsBelow *BufferWalker::findHost(const Home &home) const {
  const auto *found = llvm::find_if(rowsBelow, [&](const RowsBelow &below) {
    return below.left == &home || below.right == &home;
  });
  return found == rowsBelow.end() ? nullptr : found;
}
