//===- WidenedSbuf.h - SBUF in f32 ------------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_INTERPRETER_WIDENEDSBUF_H
#define TRN_LIB_INTERPRETER_WIDENEDSBUF_H

#include "Memory.h"
#include "TileMath.h"
#include "trn/Interpreter/WrittenMap.h"

namespace mlir::trn {

/// A second image of SBUF that holds narrow tiles in f32, for CPUs that
/// multiply nothing narrower. A tile is widened when it is first multiplied,
/// and again only after something was written there.
///
/// The element at byte `b` of a partition is number `b / 2` of a row. The
/// walking thread says what is current; workers widen.
class WidenedSbuf {
public:
  explicit WidenedSbuf(const Machine &machine);

  /// Whether tiles of this layout are kept: narrow neighbours in a row, if the
  /// host has the memory.
  bool keeps(const TileLayout &tile) const {
    return image.data() && tile.type != ElementType::F32 && tile.column == 1;
  }
  /// How every tile is kept.
  TileLayout layout() const { return {ElementType::F32, pitch, 1}; }

  /// The first element of a tile.
  char *locate(const Region &tile) const;
  /// Whether a tile has to be widened before it is read; it is current then.
  bool refresh(const Region &tile);
  /// A buffer is allocated there, or something is written.
  void invalidate(const Region &region);
  /// Widens the tile `narrow`, whose partitions are `stride` bytes
  /// apart.
  void widen(const OperandLayout &tile, int64_t stride, const char *narrow,
             char *to) const;

private:
  /// In elements.
  const int64_t pitch;
  Image image;
  ChipMap current;
};

} // namespace mlir::trn

#endif // TRN_LIB_INTERPRETER_WIDENEDSBUF_H
