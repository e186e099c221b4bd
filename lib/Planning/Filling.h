//===- Filling.h - What is filled while a nest runs -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_FILLING_H
#define TRN_LIB_PLANNING_FILLING_H

#include "trn/Planning/Walk.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

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

/// Where a home lies while it is open.
struct Live {
  /// The buffer, and the first index of rows and columns that it holds.
  BlockView block = {};
  /// Its sums outside of the tile: banks by rows, columns and sum, or by sum a
  /// buffer in SBUF, and where what is summed over begins.
  llvm::SmallVector<BlockView, 8> sums = {};
  Extents sumExtents = {};
};

/// Homes, and where they lie in another iteration than the one that runs.
using Lives = llvm::SmallVector<std::pair<Live *, Live>, 4>;

/// A home that is being filled for another iteration than the one that runs, in
/// pieces along one dim.
struct Filling {
  const Home *home = nullptr;
  NestRange nests = {}; // that fill it, or the first one that needs the load
  Extents extents;      // of the iteration that it is for
  /// The home itself, and what the nest that fills it finds elsewhere.
  Lives lives;
  unsigned dim = 0;
  int64_t piece = 0;
  /// Beside nests from this one on, until that one.
  unsigned from = 0, until = std::numeric_limits<unsigned>::max();

  void inIteration(llvm::function_ref<void()> body) {
    auto swap = [&] {
      for (auto &[home, other] : lives)
        std::swap(*home, other);
    };
    swap();
    body();
    swap();
  }
  /// Whether the nests that fill it alone need `other`.
  bool isServedBy(const Home &other) const {
    return nests.contains(other.nests.front()) &&
           nests.contains(other.nests.back());
  }
  int64_t fullPieces() const { return extents[dim].size / piece; }
  int64_t remainder() const { return extents[dim].size % piece; }
};

/// Full pieces that are filled on the side.
struct FillShare {
  Filling *filling = nullptr;
  LinearExpr first;
  int64_t count = 0;

  /// What falls to the steps from `begin` to `end` of so many.
  FillShare part(int64_t begin, int64_t end, int64_t steps) const {
    int64_t done = count * begin / steps;
    return {filling, first + done, count * end / steps - done};
  }
};
using FillShares = llvm::SmallVector<FillShare, 2>;

/// The parts of `shares` that fall to the steps from `begin` to `end`.
inline FillShares partsOf(llvm::ArrayRef<FillShare> shares, int64_t begin,
                          int64_t end, int64_t steps) {
  FillShares parts;
  for (const FillShare &share : shares)
    if (FillShare part = share.part(begin, end, steps); part.count)
      parts.push_back(part);
  return parts;
}

/// What is filled while a nest runs.
struct OnTheSide {
  FillShares shares = {};
  /// What the first block of columns reads: each piece right before it is read.
  Filling *ahead = nullptr;
  /// In the place of what the last block of columns reads, right behind it.
  Filling *behind = nullptr;

  const Filling *streamed() const { return ahead ? ahead : behind; }
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_FILLING_H
