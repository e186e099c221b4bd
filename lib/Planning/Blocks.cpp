//===- Blocks.cpp - Blocks of matrices that nests use ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Blocks.h"

#include "trn/Machine/Machine.h"
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

BlockView planning::inBuffer(BlockView region, const BlockView &block) {
  region.buffer = block.buffer;
  region.repeated = false;
  region.row = region.row - block.row;
  region.column = region.column - block.column;
  return region;
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

Blocks::Blocks(const PlanFacts &facts) : PlanFacts(facts) {
  for (unsigned matrix = 0; matrix < graph.matrices.size(); ++matrix)
    offChip.push_back(isOffChip(matrix));
}

/// The number of the matrix of the batch that is computed. On chip there is one
/// of all batches.
LinearExpr Blocks::batchOf(unsigned matrix, llvm::ArrayRef<unsigned> batches,
                           const Extents &extents) const {
  LinearExpr number;
  if (!offChip[matrix])
    return number;
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

BlockView Blocks::inHbm(unsigned matrix, llvm::ArrayRef<unsigned> nests,
                        const Extents &extents, Over over) const {
  const Matrix &of = graph.matrices[matrix];
  auto used = [&](unsigned dim) {
    return hullOf(graph, dim, graph.dimsIn(nests, matrix, dim), extents);
  };
  Extent rows = over ? hullOf(graph, of.rows, *over, extents) : used(of.rows);
  Extent columns = used(of.columns);
  bool isPart = offChip[matrix] && of.window;
  int64_t height = isPart ? of.window->rows : graph.rowsOf(of);
  int64_t width = isPart ? of.window->columns : graph.columnsOf(of);
  BlockView region{
      matrix,
      std::nullopt,
      batchOf(matrix, of.rowBatches, extents) * height + rows.start,
      batchOf(matrix, of.columnBatches, extents) * width + columns.start,
      rows.size,
      columns.size};
  const Stage &stage = stageOf(nests.front());
  if (graph.isRepeated(stage, matrix)) {
    region.rows = std::min(extents[graph.matrices[stage.result].rows].size,
                           machine.partitions);
    region.repeated = true;
  }
  return region;
}

BlockView Blocks::heldBy(const Home &home, const Extents &extents) const {
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

BlockView Blocks::byPartitions(BlockView block, const Extents &extents) const {
  const Matrix &matrix = graph.matrices[block.matrix];
  int64_t side = machine.partitions, rows = graph.rowsOf(matrix);
  LinearExpr first = batchOf(block.matrix, matrix.rowBatches, extents) * rows;
  block.column = (first + (block.row - first) / side) * block.columns;
  block.row = 0;
  block.rowOf = rows / side * block.columns;
  block.columns *= block.rows / side;
  block.rows = side;
  return block;
}
