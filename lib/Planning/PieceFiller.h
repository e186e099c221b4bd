//===- PieceFiller.h - Homes that are filled in pieces ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_PIECEFILLER_H
#define TRN_LIB_PLANNING_PIECEFILLER_H

#include "Tiles.h"
#include <limits>

namespace mlir::trn::planning {

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

/// Computes nests inside of the loops around them.
class NestWalker {
public:
  virtual ~NestWalker() = default;

  /// Nests that share `depth` loops, with what they open inside of these.
  virtual void emitNests(NestRange range, unsigned depth,
                         const Extents &extents,
                         const OnTheSide &side = {}) = 0;
  /// Nests that share another loop, and have what they need.
  virtual void emitGroup(NestRange group, unsigned depth,
                         const Extents &extents, const OnTheSide &side) = 0;
};

/// Fills homes in pieces, beside nests that run.
class PieceFiller : PlanFacts {
public:
  PieceFiller(Homes &homes, Tiles &tiles, NestWalker &nests)
      : PlanFacts(homes), homes(homes), tiles(tiles), nests(nests),
        emit(homes.emit) {}

  /// How `home` is filled for the iteration with `extents`, in which homes lie
  /// where `lives` says.
  Filling describe(const Home &home, const Extents &extents, Lives lives) const;
  void begin(Filling &fill);
  void fillPiece(Filling &fill, const LinearExpr &start, int64_t size);
  void fillPieces(llvm::ArrayRef<FillShare> shares);
  /// The full pieces are there. So is what they leave, unless `fillsRest`.
  void finish(Filling &fill, bool fillsRest);
  void fillAll(Filling &fill);

  /// How many of the pieces the `group`-th of `groups` takes, in proportion to
  /// its work: of those beside which they may be filled, or of all if none is.
  int64_t countPieces(const FillShare &share, llvm::ArrayRef<NestRange> groups,
                      size_t group, const Extents &extents) const;
  using SpreadBody =
      llvm::function_ref<void(const LinearExpr &, const FillShares &)>;
  /// `body` for each of `trips`, with what it does of `shares` beside.
  void spread(int64_t trips, llvm::ArrayRef<FillShare> shares, SpreadBody body);

private:
  void open(const Filling &fill, const Extents &extents, bool byPiece);

  Homes &homes;
  Tiles &tiles;
  NestWalker &nests;
  Emitter &emit;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_PIECEFILLER_H
