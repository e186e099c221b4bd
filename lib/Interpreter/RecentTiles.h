//===- RecentTiles.h - Tiles that products read again -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_INTERPRETER_RECENTTILES_H
#define TRN_LIB_INTERPRETER_RECENTTILES_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mlir::trn {

/// Copies of the tiles that one thread multiplied last, of arguments that
/// nobody writes. Rows of an argument are a page or more apart; here they are
/// neighbours, in the caches of the thread.
class RecentTiles {
public:
  /// The products of a block of loads read so many in turn.
  static constexpr std::size_t count = 4;

  /// Bytes from row to row of a copy, whose rows have so many. An odd number of
  /// cache lines spreads them over the sets of the caches.
  static int64_t pitchOf(int64_t rowBytes) {
    return ((rowBytes + lineBytes - 1) / lineBytes | 1) * lineBytes;
  }

  /// Whether rows at this distance share so few sets of the caches that a copy
  /// pays if it is read twice.
  static bool isWorthCopying(int64_t stride) { return stride % 1024 == 0; }

  /// The copy of a tile whose rows are `stride` bytes apart.
  const char *take(const char *first, int64_t stride, int64_t rows,
                   int64_t rowBytes);

private:
  static constexpr int64_t lineBytes = 64;
  struct alignas(lineBytes) Line {
    char bytes[lineBytes];
  };

  struct Tile {
    const char *first = nullptr;
    int64_t stride = 0, rows = 0, rowBytes = 0;
    uint64_t lastTaken = 0;
    std::vector<Line> copy;
  };
  std::array<Tile, count> tiles;
  uint64_t taken = 0;
};

} // namespace mlir::trn

#endif // TRN_LIB_INTERPRETER_RECENTTILES_H
