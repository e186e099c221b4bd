//===- Problem.h - Buffers that share one memory ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLACEMENT_PROBLEM_H
#define TRN_PLACEMENT_PROBLEM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>

namespace mlir::trn::placement {

/// One buffer. Sizes and offsets are in units of the problem: bytes of one
/// partition for SBUF, banks for PSUM (there `size` is 1).
struct Buffer {
  /// Size of one slot, at least 1.
  int64_t size;
  /// Slots follow each other: slot k starts at `offset + k * size`.
  int64_t slots = 1;
  /// Live at the program points `begin <= point < end`, all slots alike.
  int64_t begin = 0;
  int64_t end = 1;
  /// The offset is a multiple of this.
  int64_t alignment = 1;
  /// An offset fixed by others, which solvers keep.
  std::optional<int64_t> fixed = std::nullopt;

  int64_t footprint() const { return size * slots; }
  bool isLiveWith(const Buffer &other) const {
    return begin < other.end && other.begin < end;
  }
};

/// Offsets, one for each buffer of a problem, in the same order.
using Offsets = llvm::SmallVector<int64_t, 24>;

/// Why offsets are not a solution. `first` and `second` are indices of buffers,
/// equal if only one is at fault.
struct Conflict {
  size_t first;
  size_t second;
  std::string message;
};

/// The program point with the largest sum of live footprints: no solution can
/// use less memory than this.
struct Peak {
  int64_t point = 0;
  int64_t size = 0;
  /// Buffers that are live there, the largest one first: the memory map.
  llvm::SmallVector<size_t, 24> live;
};

/// Find offsets below `capacity` such that no two buffers that are live at the
/// same time overlap.
struct Problem {
  llvm::SmallVector<Buffer, 24> buffers;
  int64_t capacity = 0;

  /// The first conflict of `offsets`, or none if they solve the problem.
  std::optional<Conflict> check(llvm::ArrayRef<int64_t> offsets) const;

  /// One past the largest unit used.
  int64_t highWater(llvm::ArrayRef<int64_t> offsets) const;

  Peak peak() const;
};

} // namespace mlir::trn::placement

#endif // TRN_PLACEMENT_PROBLEM_H
