//===- Filling.h - What is filled while a nest runs -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_FILLING_H
#define TRN_LIB_PLANNING_FILLING_H

#include "trn/Planning/Plan.h"
#include "trn/Program/Instruction.h"

namespace mlir::trn::planning {

/// The indices of a dim that the loops around leave.
struct Extent {
  LinearExpr start;
  int64_t size = 0;
  /// Not the first iteration of some loop over the dim.
  bool later = false;
};
using Extents = llvm::SmallVector<Extent, 8>; // by dim

/// `extents` with `size` indices of `dim` alone, the first one being `start`.
inline Extents cut(Extents extents, unsigned dim, const LinearExpr &start,
                   int64_t size) {
  extents[dim].start += start;
  extents[dim].size = size;
  return extents;
}

/// A part of a block, counted from the block's first row and column.
struct Tile {
  LinearExpr row;
  int64_t rows;
  LinearExpr column;
  int64_t columns;
};

/// Neighbouring nests, both ends included.
struct NestRange {
  unsigned first, last;
  bool contains(unsigned nest) const { return first <= nest && nest <= last; }
};

/// An early home that is being filled for another iteration than the one that
/// runs, in pieces along what its matrix holds first.
struct Filling {
  const Home *home = nullptr;
  int32_t buffer = 0;
  Extents extents; // of the iteration that it is for
  unsigned dim = 0;
  int64_t piece = 0;

  int64_t fullPieces() const { return extents[dim].size / piece; }
  int64_t remainder() const { return extents[dim].size % piece; }
};

/// Full pieces that are filled on the side.
struct FillShare {
  const Filling *filling = nullptr;
  LinearExpr first;
  int64_t count = 0;
};

/// What is filled while a nest runs.
struct OnTheSide {
  FillShare share = {};
  /// What the first block of columns reads: each piece right before it is read.
  const Filling *ahead = nullptr;
  /// In the place of what the last block of columns reads, right behind it.
  const Filling *behind = nullptr;

  const Filling *streamed() const { return ahead ? ahead : behind; }
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_FILLING_H
