//===- PlainProduct.cpp - Products of two matrices ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NormalizeSteps.h"

#include "MatrixView.h"
#include "OneSpelling.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Machine/Machine.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/HeadMatcher.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
/// A tensor as a view has it: neighbours are merged, and then dimensions of one
/// index are added.
struct Reshape {
  SmallVector<ReassociationIndices> merge, add;
  SmallVector<int64_t> merged;

  Reshape(const MatrixView &view, ArrayRef<int64_t> shape) {
    ReassociationIndices pending;
    for (auto [i, dim] : llvm::enumerate(view.dims)) {
      pending.push_back(i);
      if (dim.source.empty())
        continue;
      merge.push_back(dim.source);
      merged.push_back(shape[i]);
      add.push_back(std::move(pending));
      pending.clear();
    }
    if (!add.empty())
      llvm::append_range(add.back(), pending);
  }
};
} // namespace

/// `source` with the `shape` of `view`.
static Value toMatrix(OpBuilder &builder, Value source, const MatrixView &view,
                      ArrayRef<int64_t> shape) {
  Location loc = source.getLoc();
  if (!view.permutation.empty())
    source = emitTranspose(builder, loc, source, view.permutation);
  auto type = cast<RankedTensorType>(source.getType());
  if (type.getShape() == shape)
    return source;
  Reshape reshape(view, shape);
  if (reshape.merge.size() < size_t(type.getRank()))
    source = tensor::CollapseShapeOp::create(
        builder, loc, type.clone(reshape.merged), source, reshape.merge);
  if (reshape.merge.size() < shape.size())
    source = tensor::ExpandShapeOp::create(builder, loc, type.clone(shape),
                                           source, reshape.add);
  return source;
}

/// `matrix` as the `type` that became a matrix.
static Value fromMatrix(OpBuilder &builder, Location loc, Value matrix,
                        const MatrixView &view, RankedTensorType type) {
  bool isMoved = !view.permutation.empty();
  if (isMoved)
    type = type.clone(applyPermutation(type.getShape(), view.permutation));
  ArrayRef<int64_t> shape = cast<RankedTensorType>(matrix.getType()).getShape();
  if (shape != type.getShape()) {
    Reshape reshape(view, shape);
    if (reshape.merge.size() < shape.size())
      matrix = tensor::CollapseShapeOp::create(
          builder, loc, type.clone(reshape.merged), matrix, reshape.add);
    if (reshape.merge.size() < size_t(type.getRank()))
      matrix = tensor::ExpandShapeOp::create(builder, loc, type, matrix,
                                             reshape.merge);
  }
  if (!isMoved)
    return matrix;
  return emitTranspose(builder, loc, matrix,
                       invertPermutationVector(view.permutation));
}

/// Zeros stay zeros.
static Value toAccumulator(OpBuilder &builder, Value source,
                           const MatrixView &view, ArrayRef<int64_t> shape) {
  if (!isZeroFilled(source))
    return toMatrix(builder, source, view, shape);
  return emitZeros(builder, source.getLoc(),
                   RankedTensorType::get(shape, getElementTypeOrSelf(source)));
}

/// Says which operands have dimensions that are not where they should be.
/// Kernels store heads, if `result` is such.
static void remarkMoved(linalg::LinalgOp op, ArrayRef<MatrixView> views,
                        Value result) {
  FailureOr<Machine> machine = getMachine(op);
  auto transpose = result.getDefiningOp<linalg::TransposeOp>();
  if (transpose && succeeded(machine) && movesHeads(transpose, *machine))
    views = views.drop_back();
  StringRef names[] = {"its first operand", "its second operand", "its result"};
  SmallVector<StringRef> moved;
  for (auto [name, view] : llvm::zip(names, views))
    if (!view.permutation.empty())
      moved.push_back(name);
  if (!moved.empty())
    emitRemark(op.getLoc(), "product is computed as one of two matrices: "
                            "dimensions of ")
        << llvm::join(moved, ", ")
        << " are moved next to each other, by the host if no kernel stores or "
           "loads them so";
}

void mlir::trn::makePlain(RewriterBase &rewriter, linalg::LinalgOp op) {
  auto kinds = chooseBatches(op);
  if (!kinds)
    return;
  constexpr LoopKind m = LoopKind::Row, n = LoopKind::Column,
                     k = LoopKind::Summed;
  ProductViews product(op, *kinds);
  SmallVector<int64_t> sizes = product.loopSizes();
  MatrixView views[] = {product.viewAs(0, m, k), product.viewAs(1, k, n),
                        product.viewAs(2, m, n)};
  if (kinds == classifyMatrices(op) &&
      llvm::all_of(views, [](auto &view) { return view.isIdentity(); }))
    return;
  // Moving them is only worth it for a kernel.
  auto isMoved = [](const MatrixView &view) {
    return !view.permutation.empty();
  };
  if (llvm::any_of(views, isMoved) &&
      !isZeroFilled(op.getDpsInitOperand(0)->get()))
    return;
  rewriter.setInsertionPoint(op);
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (auto [i, view] : llvm::enumerate(views)) {
    SmallVector<int64_t> shape;
    SmallVector<AffineExpr> indices;
    for (const MatrixView::Dim &dim : view.dims) {
      shape.push_back(sizes[dim.loop]);
      indices.push_back(rewriter.getAffineDimExpr(dim.loop));
    }
    operands.push_back((i == 2 ? toAccumulator : toMatrix)(
        rewriter, op->getOperand(i), view, shape));
    maps.push_back(
        AffineMap::get(sizes.size(), 0, indices, rewriter.getContext()));
  }
  SmallVector<utils::IteratorType> iterators(sizes.size(),
                                             utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  auto plain = linalg::GenericOp::create(
      rewriter, op.getLoc(), operands[2].getType(),
      ArrayRef(operands).take_front(2), operands[2], maps, iterators);
  rewriter.cloneRegionBefore(*op.getBlock()->getParent(), plain.getRegion(),
                             plain.getRegion().begin());
  Value result =
      fromMatrix(rewriter, op.getLoc(), plain->getResult(0), views[2],
                 cast<RankedTensorType>(op->getResult(0).getType()));
  remarkMoved(op, views, result);
  rewriter.replaceOp(op, result);
}

void mlir::trn::dropUnitBatches(linalg::LinalgOp product) {
  auto op = dyn_cast<linalg::GenericOp>(product.getOperation());
  if (!op)
    return;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<unsigned> batches;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges()))
    if (size == 1 && llvm::all_of(maps, [loop = loop](AffineMap map) {
          return map.isFunctionOfDim(loop);
        }))
      batches.push_back(loop);
  if (batches.empty())
    return;
  linalg::ControlDropUnitDims control;
  control.controlFn = [&](Operation *) { return batches; };
  IRRewriter rewriter(op);
  auto dropped = linalg::dropUnitDims(rewriter, op, control);
  if (succeeded(dropped))
    rewriter.replaceOp(op, dropped->replacements);
}
