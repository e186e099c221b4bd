//===- Walker.h - Runs through the loops of a plan --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_WALKER_H
#define TRN_LIB_PLANNING_WALKER_H

#include "PlanFacts.h"
#include "trn/Machine/Machine.h"
#include "trn/Planning/LiveBand.h"
#include "trn/Planning/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <deque>

namespace mlir::trn::planning {

BlockView partOf(BlockView block, const Tile &tile);

/// Columns of a tile of which a mask hides nothing if they are open.
struct MaskedRun {
  int64_t begin, size;
  std::optional<unsigned> mask = std::nullopt;
  bool isOpen = false;
};

class Walker : PlanFacts {
public:
  Walker(const Schedule &schedule, const Machine &machine, PlanVisitor &visitor)
      : PlanFacts(schedule.graph, schedule.plan, machine), visitor(&visitor),
        band(findLiveBand(graph)), live(plan.homes.size()) {
    for (unsigned matrix = 0; matrix < graph.matrices.size(); ++matrix)
      offChip.push_back(isOffChip(matrix));
    areOpen.resize(plan.homes.size());
  }

  void run();

private:
  using Body = llvm::function_ref<void(const LinearExpr &)>;
  using PieceBody = llvm::function_ref<void(const LinearExpr &, int64_t)>;
  using SpreadBody =
      llvm::function_ref<void(const LinearExpr &, const FillShares &)>;
  using TileBody = llvm::function_ref<void(const Tile &)>;
  using TermBody =
      llvm::function_ref<void(const Term &, const Extents &, LinearExpr)>;

  // Nests and their loops (Walker.cpp).
  llvm::SmallVector<NestRange> groupsOf(NestRange range, unsigned depth) const;
  void overBatches(llvm::ArrayRef<unsigned> batches, const Extents &extents);
  void jamBatches(unsigned dim, const Extents &extents);
  bool isShared(NestRange group, unsigned dim) const;
  void emitShared(unsigned dim, const Extents &extents);
  void emitNests(NestRange range, unsigned depth, const Extents &extents,
                 const OnTheSide &side = {});
  void emitGroup(NestRange group, unsigned depth, const Extents &extents,
                 const OnTheSide &side);
  void emitLoop(NestRange group, unsigned depth, const Extents &extents,
                llvm::ArrayRef<FillShare> shares = {});
  /// `body` for each of `count`, in a loop if there are several.
  void repeat(int64_t count, Body body);
  /// `body` for blocks of `size`: start and size of each.
  void overPieces(int64_t size, int64_t block, PieceBody body,
                  bool isUnrolled = false);
  /// `body` for tiles of `block`, at most `width` columns each, row by row.
  void overTiles(const BlockView &block, int64_t width, TileBody body);
  bool followsBand(NestRange group, unsigned depth,
                   const Extents &extents) const;
  bool writesOut(bool followsBand) const;
  Extents iteration(const Extents &extents, Loop loop, LinearExpr index,
                    bool followsBand = false) const;
  bool startsSums(NestRange group, unsigned depth, const Extents &) const;

  // Software pipelining (WalkAhead.cpp).
  void emitKernel(const Extents &extents);
  bool emitPipeline(NestRange group, unsigned depth, const Extents &extents,
                    llvm::ArrayRef<FillShare> shares);
  void openForFilling(const Filling &fill, const Extents &extents,
                      bool byPiece);
  Filling startFilling(const Home &home, const Extents &extents, Lives lives);
  bool canStream(NestRange readers, const Filling &fill) const;
  void emitColumns(NestRange group, unsigned depth, const Extents &extents,
                   const OnTheSide &side);
  void streamLoop(NestRange group, unsigned depth, const Extents &extents,
                  const OnTheSide &side);
  /// `body` for each of `trips`, with what it does of `shares` beside.
  void spread(int64_t trips, llvm::ArrayRef<FillShare> shares, SpreadBody body);
  int64_t countPieces(const FillShare &share, llvm::ArrayRef<NestRange> groups,
                      size_t group, const Extents &extents) const;
  void beginFilling(Filling &fill);
  void fillPiece(Filling &fill, const LinearExpr &start, int64_t size);
  void fillPieces(llvm::ArrayRef<FillShare> shares);
  void finishFilling(Filling &fill, bool fillsRest);
  void fillAll(Filling &fill);

