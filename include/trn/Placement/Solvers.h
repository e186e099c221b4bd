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

/// Offsets that overlap nowhere, but may exceed the capacity.
struct Solution {
  Offsets offsets;
  int64_t highWater = 0;
};

/// Offsets within the capacity, or none. This is what placement and planning
/// call, so that a plan that fits is a program that fits. Runs `bestOf`, and
/// `improve` with a bounded effort if that alone does not fit. After a failure
/// `Problem::peak` tells who is in the way.
std::optional<Solution> solve(const Problem &problem);

/// Whether `solve` finds offsets; cheaper.
bool isSolvable(const Problem &problem);

/// The same of a problem whose peak is known to fit; cheaper still.
bool hasAddresses(const Problem &problem);

/// Puts each buffer at the lowest free offset, in the order given; buffers with
/// a fixed offset come first and need not be in `order`.
Solution firstFit(const Problem &problem, llvm::ArrayRef<size_t> order);

/// Puts the buffers, in order of their begin, behind one another and starts
/// over where the capacity ends, like a ring: what is reused was left longest
/// ago, so few buffers wait for the readers of the one before. May exceed the
/// capacity where `solve` would not.
Solution nextFit(const Problem &problem);

/// The best first fit over a few orders: by size, by lifetime, by their
/// product and by the begin of life; one that reaches no higher than `bound`,
/// such as the size of the peak, ends that.
Solution bestOf(const Problem &problem, int64_t bound);

/// Searches for a solution with a lower high-water mark than `start`, until it
/// is at most `enough` or `maxNodes` partial placements were tried. With
/// unbounded effort and `enough` = 0 the result is optimal.
Solution improve(const Problem &problem, Solution start, int64_t enough,
                 int64_t maxNodes);

} // namespace mlir::trn::placement

#endif // TRN_PLACEMENT_SOLVERS_H
