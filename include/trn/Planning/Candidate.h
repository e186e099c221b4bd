//===- Candidate.h - One way for a chain to run strip by strip --*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_CANDIDATE_H
#define TRN_PLANNING_CANDIDATE_H

#include "trn/Planning/Legalize.h"
#include "trn/Planning/Plan.h"

namespace mlir::trn::planning {

/// How the weight of a product comes to it.
struct WeightChoice {
  int64_t columns = 0; // of a block; 0: all
  /// The contraction of a block; 0: all of it. Otherwise the sums of all tiles
  /// of a block of the result stay in PSUM while blocks pass by.
  int64_t over = 0;
  int64_t slots = 2;
  /// All of it stays on chip.
  bool kept = false;
  /// With `over`, if it has to be turned: a block of columns is, while the one
  /// before it is read, for so many rows of the strip at a time; 0: right
  /// before it is read.
  int64_t rowsBeside = 0;

  bool operator==(const WeightChoice &other) const {
    return columns == other.columns && over == other.over &&
           slots == other.slots && kept == other.kept &&
           rowsBeside == other.rowsBeside;
  }
};

/// How X^T comes to the first product of a strip.
enum class Arrival : uint8_t {
  InTime, // when the strip begins
  Early,  // for the next strip, in the place of the one that was read
  Beside, // for the next strip, while this one's is read
  Packed, // at once, from rows of one tile each in all partitions
};

/// A point of the space.
struct Candidate {
  TransposeMode transpose = TransposeMode::Implicit;
  int64_t strip = 0; // rows of X
  Arrival arrival = Arrival::InTime;
  /// Columns of X that are transposed at a time; 0: by the DMA, all at once.
  int64_t piece = 0;
  /// Blocks of the first contraction, with sums of type `partials`; 0: all of
  /// it. Sums lie in SBUF, or in HBM if they are rounded and stored.
  int64_t outer = 0;
  ElementType partials = ElementType::F32;
  /// With `outer`: X is read again for every block of columns, so that only the
  /// sums of one stay.
  bool reread = false;
  /// Intermediates go through HBM, and are read in strips of so many rows; 0:
  /// of as many as X.
  bool apart = false;
  int64_t laterStrip = 0;
  /// With `outer`, `reread` and `apart`: so it is for the other products, which
  /// read their intermediates again.
  bool everywhere = false;
  /// Intermediates that are not apart, and whose contraction is not blocked,
  /// stay on chip for all rows: the products have loops of their own.
  bool whole = false;
  llvm::SmallVector<WeightChoice, 2> weights; // by product
  /// By product: only so many columns of its result are on chip at a time, as
  /// the product that sums over them adds to its own result in SBUF; 0: all.
  llvm::SmallVector<int64_t, 2> passing;

  /// Whether as much of X^T and of the intermediates is on chip at a time.
  bool keepsAsMuchAs(const Candidate &other) const {
    return outer == other.outer && reread == other.reread &&
           apart == other.apart && laterStrip == other.laterStrip &&
           everywhere == other.everywhere && passing == other.passing;
  }
};

/// A schedule whose loops can be made and whose buffers fit.
struct FittingSchedule : Schedule {
  /// How long the busiest engine works.
  double busyNs = 0;
};

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_CANDIDATE_H
