//===- WrittenMap.h - Bytes of a memory with a value ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_INTERPRETER_WRITTENMAP_H
#define TRN_INTERPRETER_WRITTENMAP_H

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace mlir::trn {

/// One bit per two bytes, the smallest element, so the answer is exact. Bits of
/// one position are together for all partitions, because instructions touch the
/// same bytes of many partitions.
class WrittenMap {
public:
  struct Position {
    int64_t partition;
    int64_t byte;
  };

  /// A memory of `partitions` rows; HBM has one.
  WrittenMap(int64_t partitions, int64_t bytes);

  /// Ranges are partitions [p0, p1) and bytes [lo, hi), which must be even and
  /// inside the memory.
  void set(int64_t p0, int64_t p1, int64_t lo, int64_t hi);
  void clear(int64_t p0, int64_t p1, int64_t lo, int64_t hi);
  void clear() { std::fill(words.begin(), words.end(), 0); }
  /// The first element that was never set, lowest byte first.
  std::optional<Position> findHole(int64_t p0, int64_t p1, int64_t lo,
                                   int64_t hi) const;
  /// The first element that is set, from byte `lo` on.
  std::optional<Position> findSet(int64_t p0, int64_t p1, int64_t lo,
                                  int64_t hi) const;
  /// With a map of the same size: sets what is set there, or clears the rest.
  void add(const WrittenMap &other);
  void keep(const WrittenMap &other);

private:
  template <typename Visit>
  static bool forEachWord(int64_t lo, int64_t hi, Visit visit);

  int64_t partitions;
  std::vector<uint64_t> words;
};

} // namespace mlir::trn

#endif // TRN_INTERPRETER_WRITTENMAP_H
