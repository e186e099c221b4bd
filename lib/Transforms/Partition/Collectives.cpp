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
                     ArrayRef<int64_t> sizes, RankedTensorType type) {
  if (typeOf(tensor) == type)
    return tensor;
  SmallVector<OpFoldResult> zeros(sizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(sizes.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(
      builder, loc, type, tensor, zeros,
      getAsIndexOpFoldResult(builder.getContext(), sizes), ones);
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
    piece = tensor::createPadHighOp(padded, piece, zero, /*nofold=*/false, loc,
                                    builder);
  }
  return shard::ReduceScatterOp::create(
      builder, loc, withSize(type, dim, extent), gridName, allAxes, piece,
      shard::ReductionKind::Sum, APInt(64, dim));
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
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] /= grid.cores();
  shape.insert(shape.begin() + dim, grid.sizes.begin(), grid.sizes.end());
  SmallVector<ReassociationIndices> groups;
  for (unsigned i = 0, next = 0; i < rank; ++i) {
    groups.emplace_back();
    for (unsigned count = i == dim ? 3 : 1; count; --count)
      groups.back().push_back(next++);
  }
  Value expanded = tensor::ExpandShapeOp::create(
      builder, loc, type.clone(shape), gathered, groups);
  // Where each dimension and each axis ends up.
  SmallVector<int64_t> order, moved;
  SmallVector<ReassociationIndices> merged(rank);
  SmallVector<int64_t> sizes(shape);
  for (unsigned i = 0; i < rank; ++i) {
    for (unsigned axis = 0; axis < 2; ++axis)
      if (have.dims[i] & (1u << axis))
        order.push_back(dim + axis);
    order.push_back(i < dim ? i : i + 2);
  }
  for (unsigned axis = 0; axis < 2; ++axis)
    if (!(have.axes() & (1u << axis)))
      sizes[dim + axis] = 1;
  SmallVector<int64_t> kept;
  SmallVector<int64_t> position(shape.size(), -1);
  for (unsigned i = 0; i < shape.size(); ++i)
    if (llvm::is_contained(order, i)) {
      position[i] = kept.size();
      kept.push_back(sizes[i]);
    }
  Value sliced = sliceTo(builder, loc, expanded, sizes, type.clone(kept));
  SmallVector<int64_t> permutation, target;
  for (int64_t i : order) {
    permutation.push_back(position[i]);
    target.push_back(shape[i]);
  }
  if (!llvm::is_sorted(permutation)) {
    Value empty =
        tensor::EmptyOp::create(builder, loc, target, type.getElementType());
    sliced =
        linalg::TransposeOp::create(builder, loc, sliced, empty, permutation)
            ->getResult(0);
  }
  for (unsigned i = 0, next = 0; i < rank; ++i)
    for (unsigned count = 1 + llvm::popcount(have.dims[i]); count; --count)
      merged[i].push_back(next++);
  if (target.size() == rank)
    return sliced;
  return tensor::CollapseShapeOp::create(builder, loc, sliced, merged);
}

static Value gather(OpBuilder &builder, Location loc, Value piece,
                    RankedTensorType whole, const Layout &have,
                    const CoreGrid &grid) {
  unsigned dim = llvm::find_if(have.dims, [](Axes axes) { return axes != 0; }) -
                 have.dims.begin();
  RankedTensorType type = typeOf(piece);
  Value all = shard::AllGatherOp::create(
      builder, loc, withSize(type, dim, type.getDimSize(dim) * grid.cores()),
      gridName, allAxes, piece, APInt(64, dim));
  if (have.dims[dim] != grid.all())
    all = arrangeAxes(builder, loc, all, dim, have, grid);
  return sliceTo(builder, loc, all, whole.getShape(), whole);
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
