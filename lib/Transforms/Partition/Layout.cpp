//===- Layout.cpp - How cores share a tensor ------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::trn;

int64_t CoreGrid::pieces(Axes axes) const {
  int64_t count = 1;
  for (auto [axis, size] : llvm::enumerate(sizes))
    if (axes & (1u << axis))
      count *= size;
  return count;
}

int64_t CoreGrid::extent(int64_t size, Axes axes) const {
  if (!axes)
    return size;
  int64_t count = pieces(axes);
  return size / count + (size % count != 0);
}

bool CoreGrid::isPadded(int64_t size, Axes axes) const {
  return axes && size % (pieces(axes) * blocksOf(axes)) != 0;
}

std::optional<Axes> CoreGrid::findAxes(int64_t count) const {
  for (Axes axes : {Axes(0), all(), Axes(1)})
    if (pieces(axes) == count)
      return axes;
  return std::nullopt;
}

Axes Layout::axes() const {
  Axes united = 0;
  for (Axes axes : dims)
    united |= axesOf(axes);
  return united;
}

Layout Layout::whole(Type type) {
  Layout layout;
  layout.dims.assign(cast<RankedTensorType>(type).getRank(), 0);
  return layout;
}

RankedTensorType mlir::trn::getPieceType(Type type, const Layout &layout,
                                         const CoreGrid &grid) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  for (auto [size, axes] : llvm::zip_equal(shape, layout.dims))
    size = grid.extent(size, axes);
  return tensor.clone(shape);
}

std::optional<SmallVector<Axes, 4>>
mlir::trn::expandAxes(Axes axes, ArrayRef<int64_t> sizes,
                      const CoreGrid &grid) {
  SmallVector<Axes, 4> dims(sizes.size(), 0);
  auto isLong = [](int64_t size) { return size != 1; };
  if (llvm::count_if(sizes, isLong) == 1) { // the only one may have padding
    dims[llvm::find_if(sizes, isLong) - sizes.begin()] = axes;
    return dims;
  }
  int64_t blocks = blocksOf(axes);
  axes = axesOf(axes);
  for (auto [dim, size] : llvm::zip_equal(dims, sizes)) {
    if (!axes)
      break;
    if (size == 1)
      continue;
    if (blocks % size == 0) { // whole blocks
      blocks /= size;
      continue;
    }
    if (size % blocks != 0)
      return std::nullopt;
    const int64_t own = size / blocks;
    if (own % grid.pieces(axes) == 0) {
      dim = inBlocks(std::exchange(axes, 0), blocks);
      continue;
    }
    // The slower axis splits it into single elements, the other one what is
    // inside of these.
    Axes slower = axes & -axes;
    if (own != grid.pieces(slower))
      return std::nullopt;
    dim = inBlocks(slower, std::exchange(blocks, 1));
    axes &= ~slower;
  }
  return axes ? std::nullopt : std::make_optional(dims);
}

std::optional<Axes> mlir::trn::collapseAxes(ArrayRef<Axes> dims,
                                            ArrayRef<int64_t> sizes,
                                            const CoreGrid &grid) {
  Axes united = 0;
  int64_t blocks = 1;
  for (auto [axes, size] : llvm::zip_equal(dims, sizes)) {
    if (!united)
      blocks *= axes ? blocksOf(axes) : size;
    united |= axesOf(axes);
  }
  if (!united)
    return united;
  if (blocks > mostBlocks)
    return std::nullopt;
  united = inBlocks(united, blocks);
  // Splitting the merged one must give the same again.
  std::optional<SmallVector<Axes, 4>> again = expandAxes(united, sizes, grid);
  if (!again || ArrayRef<Axes>(*again) != dims)
    return std::nullopt;
  return united;
}
