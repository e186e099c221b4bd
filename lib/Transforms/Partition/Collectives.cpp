//===- Collectives.cpp - What cores exchange ------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Collectives.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"

using namespace mlir;
using namespace mlir::trn;

int64_t mlir::trn::countBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      !tensor.getElementType().isIntOrFloat())
    return 0;
  int64_t width = llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
  return tensor.getNumElements() * width;
}

/// The one of the grid that is written. Without any, upstream takes each core
/// for a group of its own.
static constexpr shard::GridAxis allAxes[] = {0};

static RankedTensorType typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

static RankedTensorType withSize(RankedTensorType type, unsigned dim,
                                 int64_t size) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  return type.clone(shape);
}

/// The first elements of `tensor`; dimensions that `type` lacks are dropped.
static Value sliceTo(OpBuilder &builder, Location loc, Value tensor,
                     ArrayRef<OpFoldResult> sizes, RankedTensorType type) {
  if (typeOf(tensor) == type)
    return tensor;
  SmallVector<OpFoldResult> zeros(sizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(sizes.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, loc, type, tensor, zeros,
                                        sizes, ones);
}

static Value reduce(OpBuilder &builder, Location loc, Value piece) {
  return shard::AllReduceOp::create(builder, loc, piece.getType(), gridName,
                                    allAxes, piece, shard::ReductionKind::Sum);
}

/// Each core gets its run of the sum, which is padded to runs of one size.
static Value reduceScatter(OpBuilder &builder, Location loc, Value piece,
                           unsigned dim, const CoreGrid &grid) {
  RankedTensorType type = typeOf(piece);
  int64_t extent = grid.extent(type.getDimSize(dim), grid.all());
  RankedTensorType padded = withSize(type, dim, extent * grid.cores());
  if (padded != type) {
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(type.getElementType()));
    piece = tensor::createPadHighOp(
        padded, piece, zero, /*nofold=*/false, loc, builder,
        tensor::createDynamicDimValues(builder, loc, piece));
  }
  return shard::ReduceScatterOp::create(
      builder, loc, withSize(type, dim, extent), gridName, allAxes, piece,
      shard::ReductionKind::Sum, APInt(64, dim));
}

/// Groups for a reshape that merges `counts` dimensions each.
static SmallVector<ReassociationIndices> makeGroups(ArrayRef<int64_t> counts) {
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (int64_t count : counts) {
    groups.emplace_back();
    while (count--)
      groups.back().push_back(next++);
  }
  return groups;
}

/// Pieces over one axis of a grid of two, or over both in two dimensions, as an
/// all-gather along `dim` leaves them: [..., axis 0, axis 1, extent, ...].
/// Each axis moves in front of the dimension that it splits; of what all cores
/// along an axis have, one is enough.
static Value arrangeAxes(OpBuilder &builder, Location loc, Value gathered,
                         unsigned dim, const Layout &have,
                         const CoreGrid &grid) {
  RankedTensorType type = typeOf(gathered);
  unsigned rank = type.getRank();
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, gathered);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] /= grid.cores();
  sizes[dim] = builder.getIndexAttr(shape[dim]);
  for (int64_t size : llvm::reverse(grid.sizes)) {
    shape.insert(shape.begin() + dim, size);
    sizes.insert(sizes.begin() + dim, builder.getIndexAttr(size));
  }
  SmallVector<int64_t> counts(rank, 1);
  counts[dim] = 3;
  Value result = tensor::ExpandShapeOp::create(
      builder, loc, type.clone(shape), gathered, makeGroups(counts), sizes);

  // Where each dimension comes from, and with how many axes in front of it.
  SmallVector<int64_t> order;
  for (unsigned i = 0; i < rank; ++i) {
    for (unsigned axis = 0; axis < 2; ++axis)
      if (have.dims[i] & (1u << axis))
        order.push_back(dim + axis);
    order.push_back(i < dim ? i : i + 2);
    counts[i] = 1 + llvm::popcount(have.dims[i]);
  }
  SmallVector<int64_t> kept(order), keptShape, permutation, target;
  SmallVector<OpFoldResult> targetSizes;
  llvm::sort(kept);
  for (unsigned axis = 0; axis < 2; ++axis)
    if (!llvm::is_contained(kept, dim + axis))
      sizes[dim + axis] = builder.getIndexAttr(1);
  for (int64_t position : kept)
    keptShape.push_back(shape[position]);
  for (int64_t position : order) {
    permutation.push_back(llvm::find(kept, position) - kept.begin());
    target.push_back(shape[position]);
    targetSizes.push_back(sizes[position]);
  }
  result = sliceTo(builder, loc, result, sizes, type.clone(keptShape));
  if (!llvm::is_sorted(permutation)) {
    Value empty = tensor::EmptyOp::create(builder, loc, targetSizes,
                                          type.getElementType());
    result =
        linalg::TransposeOp::create(builder, loc, result, empty, permutation)
            ->getResult(0);
  }
  if (target.size() == rank)
    return result;
  return tensor::CollapseShapeOp::create(builder, loc, result,
                                         makeGroups(counts));
}

