//===- Nests.h - Nests and their loops --------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_NESTS_H
#define TRN_LIB_PLANNING_NESTS_H

#include "PieceFiller.h"

namespace mlir::trn::planning {

/// Runs through the loops of nests.
class Nests final : public NestWalker, PlanFacts {
public:
  Nests(Homes &homes, Masks &masks, Tiles &tiles, PieceFiller &filler)
      : PlanFacts(homes), homes(homes), masks(masks), tiles(tiles),
        filler(filler), emit(homes.emit) {}

  void emitNests(NestRange range, unsigned depth, const Extents &extents,
                 const OnTheSide &side) override;
  void emitGroup(NestRange group, unsigned depth, const Extents &extents,
                 const OnTheSide &side) override;

private:
  void emitLoop(NestRange group, unsigned depth, const Extents &extents,
                llvm::ArrayRef<FillShare> shares = {});
  void emitColumns(NestRange group, unsigned depth, const Extents &extents,
                   const OnTheSide &side);
  void streamLoop(NestRange group, unsigned depth, const Extents &extents,
                  const OnTheSide &side);

  Homes &homes;
  Masks &masks;
  Tiles &tiles;
  PieceFiller &filler;
  Emitter &emit;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_NESTS_H
