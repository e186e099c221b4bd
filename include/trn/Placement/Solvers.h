//===- Solvers.h - Find offsets for buffers ---------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLACEMENT_SOLVERS_H
#define TRN_PLACEMENT_SOLVERS_H

#include "trn/Placement/Problem.h"

namespace mlir::trn::placement {

/// Offsets without overlaps, perhaps beyond the capacity.
struct Solution {
  Offsets offsets;
  int64_t highWater = 0;
};

/// Offsets within the capacity, or none. Placement and planning both call it,
/// so a plan that fits is a program that fits. Runs `bestOf`, then `improve`
/// with bounded effort if needed. After a failure `Problem::peak` tells which
/// buffers compete.
std::optional<Solution> solve(const Problem &problem);

/// Whether `solve` finds offsets; cheaper.
bool isSolvable(const Problem &problem);

/// The same of a problem whose peak is known to fit; cheaper still.
bool hasAddresses(const Problem &problem);

/// Puts each buffer at the lowest free offset, in this order. Buffers with a
/// fixed offset come first and need not be in `order`.
Solution firstFit(const Problem &problem, llvm::ArrayRef<size_t> order);

/// Puts buffers after one another, in order of their begin, and starts over at
/// the capacity, like a ring. Reused memory has been idle longest, so few
/// buffers wait for readers. May exceed the capacity where `solve` would not.
Solution nextFit(const Problem &problem);

/// The best first fit over a few orders: by size, lifetime, their product, and
/// begin of life. Stops at one that reaches no higher than `bound`, such as the
/// size of the peak.
Solution bestOf(const Problem &problem, int64_t bound);

/// Searches for a solution with a lower high-water mark than `start`, until it
/// is at most `enough` or `maxNodes` partial placements were tried. With
/// unbounded effort and `enough` = 0 the result is optimal.
Solution improve(const Problem &problem, Solution start, int64_t enough,
                 int64_t maxNodes);

} // namespace mlir::trn::placement

#endif // TRN_PLACEMENT_SOLVERS_H