/// `type` with a dimension of blocks in front of dimension `dim`.
static RankedTensorType withBlocks(RankedTensorType type, unsigned dim,
                                   int64_t blocks) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] /= blocks;
  shape.insert(shape.begin() + dim, blocks);
  return type.clone(shape);
}

static Value gather(OpBuilder &builder, Location loc, Value piece,
                    RankedTensorType whole, const Layout &have,
                    const CoreGrid &grid);

/// The blocks of dimension `dim` become one of their own meanwhile.
static Value gatherBlocks(OpBuilder &builder, Location loc, Value piece,
                          unsigned dim, RankedTensorType whole, Layout have,
                          const CoreGrid &grid) {
  const int64_t blocks = blocksOf(have.dims[dim]);
  have.dims[dim] = axesOf(have.dims[dim]);
  have.dims.insert(have.dims.begin() + dim, 0);
  SmallVector<int64_t> counts(whole.getRank(), 1);
  counts[dim] = 2;
  RankedTensorType type = withBlocks(typeOf(piece), dim, blocks);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, piece);
  sizes[dim] = builder.getIndexAttr(type.getDimSize(dim + 1));
  sizes.insert(sizes.begin() + dim, builder.getIndexAttr(blocks));
  piece = tensor::ExpandShapeOp::create(builder, loc, type, piece,
                                        makeGroups(counts), sizes);
  piece =
      gather(builder, loc, piece, withBlocks(whole, dim, blocks), have, grid);
  return tensor::CollapseShapeOp::create(builder, loc, piece,
                                         makeGroups(counts));
}

static Value gather(OpBuilder &builder, Location loc, Value piece,
                    RankedTensorType whole, const Layout &have,
                    const CoreGrid &grid) {
  for (auto [dim, axes] : llvm::enumerate(have.dims))
    if (blocksOf(axes) > 1)
      return gatherBlocks(builder, loc, piece, dim, whole, have, grid);
  unsigned dim = llvm::find_if(have.dims, [](Axes axes) { return axes != 0; }) -
                 have.dims.begin();
  RankedTensorType type = typeOf(piece);
  Value all = shard::AllGatherOp::create(
      builder, loc, withSize(type, dim, type.getDimSize(dim) * grid.cores()),
      gridName, allAxes, piece, APInt(64, dim));
  if (have.dims[dim] != grid.all())
    all = arrangeAxes(builder, loc, all, dim, have, grid);
  if (typeOf(all) == whole)
    return all;
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, all);
  for (auto [size, axes, length] :
       llvm::zip_equal(sizes, have.dims, whole.getShape()))
    if (axes)
      size = builder.getIndexAttr(length);
  return sliceTo(builder, loc, all, sizes, whole);
}

Value mlir::trn::exchangePieces(OpBuilder &builder, Location loc, Value piece,
                                RankedTensorType type, const Layout &have,
                                const Layout &need, const CoreGrid &grid) {
  if (!have.isPartial)
    return gather(builder, loc, piece, type, have, grid);
  for (auto [dim, axes] : llvm::enumerate(need.dims))
    if (axes)
      return reduceScatter(builder, loc, piece, dim, grid);
  return reduce(builder, loc, piece);
}
