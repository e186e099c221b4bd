//===- Layout.h - How cores share a tensor ----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_PARTITION_LAYOUT_H
#define TRN_LIB_TRANSFORMS_PARTITION_LAYOUT_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace mlir::trn {

/// How a dimension is split. Bits 0 to 7 are a set of axes of a grid: bit i is
/// axis i. The others are the number of blocks but one: a dimension of several
/// blocks of equal size is split in each of them, and a core has its piece of
/// all. So are heads that are merged with a batch in front of them.
using Axes = unsigned;
constexpr unsigned axisBits = 8;
constexpr int64_t mostBlocks = int64_t(1) << 16;

/// Without blocks.
inline Axes axesOf(Axes axes) { return axes & ((1u << axisBits) - 1); }
inline int64_t blocksOf(Axes axes) { return 1 + (axes >> axisBits); }
/// Whether a dimension that is split over `part` can be split over `axes`
/// further.
inline bool isWithin(Axes part, Axes axes) {
  return !part ||
         ((axesOf(part) & ~axes) == 0 && blocksOf(part) == blocksOf(axes));
}
/// `axes`, which has no blocks, in each of `blocks`.
inline Axes inBlocks(Axes axes, int64_t blocks) {
  return axes ? axes | Axes(blocks - 1) << axisBits : 0;
}

/// The cores as a grid of at most two axes; the last one varies fastest. There
/// are two if heads of keys are split over fewer pieces than there are cores.
struct CoreGrid {
  SmallVector<int64_t, 2> sizes;

  int64_t cores() const { return pieces(all()); }
  Axes all() const { return (1u << sizes.size()) - 1; }
  int64_t pieces(Axes axes) const;
  /// The elements of `size` that one core has.
  int64_t extent(int64_t size, Axes axes) const;
  bool isPadded(int64_t size, Axes axes) const;
  /// Whether core c has piece c * pieces / cores, as trn.shard says it.
  bool isRun(Axes axes) const { return axes == all() || axes == 1; }
  /// The axes over which `count` pieces are split, if there are such.
  std::optional<Axes> findAxes(int64_t count) const;
};

/// What each core has of a tensor.
struct Layout {
  /// The axes over which each dimension is split.
  SmallVector<Axes, 4> dims;
  /// The tensor is the sum of what all cores have.
  bool isPartial = false;
  /// Any piece of it can be made on any core: a constant, or nothing yet.
  bool isFlexible = false;
  /// Zeros pad the last pieces.
  bool hasZeroPadding = false;
  /// The weight that it is, or follows from alone.
  Value weight;

  bool isSplit() const { return axes() != 0; }
  /// Without blocks.
  Axes axes() const;
  bool isEqual(const Layout &other) const {
    return dims == other.dims && isPartial == other.isPartial;
  }
  /// What is the same on all cores.
  static Layout whole(Type type);
};

/// The type of what one core has; `type` is that of the whole.
RankedTensorType getPieceType(Type type, const Layout &layout,
                              const CoreGrid &grid);

/// How dimensions of `sizes` are split if one that they were merged to is split
/// over `axes`; nothing if its pieces are no blocks of them.
std::optional<SmallVector<Axes, 4>>
expandAxes(Axes axes, ArrayRef<int64_t> sizes, const CoreGrid &grid);

/// How one dimension is split that those of `sizes` are merged to.
std::optional<Axes> collapseAxes(ArrayRef<Axes> dims, ArrayRef<int64_t> sizes,
                                 const CoreGrid &grid);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_PARTITION_LAYOUT_H
