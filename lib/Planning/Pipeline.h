//===- Pipeline.h - Loops for which homes are filled ahead ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_PIPELINE_H
#define TRN_LIB_PLANNING_PIPELINE_H

#include "OpenLoop.h"
#include "PieceFiller.h"

namespace mlir::trn::planning {

/// The homes inside of `level` loops that are filled ahead for `group`. One
/// that is read to fill another one comes first: it is filled further ahead.
llvm::SmallVector<const Home *, 2> homesAhead(const Plan &plan, NestRange group,
                                              unsigned level);

/// A loop around nests for which homes are filled ahead: beside each iteration,
/// those of later ones.
class Pipeline : PlanFacts {
public:
  Pipeline(NestRange group, OpenLoop &loop, Homes &homes, PieceFiller &filler,
           NestWalker &nests);

  /// All iterations, with `shares` spread over them.
  void run(llvm::ArrayRef<FillShare> shares);

private:
  void allocateSlots();
  Lives livesIn(const LinearExpr &index);
  Filling describe(const Home &home, const LinearExpr &index);
  bool canStream(const Filling &fill) const;
  bool keepsOrder(unsigned depth, const Extents &extents, int64_t count) const;
  bool canCatchUp();
  void fillFirst();
  void iterate(const LinearExpr &index, FillShares outer);

  OpenLoop &loop;
  Homes &homes;
  PieceFiller &filler;
  NestWalker &nests;
  Emitter &emit;
  const unsigned level; // inside of the loop
  const NestRange group;
  const llvm::SmallVector<const Home *, 2> ahead;
  const NestRange readers;
  llvm::SmallVector<llvm::SmallVector<int32_t, 3>, 2> slots; // by home
  /// What the first iteration reads right behind each piece.
  const Home *streamed = nullptr;
  /// Whether what later iterations need comes beside the first one, too.
  bool catchesUp = false;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_PIPELINE_H
