//===- BufferWalker.h - Buffers that the loops of a plan open ---*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_BUFFERWALKER_H
#define TRN_LIB_PLANNING_BUFFERWALKER_H

#include "Neighbours.h"
#include "PlanFacts.h"
#include "trn/Machine/Machine.h"
#include "trn/Planning/Interleave.h"
#include "trn/Planning/RowsBelow.h"
#include "trn/Planning/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <deque>

namespace mlir::trn::planning {

BlockView partOf(BlockView block, const Tile &tile);
/// `region` of a matrix in the buffer that holds `block` of it.
BlockView inBuffer(BlockView region, const BlockView &block);
/// Lets the blocks of an instruction have the shape of one that repeats;
/// columns are broadcast.
void takeApart(llvm::ArrayRef<BlockView *> blocks);

/// Tells of loops, and of the buffers in them, and knows where blocks lie.
class BufferWalker : protected PlanFacts {
protected:
  BufferWalker(const Schedule &schedule, const Machine &machine,
               PlanVisitor &visitor)
      : PlanFacts(schedule.graph, schedule.plan, machine), visitor(&visitor),
        rowsBelow(findRowsBelow(graph, plan, machine)),
        neighbours(findNeighbours(graph, plan, machine)),
        columnsInOrder(findColumnsInOrder(graph, plan)),
        areOpen(schedule.plan.homes.size()), live(schedule.plan.homes.size()) {
    for (unsigned matrix = 0; matrix < graph.matrices.size(); ++matrix)
      offChip.push_back(isOffChip(matrix));
  }

  using Body = llvm::function_ref<void(const LinearExpr &)>;
  using PieceBody = llvm::function_ref<void(const LinearExpr &, int64_t)>;
  using TileBody = llvm::function_ref<void(const Tile &)>;

  /// `body` for each of `count`, in a loop if there are several.
  void repeat(int64_t count, Body body);
  /// `body` for blocks of `size`: start and size of each.
  void overPieces(int64_t size, int64_t block, PieceBody body,
                  bool isUnrolled = false);
  /// `body` for tiles of `block`, at most `width` columns each, row by row.
  void overTiles(const BlockView &block, int64_t width, TileBody body);

  // Buffers, and the blocks in them (WalkHomes.cpp).
  void openHomes(NestRange group, unsigned depth, const Extents &extents);
  void openHome(const Home &home, const Extents &extents);
  bool opensAt(const Home &home, NestRange group, unsigned depth) const;
  void load(const Home &home, const Extents &extents);
  void loadByTurning(const BlockView &region, const BlockView &to);
  void loadNeighbours(const BlockView &region, const BlockView &to,
                      int64_t count);
  void transfer(const BlockView &from, const BlockView &to);
  void openSums(const Home &home, const Extents &extents);
  int32_t allocate(PlannedBuffer buffer);
  BlockView openBuffer(const PlannedBuffer &buffer);
  BlockView openBank(unsigned matrix, int64_t rows, int64_t columns);
  llvm::SmallVector<BlockView, 2> openBanks(unsigned nest, int64_t rows,
                                            int64_t columns);
  llvm::SmallVector<BlockView, 2> openTilesInBanks(unsigned nest, int64_t rows,
                                                   int64_t columns);
  int32_t allocateHome(const Home &home, const Extents &extents);
  int32_t allocateHome(const Home &home, const Extents &extents, int64_t slots);
  void beginRotation(NestRange group, unsigned level, const Extents &extents);
  void endRotation(unsigned level);
  Live &liveOf(const Home &home) { return live[&home - plan.homes.data()]; }
  int64_t neighboursIn(const Home &home) const {
    return neighbours[&home - plan.homes.data()];
  }
  const Term *besideHome(const Home &home) const;
  void fillBelow(const RowsBelow &below);
  /// What lies below the rows of another home if `home` does, or if `home` has
  /// it below.
  const RowsBelow *findGuest(const Home &home) const;
  const RowsBelow *findHost(const Home &home) const;
  bool isConstantBelow(const Home &home) const {
    return llvm::any_of(rowsBelow, [&](const RowsBelow &below) {
      return below.constant == &home;
    });
  }
  BlockView heldIn(int32_t buffer, const Home &home, const Extents &extents);

  using Over = std::optional<unsigned>;
  /// What `nests` use of the matrix; `over` is the dim of the term with it.
  BlockView inHbm(unsigned matrix, llvm::ArrayRef<unsigned> nests,
                  const Extents &extents, Over over = std::nullopt) const;
  BlockView blockOf(const Home &home, const Extents &extents) const;
  BlockView byPartitions(BlockView block, const Extents &extents) const;
  std::pair<BlockView, BlockView> asTransferred(const Home &home,
                                                const BlockView &region,
                                                const BlockView &there,
                                                const Extents &extents) const;
  BlockView inHome(const Home &home, unsigned nest, const Extents &extents,
                   Over over = std::nullopt);
  BlockView inSums(const Home &home, unsigned sum, const Extents &extents);
  /// What `nest` reads of a matrix: its home there or, if none, in HBM.
  BlockView operand(unsigned matrix, unsigned nest, const Extents &extents,
                    Over over = std::nullopt);

  // Constants (WalkMasks.cpp).
  PlannedBuffer describeConstant(const Home &home) const;
  void makeConstant(const Home &home, const PlannedBuffer &buffer);
  BlockView inConstant(const Home &home, BlockView region) const;

  PlanVisitor *visitor;
  const llvm::SmallVector<RowsBelow, 1> rowsBelow;
  const llvm::SmallVector<int64_t, 16> neighbours;  // by home
  const llvm::SmallVector<bool, 16> columnsInOrder; // by matrix
  /// Whether no loop inside of the one that runs remains a loop.
  bool isWrittenOut = false;
  /// Whether what a mask hides is left out, tile by tile; all is written out.
  bool leavesOut = false;
  llvm::SmallVector<bool, 16> areOpen; // by home: for all of these indices
  int32_t loops = 0, buffers = 0;
  /// Buffers that homes take in turn in iterations that are written out.
  llvm::DenseMap<const Home *, std::deque<int32_t>> rotations;
  llvm::SmallVector<Live, 8> live;     // by home
  llvm::SmallVector<bool, 16> offChip; // by matrix
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_BUFFERWALKER_H