  // Buffers, and the blocks in them (WalkHomes.cpp).
  void openHomes(NestRange group, unsigned depth, const Extents &extents);
  void closeHomes(NestRange group, unsigned depth, const Extents &extents);
  void openHome(const Home &home, const Extents &extents);
  bool opensAt(const Home &home, NestRange group, unsigned depth) const;
  void load(const Home &home, const Extents &extents);
  void openSums(const Home &home, const Extents &extents);
  void evictSums(const Home &home, const Extents &extents);
  int32_t allocate(PlannedBuffer buffer);
  BlockView openBuffer(const PlannedBuffer &buffer);
  BlockView openBank(unsigned matrix, int64_t rows, int64_t columns);
  llvm::SmallVector<BlockView, 2> openBanks(unsigned nest, int64_t rows,
                                            int64_t columns);
  int32_t allocateHome(const Home &home, const Extents &extents);
  int32_t allocateHome(const Home &home, const Extents &extents, int64_t slots);
  void beginRotation(NestRange group, unsigned level, const Extents &extents);
  void endRotation(unsigned level);
  Live &liveOf(const Home &home) { return live[&home - plan.homes.data()]; }
  const Term *besideHome(const Home &home) const;
  BlockView heldIn(int32_t buffer, const Home &home, const Extents &extents);

  using Over = std::optional<unsigned>;
  /// What `nests` use of the matrix; `over` is the dim of the term with it.
  BlockView inHbm(unsigned matrix, llvm::ArrayRef<unsigned> nests,
                  const Extents &extents, Over over = std::nullopt) const;
  BlockView inHome(const Home &home, unsigned nest, const Extents &extents,
                   Over over = std::nullopt);
  BlockView inSums(const Home &home, unsigned sum, const Extents &extents);
  /// What `nest` reads of a matrix: its home there or, if none, in HBM.
  BlockView operand(unsigned matrix, unsigned nest, const Extents &extents,
                    Over over = std::nullopt);

  class Evaluation; // WalkExpressions.cpp
  void evaluate(unsigned nest, const Extents &extents,
                llvm::ArrayRef<BlockView> sums, const BlockView &to);
  void evaluateRun(unsigned nest, const Extents &extents, const MaskedRun &run,
                   llvm::ArrayRef<BlockView> sums, const BlockView &to);

  // Masks, and constants (WalkMasks.cpp).
  PlannedBuffer describeConstant(const Home &home) const;
  void makeConstant(const Home &home, const PlannedBuffer &buffer);
  void addMask(unsigned nest, const Extents &extents, const BlockView &bank);
  BlockView inConstant(const Home &home, BlockView region) const;
  /// The part of a tile of the result of `nest` that a mask hides not all of,
  /// or what it sums over there; in loops that are written out.
  Extents liveIn(unsigned nest, Extents extents) const;
  void multiplyLive(unsigned nest, const Term &term, const Extents &extents,
                    const BlockView &bank, bool hasBegun);
  llvm::SmallVector<MaskedRun, 4> runsIn(unsigned nest,
                                         const Extents &extents) const;
  std::optional<unsigned> findMask(unsigned nest, const Extents &extents) const;

  // Tiles (WalkTiles.cpp).
  void emitTiles(unsigned nest, const Extents &extents);
  void emitProduct(unsigned nest, const Home &home, const Extents &extents);
  void emitProductInBanks(unsigned nest, const Home &home, const Extents &);
  int64_t reducePiece(unsigned nest, const Extents &extents,
                      const BlockView &columns, const LinearExpr &first);
  void emitReduction(unsigned nest, const Home &home, const Extents &extents);
  BlockView transposeIntoBank(unsigned matrix, const BlockView &from);
  void emitTransposition(unsigned nest, const Extents &extents);
  void emitPackedTransposition(unsigned nest, const Extents &extents);
  void emitInterleavedRows(unsigned nest, const Extents &extents);
  /// `body` for each piece that `nest` adds to its sums, which begin at
  /// `sumExtents`: its term, its extents, and 0 where the sums begin.
  void overContraction(unsigned nest, const Extents &extents,
                       const Extents &sumExtents, TermBody body);
  void multiply(unsigned nest, const Term &term, const Extents &extents,
                const BlockView &bank, const LinearExpr &index);
  void convert(unsigned nest, const BlockView &from, const BlockView &to);
  void copyOnScalar(const BlockView &from, const BlockView &to);
  void widen(const BlockView &from, const BlockView &to);
  Extents within(const Tile &tile, unsigned nest, const Extents &extents) const;

  PlanVisitor *visitor;
  const std::optional<LiveBand> band;
  /// Whether no loop inside of the one that runs remains a loop.
  bool isWrittenOut = false;
  /// The first nest that differs for indices of the innermost batch dim.
  unsigned firstNest = 0;
  llvm::SmallVector<bool, 16> areOpen; // by home: for all of these indices
  int32_t loops = 0, buffers = 0;
  /// Buffers that homes take in turn in iterations that are written out.
  llvm::DenseMap<const Home *, std::deque<int32_t>> rotations;
  llvm::SmallVector<Live, 8> live;     // by home
  llvm::SmallVector<bool, 16> offChip; // by matrix
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_WALKER_H
