//===- Emitter.h - Loops and buffers of a program ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_EMITTER_H
#define TRN_LIB_PLANNING_EMITTER_H

#include "Extents.h"
#include "trn/Planning/Walk.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::trn::planning {

/// Tells a visitor of loops and buffers, which it numbers in order. The visitor
/// is told of all else as it is: `emit->copy(from, to)`.
class Emitter {
public:
  using Body = llvm::function_ref<void(const LinearExpr &)>;
  using PieceBody = llvm::function_ref<void(const LinearExpr &, int64_t)>;
  using TileBody = llvm::function_ref<void(const Tile &)>;

  Emitter(const Machine &machine, PlanVisitor &visitor)
      : machine(machine), visitor(&visitor) {}

  PlanVisitor *operator->() const { return visitor; }

  /// `body` for each of `count`, in a loop if there are several.
  void repeat(int64_t count, Body body);
  /// `body` for blocks of `size`: start and size of each.
  void overPieces(int64_t size, int64_t block, PieceBody body,
                  bool isUnrolled = false);
  /// `body` for tiles of `block`, at most `width` columns each, row by row.
  void overTiles(const BlockView &block, int64_t width, TileBody body);

  int32_t allocate(PlannedBuffer buffer);
  BlockView openBuffer(const PlannedBuffer &buffer);
  BlockView openBank(unsigned matrix, int64_t rows, int64_t columns);

  /// `body`, told to `recorder` in place of the visitor, and then `replay`: it
  /// tells that one, and is given the number of its next buffer.
  void record(PlanVisitor &recorder, llvm::function_ref<void()> body,
              llvm::function_ref<void(PlanVisitor &, int32_t &)> replay);

  /// Whether no loop inside of the one that runs remains a loop.
  bool isWrittenOut = false;

private:
  const Machine &machine;
  PlanVisitor *visitor;
  int32_t loops = 0, buffers = 0;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_EMITTER_H
