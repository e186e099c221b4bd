//===- Copies.h - Copies that change the type, and their engines *- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_COPIES_H
#define TRN_LIB_PLANNING_COPIES_H

#include "Blocks.h"
#include "Emitter.h"

namespace mlir::trn::planning {

/// Copies tiles out of PSUM, or from one type to another, on the engine that
/// their nest asks for.
class Copies : PlanFacts {
public:
  Copies(const PlanFacts &facts, Emitter &emit)
      : PlanFacts(facts), emit(emit) {}

  void convert(unsigned nest, const BlockView &from, const BlockView &to);
  /// Engines for the tiles of a block, one below the other, if it takes them
  /// less time than parts of all tiles.
  llvm::SmallVector<Engine> shareTiles(unsigned nest, const BlockView &) const;

  /// What widens the current tile, if it is not shared out.
  std::optional<Engine> tileEngine;

private:
  struct Widener;
  llvm::SmallVector<Widener, 3> widenersOf(unsigned from, unsigned to) const;
  void copyOnScalar(const BlockView &from, const BlockView &to);
  void widen(const BlockView &from, const BlockView &to);

  Emitter &emit;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_COPIES_H
