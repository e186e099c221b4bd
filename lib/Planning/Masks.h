//===- Masks.h - What masks hide of tiles -----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_MASKS_H
#define TRN_LIB_PLANNING_MASKS_H

#include "PlanFacts.h"

namespace mlir::trn::planning {

/// Columns of a tile of which a mask hides nothing if they are open.
struct MaskedRun {
  int64_t begin, size;
  std::optional<unsigned> mask = std::nullopt;
  bool isOpen = false;
};

/// Columns of a product, which may be the first of their sums.
struct LiveRun {
  int64_t begin, size;
  bool isFirst;
};

/// Which tiles masks leave, of those whose indices are known.
class Masks : PlanFacts {
public:
  explicit Masks(const PlanFacts &facts)
      : PlanFacts(facts), band(findLiveBand(graph)) {}

  /// Whether iterations of the loop at `depth` run over those columns alone
  /// that a mask leaves of their rows. They differ in these, so each is written
  /// out.
  bool followsBand(NestRange group, unsigned depth,
                   const Extents &extents) const;
  /// Those columns of an iteration.
  Extents followBand(Extents iteration) const;
  /// Whether iterations that do so must have no loops inside of them: tiles
  /// have masks of their own.
  bool hasMadeMask() const { return llvm::any_of(graph.matrices, isMadeMask); }

  /// The part of a tile of the result of `nest` that a mask hides not all of,
  /// or what it sums over there; in loops that are written out.
  Extents liveIn(unsigned nest, Extents extents) const;
  llvm::SmallVector<MaskedRun, 4> runsIn(unsigned nest,
                                         const Extents &extents) const;
  /// The mask of which it is known where it hides nothing.
  std::optional<unsigned> find(unsigned nest, const Extents &extents) const;
  /// One that is made on chip and hides some of the tile, but not all.
  std::optional<unsigned> findCut(unsigned nest, const Extents &tile) const;
  /// Whether the columns of the result are the rows of the band, of whose
  /// columns `term` sums over those that are live.
  bool cutsProduct(unsigned nest, const Term &term) const {
    return leavesOut && term.over == band->columns &&
           graph.matrices[stageOf(nest).result].columns == band->rows;
  }
  /// The columns of such a product over a tile of the band's columns: those of
  /// which the mask hides all of that tile are left out, and of others it may
  /// be the first, unless the sum has begun.
  llvm::SmallVector<LiveRun, 2> runsOfProduct(const Extents &extents,
                                              bool hasBegun) const;

  /// Whether it leaves out the first columns of some rows.
  bool isWindow() const { return band && band->band.least; }

  /// Whether what a mask hides is left out, tile by tile; all is written out.
  bool leavesOut = false;

private:
  const std::optional<LiveBand> band;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_MASKS_H
