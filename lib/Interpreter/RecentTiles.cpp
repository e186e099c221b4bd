//===- RecentTiles.cpp - Tiles that products read again -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecentTiles.h"

#include <cstring>

using namespace mlir::trn;

const char *RecentTiles::take(const char *first, int64_t stride, int64_t rows,
                              int64_t rowBytes) {
  ++taken;
  Tile *oldest = tiles.data();
  for (Tile &tile : tiles) {
    if (tile.first == first && tile.stride == stride && tile.rows == rows &&
        tile.rowBytes == rowBytes) {
      tile.lastTaken = taken;
      return tile.copy.front().bytes;
    }
    if (tile.lastTaken < oldest->lastTaken)
      oldest = &tile;
  }
  const int64_t pitch = pitchOf(rowBytes);
  if (int64_t(oldest->copy.size()) * lineBytes < rows * pitch)
    oldest->copy.resize(rows * pitch / lineBytes);
  oldest->first = first;
  oldest->stride = stride;
  oldest->rows = rows;
  oldest->rowBytes = rowBytes;
  oldest->lastTaken = taken;
  char *to = oldest->copy.front().bytes;
  for (int64_t row = 0; row < rows; ++row)
    std::memcpy(to + row * pitch, first + row * stride, rowBytes);
  return to;
}
