//===- Repetition.h - Calls that repeat in a launch -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layers of a model are the same calls over and over, each on the results
// of the one before it. A launch with fewer of them tells how long all take,
// once they are in step: `simulateCalls` proves that and does so.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_REPETITION_H
#define TRN_PROGRAM_REPETITION_H

#include "trn/Program/Launch.h"

namespace mlir::trn {

/// From call `first` to `end` each call is like the one `period` calls later.
/// It runs the same kernel, on memory of its own or on what was used last as
/// many calls ago. A period is even, since calls take turns at both ends of
/// SBUF.
struct Repetition {
  size_t first, end, period;
  /// The memory of a call in there is used for at most so many calls more; what
  /// comes after `end` counts as one.
  size_t reach = 0;
  /// No call from `first` on uses memory that was used last more calls ago.
  size_t distance = 0;
  /// The calls of a round, as often as they come: `period`, or half of it.
  size_t round = 0;
};

/// The longest repetition in `calls`, if there is one.
std::optional<Repetition> findRepetition(llvm::ArrayRef<LaunchCall> calls);

/// Calls, and what their arguments are. Offsets are those of other calls.
struct OwnedCalls {
  std::vector<std::vector<uintptr_t>> arguments;
  std::vector<LaunchCall> calls;
};

/// `calls` without `count` of them, whole periods of a repetition, from `first`
/// on. Nothing if some call would use other memory than it does in `calls`.
std::optional<OwnedCalls> dropCalls(llvm::ArrayRef<LaunchCall> calls,
                                    size_t first, size_t count);

/// Calls, each of them like one of others.
struct RepeatedCalls : OwnedCalls {
  std::vector<size_t> like;
};

/// `calls` with `rounds` more rounds, put in at the end of `repetition`, which
/// all of them continue. The reverse of `dropCalls`, and nothing where that
/// gives nothing.
std::optional<RepeatedCalls> addRounds(llvm::ArrayRef<LaunchCall> calls,
                                       const Repetition &repetition,
                                       size_t rounds);

} // namespace mlir::trn

#endif // TRN_PROGRAM_REPETITION_H
