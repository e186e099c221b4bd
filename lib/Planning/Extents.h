//===- Extents.h - Blocks of dims inside of loops ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_EXTENTS_H
#define TRN_LIB_PLANNING_EXTENTS_H

#include "trn/Planning/Plan.h"
#include "trn/Program/LinearExpr.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::trn::planning {

/// The indices of a dim that the loops around leave.
struct Extent {
  LinearExpr start;
  int64_t size = 0;
  /// Not the first iteration of some loop over the dim.
  bool later = false;
  /// Groups follow the dim that they are of.
  std::optional<unsigned> groupsOf = std::nullopt;
  int64_t groupSize = 0;
};
using Extents = llvm::SmallVector<Extent, 8>; // by dim

/// Lets groups of `dim` follow it.
inline void cutGroups(Extents &extents, unsigned dim) {
  for (Extent &groups : extents)
    if (groups.groupsOf == dim) {
      groups.start = extents[dim].start / groups.groupSize;
      groups.size = llvm::divideCeilSigned(extents[dim].size, groups.groupSize);
    }
}

/// `extents` with `size` indices of `dim` alone, the first one being `start`.
inline Extents cut(Extents extents, unsigned dim, const LinearExpr &start,
                   int64_t size) {
  extents[dim].start += start;
  extents[dim].size = size;
  cutGroups(extents, dim);
  return extents;
}

/// The block of `loop` at `index`; the last one may be smaller.
inline Extents iteration(const Extents &extents, Loop loop,
                         const LinearExpr &index) {
  int64_t size = extents[loop.dim].size;
  bool isRest = index == LinearExpr(size / loop.block);
  Extents inner = cut(extents, loop.dim, index * loop.block,
                      isRest ? size % loop.block : loop.block);
  inner[loop.dim].later |= !(index == LinearExpr(0));
  return inner;
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

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_EXTENTS_H
