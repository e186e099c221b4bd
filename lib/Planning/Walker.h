//===- Walker.h - Runs through the loops of a plan --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_WALKER_H
#define TRN_LIB_PLANNING_WALKER_H

#include "BufferWalker.h"
#include "trn/Planning/LiveBand.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::trn::planning {

/// Columns of a tile of which a mask hides nothing if they are open.
struct MaskedRun {
  int64_t begin, size;
  std::optional<unsigned> mask = std::nullopt;
  bool isOpen = false;
};

class Walker : BufferWalker {
public:
  Walker(const Schedule &schedule, const Machine &machine, PlanVisitor &visitor)
      : BufferWalker(schedule, machine, visitor), band(findLiveBand(graph)) {}

  void run();

private:
  using SpreadBody =
      llvm::function_ref<void(const LinearExpr &, const FillShares &)>;
  using TermBody =
      llvm::function_ref<void(const Term &, const Extents &, LinearExpr)>;

  // Nests and their loops (Walker.cpp).
  llvm::SmallVector<NestRange> groupsOf(NestRange range, unsigned depth) const;
  void overBatches(llvm::ArrayRef<unsigned> batches, const Extents &extents);
  void jamBatches(llvm::ArrayRef<unsigned> dims, const Extents &extents);
  bool isShared(NestRange group, unsigned dim) const;
  void emitShared(unsigned dim, const Extents &extents);
  void emitNests(NestRange range, unsigned depth, const Extents &extents,
                 const OnTheSide &side = {});
  void emitGroup(NestRange group, unsigned depth, const Extents &extents,
                 const OnTheSide &side);
  void emitLoop(NestRange group, unsigned depth, const Extents &extents,
                llvm::ArrayRef<FillShare> shares = {});
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
  bool keepsOrder(NestRange, unsigned depth, const Extents &, int64_t) const;
  bool canCatchUp(NestRange readers, unsigned level,
                  llvm::ArrayRef<Filling> fills) const;
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

  // What is complete (WalkHomes.cpp).
  void closeHomes(NestRange group, unsigned depth, const Extents &extents);
  void evictSums(const Home &home, const Extents &extents);

  class Evaluation; // WalkExpressions.cpp
  void evaluate(unsigned nest, const Extents &extents,
                llvm::ArrayRef<BlockView> sums, const BlockView &to);
  void evaluateRun(unsigned nest, const Extents &extents, const MaskedRun &run,
                   llvm::ArrayRef<BlockView> sums, const BlockView &to);

  // Masks (WalkMasks.cpp).
  void addMask(unsigned nest, const Extents &extents, const BlockView &bank);
  /// The part of a tile of the result of `nest` that a mask hides not all of,
  /// or what it sums over there; in loops that are written out.
  Extents liveIn(unsigned nest, Extents extents) const;
  void multiplyLive(unsigned nest, const Term &term, const Extents &extents,
                    const BlockView &bank, bool hasBegun);
  llvm::SmallVector<MaskedRun, 4> runsIn(unsigned nest,
                                         const Extents &extents) const;
  std::optional<unsigned> findMask(unsigned nest, const Extents &extents) const;

  // Tiles (WalkTiles.cpp, WalkWidening.cpp).
  void emitTiles(unsigned nest, const Extents &extents);
  void emitProduct(unsigned nest, const Home &home, const Extents &extents);
  void emitProductInBanks(unsigned nest, const Home &home, const Extents &);
  int64_t reducePiece(unsigned nest, const Extents &extents,
                      const BlockView &columns, const LinearExpr &first);
  void emitReduction(unsigned nest, const Home &home, const Extents &extents);
  void emitGroups(unsigned nest, const Home &home, const Extents &extents);
  BlockView transposeIntoBank(unsigned matrix, const BlockView &from,
                              int64_t neighbours = 1);
  void emitTransposition(unsigned nest, const Extents &extents);
  void emitPackedTransposition(unsigned nest, const Extents &extents);
  void emitInterleavedRows(unsigned nest, const Extents &extents);
  /// `body` for each piece that `nest` adds to its sums, which begin at
  /// `sumExtents`: its term, its extents, and 0 where the sums begin.
  void overContraction(unsigned nest, const Extents &extents,
                       const Extents &sumExtents, TermBody body);
  void multiply(unsigned nest, const Term &term, const Extents &extents,
                const BlockView &tile, const LinearExpr &index);
  void multiplyInBank(unsigned nest, const Term &term, const Extents &extents,
                      const BlockView &bank, const LinearExpr &index);
  /// The columns that a tile of `nest` has at most.
  int64_t widthOf(unsigned nest) const {
    return plan.nests[nest].banks * machine.movingFreeMax;
  }
  /// The same where it has no products.
  int64_t elementWidthOf(unsigned nest) const {
    return llvm::alignDown(machine.sbufFreeMax, graph.periodOf(stageOf(nest)));
  }
  bool isBelow(unsigned nest, const Term &term) const;
  void convert(unsigned nest, const BlockView &from, const BlockView &to);
  void copyOnScalar(const BlockView &from, const BlockView &to);
  void widen(const BlockView &from, const BlockView &to);
  struct Widener;
  llvm::SmallVector<Widener, 3> widenersOf(unsigned from, unsigned to) const;
  llvm::SmallVector<Engine> shareTiles(unsigned nest, const BlockView &) const;
  Extents within(const Tile &tile, unsigned nest, const Extents &extents) const;

  const std::optional<LiveBand> band;
  /// What widens the current tile, if it is not shared out.
  std::optional<Engine> tileEngine;
  /// The first nest that differs for indices of the innermost batch dim.
  unsigned firstNest = 0;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_WALKER_H
