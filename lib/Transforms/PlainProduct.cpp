//===- PlainProduct.cpp - Products of two matrices ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlainProduct.h"

#include "MatrixView.h"
#include "ProductMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::trn;

/// [0, split) and [split, rank).
static SmallVector<ReassociationIndices> splitAt(int64_t split, int64_t rank) {
  return {llvm::to_vector<2>(llvm::seq<int64_t>(0, split)),
          llvm::to_vector<2>(llvm::seq<int64_t>(split, rank))};
}

static SmallVector<ReassociationIndices> allOf(int64_t rank) {
  if (rank == 0)
    return {};
  return {llvm::to_vector<2>(llvm::seq<int64_t>(0, rank))};
}

static RankedTensorType withShape(Value tensor, ArrayRef<int64_t> shape) {
  return cast<RankedTensorType>(tensor.getType()).clone(shape);
}

static Value transpose(OpBuilder &builder, Location loc, Value source,
                       ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(source.getType());
  Value empty = tensor::EmptyOp::create(
      builder, loc, applyPermutation(type.getShape(), permutation),
      type.getElementType());
  return linalg::TransposeOp::create(builder, loc, source, empty, permutation)
      .getResult()[0];
}

/// `source` as [rows, columns].
static Value toMatrix(OpBuilder &builder, Value source, const MatrixView &view,
                      ArrayRef<int64_t> shape) {
  Location loc = source.getLoc();
  if (!view.permutation.empty())
    source = transpose(builder, loc, source, view.permutation);
  auto rank = cast<RankedTensorType>(source.getType()).getRank();
  RankedTensorType type = withShape(source, shape);
  bool isSplit = view.split > 0 && view.split < size_t(rank);
  if (isSplit && rank == 2)
    return source;
  if (isSplit)
    return tensor::CollapseShapeOp::create(builder, loc, type, source,
                                           splitAt(view.split, rank));
  if (rank > 1)
    source = tensor::CollapseShapeOp::create(
        builder, loc, withShape(source, {type.getNumElements()}), source,
        allOf(rank));
  return tensor::ExpandShapeOp::create(builder, loc, type, source,
                                       allOf(rank ? 2 : 0));
}

/// `matrix` as the `type` that became a matrix.
static Value fromMatrix(OpBuilder &builder, Location loc, Value matrix,
                        const MatrixView &view, RankedTensorType type) {
  int64_t rank = type.getRank();
  bool isMoved = !view.permutation.empty();
  if (isMoved)
    type = type.clone(applyPermutation(type.getShape(), view.permutation));
  bool isSplit = view.split > 0 && view.split < size_t(rank);
  if (isSplit && rank > 2) {
    matrix = tensor::ExpandShapeOp::create(builder, loc, type, matrix,
                                           splitAt(view.split, rank));
  } else if (!isSplit) {
    if (rank > 1)
      matrix = tensor::CollapseShapeOp::create(
          builder, loc, type.clone({type.getNumElements()}), matrix, allOf(2));
    if (rank > 1)
      matrix = tensor::ExpandShapeOp::create(builder, loc, type, matrix,
                                             allOf(rank));
    else
      matrix = tensor::CollapseShapeOp::create(builder, loc, type, matrix,
                                               allOf(rank ? 2 : 0));
  }
  if (!isMoved)
    return matrix;
  return transpose(builder, loc, matrix,
                   invertPermutationVector(view.permutation));
}

/// Zeros stay zeros.
static Value toAccumulator(OpBuilder &builder, Value source,
                           const MatrixView &view, ArrayRef<int64_t> shape) {
  if (!isZeroFilled(source))
    return toMatrix(builder, source, view, shape);
  Type element = getElementTypeOrSelf(source);
  Value zero = arith::ConstantOp::create(builder, source.getLoc(),
                                         builder.getFloatAttr(element, 0.0));
  Value empty =
      tensor::EmptyOp::create(builder, source.getLoc(), shape, element);
  return linalg::FillOp::create(builder, source.getLoc(), zero, empty)
      .getResult(0);
}

/// Says which operands have dimensions that are not where they should be.
static void remarkMoved(linalg::LinalgOp op, ArrayRef<MatrixView> views) {
  StringRef names[] = {"its first operand", "its second operand", "its result"};
  SmallVector<StringRef> moved;
  for (auto [name, view] : llvm::zip(names, views))
    if (!view.permutation.empty())
      moved.push_back(name);
  if (!moved.empty())
    emitRemark(op.getLoc(), "product is computed as one of two matrices: the "
                            "host moves dimensions next to each other in ")
        << llvm::join(moved, ", ");
}

bool mlir::trn::makePlain(RewriterBase &rewriter, linalg::LinalgOp op) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto kinds = classifyLoops(op.getIndexingMapsArray(),
                             op.getIteratorTypesArray(), sizes);
  auto isMatrix = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getRank() == 2;
  };
  if (!kinds || llvm::is_contained(*kinds, LoopKind::Batch) ||
      (op.getNumLoops() == 3 && llvm::all_of(op->getOperands(), isMatrix)))
    return false;
  constexpr LoopKind m = LoopKind::Row, n = LoopKind::Column,
                     k = LoopKind::Summed;
  ProductViews product(op, *kinds);
  MatrixView views[] = {product.viewAs(0, m, k), product.viewAs(1, k, n),
                        product.viewAs(2, m, n)};
  // Moving them is only worth it for a kernel.
  auto isMoved = [](const MatrixView &view) {
    return !view.permutation.empty();
  };
  if (llvm::any_of(views, isMoved) &&
      !isZeroFilled(op.getDpsInitOperand(0)->get()))
    return false;
  remarkMoved(op, views);

  rewriter.setInsertionPoint(op);
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (auto [i, view] : llvm::enumerate(views)) {
    int64_t shape[] = {product.sizeOf(view.first), product.sizeOf(view.second)};
    operands.push_back((i == 2 ? toAccumulator : toMatrix)(
        rewriter, op->getOperand(i), view, shape));
    auto loop = [&](LoopKind kind) {
      return getAffineDimExpr(unsigned(kind), rewriter.getContext());
    };
    maps.push_back(AffineMap::get(3, 0, {loop(view.first), loop(view.second)},
                                  rewriter.getContext()));
  }
  auto plain = linalg::GenericOp::create(
      rewriter, op.getLoc(), operands[2].getType(),
      ArrayRef(operands).take_front(2), operands[2], maps,
      {utils::IteratorType::parallel, utils::IteratorType::parallel,
       utils::IteratorType::reduction});
  rewriter.cloneRegionBefore(*op.getBlock()->getParent(), plain.getRegion(),
                             plain.getRegion().begin());
  Value result = plain->getResult(0);
  rewriter.replaceOp(
      op, fromMatrix(rewriter, op.getLoc(), result, views[2],
                     cast<RankedTensorType>(op->getResult(0).getType())));
  return true;
}
