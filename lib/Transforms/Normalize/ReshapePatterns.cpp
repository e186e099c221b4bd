//===- ReshapePatterns.cpp - Reshapes in other words ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NormalizeSteps.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"
#include "trn/Transforms/Normalize/ReadThrough.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

void mlir::trn::findCommonShape(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                                SmallVector<int64_t> &common,
                                SmallVector<ReassociationIndices> &fromGroups,
                                SmallVector<ReassociationIndices> &toGroups) {
  auto all = [](ArrayRef<int64_t> shape) {
    return llvm::to_vector<2>(llvm::seq<int64_t>(0, shape.size()));
  };
  if (llvm::is_contained(from, 0)) {
    common.push_back(0);
    fromGroups.push_back(all(from));
    toGroups.push_back(all(to));
    return;
  }
  for (size_t i = 0, j = 0; i < from.size() && j < to.size();) {
    int64_t ofFrom = from[i], ofTo = to[j];
    fromGroups.push_back({int64_t(i++)});
    toGroups.push_back({int64_t(j++)});
    while (ofFrom != ofTo)
      if (ofFrom < ofTo) {
        fromGroups.back().push_back(i);
        ofFrom *= from[i++];
      } else {
        toGroups.back().push_back(j);
        ofTo *= to[j++];
      }
    common.push_back(ofFrom);
    // Dimensions of one index behind the last one belong to it.
    for (; j == to.size() && i < from.size(); ++i)
      fromGroups.back().push_back(i);
    for (; i == from.size() && j < to.size(); ++j)
      toGroups.back().push_back(j);
  }
}

Value mlir::trn::reshape(OpBuilder &builder, Location loc, Value source,
                         RankedTensorType type) {
  auto from = dyn_cast<RankedTensorType>(source.getType());
  if (!from || !from.hasStaticShape() || !type.hasStaticShape() ||
      from.getEncoding() || type.getEncoding() ||
      from.getNumElements() != type.getNumElements())
    return {};
  for (Value same = source;;) {
    if (same.getType() == type)
      return same;
    Operation *op = same.getDefiningOp();
    if (!isReshape(op))
      break;
    same = op->getOperand(0);
  }
  if (from.getRank() != type.getRank())
    if (auto groups = getReassociationIndicesForReshape(from, type)) {
      if (from.getRank() > type.getRank())
        return tensor::CollapseShapeOp::create(builder, loc, type, source,
                                               *groups);
      return tensor::ExpandShapeOp::create(builder, loc, type, source, *groups);
    }
  SmallVector<int64_t> common;
  SmallVector<ReassociationIndices> collapsed, expanded;
  findCommonShape(from.getShape(), type.getShape(), common, collapsed,
                  expanded);
  if (int64_t(common.size()) != from.getRank())
    source = tensor::CollapseShapeOp::create(builder, loc, type.clone(common),
                                             source, collapsed);
  if (int64_t(common.size()) == type.getRank())
    return source;
  return tensor::ExpandShapeOp::create(builder, loc, type, source, expanded);
}

Value mlir::trn::reshapeInit(OpBuilder &builder, Value source,
                             RankedTensorType type) {
  if (auto fill = source.getDefiningOp<linalg::FillOp>())
    return emitFill(builder, fill.getLoc(), fill.getInputs()[0], type);
  DenseElementsAttr constant;
  if (matchPattern(source, m_Constant(&constant)) && constant.isSplat())
    return arith::ConstantOp::create(builder, source.getLoc(),
                                     constant.reshape(type));
  return reshape(builder, source.getLoc(), source, type);
}

namespace {
struct ReshapeOfShape final : OpRewritePattern<tensor::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    Value same = type
                     ? trn::reshape(rewriter, op.getLoc(), op.getSource(), type)
                     : Value();
    if (!same)
      return failure();
    rewriter.replaceOp(op, same);
    return success();
  }
};

/// Dimensions that are split and merged in another way: one reshape, if it only
/// splits or only merges.
struct MergedSplit final : OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto expand = op.getSrc().getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand || !expand.getSrcType().hasStaticShape())
      return failure();
    RankedTensorType from = expand.getSrcType(), to = op.getResultType();
    if (from != to && (from.getRank() == to.getRank() ||
                       !getReassociationIndicesForReshape(from, to)))
      return failure();
    rewriter.replaceOp(
        op, trn::reshape(rewriter, op.getLoc(), expand.getSrc(), to));
    return success();
  }
};

/// A slice of all there is, read or written: there are as many elements in it.
template <typename SliceOp>
struct WholeSlice final : OpRewritePattern<SliceOp> {
  using OpRewritePattern<SliceOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasZeroOffset() || !op.hasUnitStride())
      return failure();
    Value same =
        trn::reshape(rewriter, op.getLoc(), op.getSource(), op.getType());
    if (!same)
      return failure();
    rewriter.replaceOp(op, same);
    return success();
  }
};

/// Slices are taken in front of a transposition that nothing else reads: where
/// queries, keys and values of one product are told apart behind it, they are
/// columns of the product.
struct SliceBeforeTranspose final : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp slice,
                                PatternRewriter &rewriter) const override {
    Operation *op = slice.getSource().getDefiningOp();
    std::optional<SmallVector<int64_t>> permutation = permutationOf(op);
    if (!permutation || !slice.getType().hasStaticShape() ||
        slice.getType().getEncoding() || !slice.getOffsets().empty() ||
        !slice.getStrides().empty() ||
        !llvm::all_of(op->getUsers(), readsThrough))
      return failure();
    SmallVector<OpFoldResult> offsets(slice.getMixedOffsets()),
        sizes(slice.getMixedSizes()), strides(slice.getMixedStrides());
    for (auto [to, from] : llvm::enumerate(*permutation)) {
      offsets[from] = slice.getMixedOffsets()[to];
      sizes[from] = slice.getMixedSizes()[to];
      strides[from] = slice.getMixedStrides()[to];
    }
    Location loc = slice.getLoc();
    Value part = tensor::ExtractSliceOp::create(
        rewriter, loc, op->getOperand(0), offsets, sizes, strides);
    part = trn::emitTranspose(rewriter, op->getLoc(), part, *permutation);
    rewriter.replaceOp(slice,
                       trn::reshape(rewriter, loc, part, slice.getType()));
    return success();
  }

private:
  /// Whether `op` reads a part, or each element where it lies.
  static bool readsThrough(Operation *op) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    return isa<tensor::ExtractSliceOp>(op) ||
           (linalgOp &&
            (trn::isProductLike(linalgOp) || linalgOp.isAllParallelLoops()));
  }

  static std::optional<SmallVector<int64_t>> permutationOf(Operation *op) {
    if (auto transpose = dyn_cast_if_present<linalg::TransposeOp>(op);
        transpose && transpose.hasPureTensorSemantics())
      return SmallVector<int64_t>(transpose.getPermutation());
    auto generic = dyn_cast_if_present<linalg::GenericOp>(op);
    if (!generic || !generic.hasPureTensorSemantics() ||
        generic.getNumDpsInputs() != 1 || generic.getNumDpsInits() != 1 ||
        generic.getBody()->getTerminator()->getOperand(0) !=
            generic.getBody()->getArgument(0))
      return std::nullopt;
    SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
    if (!maps[0].isPermutation() || !maps[1].isPermutation() ||
        maps[0] == maps[1])
      return std::nullopt;
    AffineMap ofResult = maps[0].compose(inversePermutation(maps[1]));
    SmallVector<int64_t> permutation(ofResult.getNumDims());
    for (unsigned dim = 0; dim < permutation.size(); ++dim)
      permutation[ofResult.getDimPosition(dim)] = dim;
    return permutation;
  }
};

/// What moves only dimensions of one index is a reshape.
struct MovedUnits final : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || op.hasDynamicShape() ||
        op.hasIndexSemantics())
      return failure();
    std::optional<trn::Movement> movement =
        trn::matchMovement(op->getResult(0));
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    auto source = movement
                      ? dyn_cast<RankedTensorType>(movement->source.getType())
                      : RankedTensorType();
    if (!source || source.getRank() != type.getRank() ||
        source.getNumElements() != type.getNumElements() ||
        source.getElementType() != type.getElementType() ||
        source.getEncoding() || type.getEncoding())
      return failure();
    // All others have their order.
    std::optional<unsigned> last;
    for (auto [index, size] :
         llvm::zip_equal(movement->map.getResults(), source.getShape())) {
      auto dim = dyn_cast<AffineDimExpr>(index);
      if (size == 1)
        continue;
      if (!dim || (last && dim.getPosition() <= *last))
        return failure();
      last = dim.getPosition();
    }
    Value same = trn::reshape(rewriter, op.getLoc(), movement->source, type);
    if (!same)
      return failure();
    rewriter.replaceOp(op, same);
    return success();
  }
};

/// An index that is 0 in a dimension of one, as torch-mlir has it where a batch
/// is one, is a loop of one: so the op looks like those of larger batches.
struct IndexUnits final : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<int64_t> loops = op.getStaticLoopRanges();
    for (OpOperand *operand : op.getDpsInputOperands())
      if (auto type = dyn_cast<RankedTensorType>(operand->get().getType()))
        indexUnits(maps[operand->getOperandNumber()], type.getShape(), loops);
    if (maps == op.getIndexingMapsArray())
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
    return success();
  }

private:
  static void indexUnits(AffineMap &map, ArrayRef<int64_t> shape,
                         ArrayRef<int64_t> loops) {
    SmallVector<AffineExpr> indices(map.getResults());
    for (auto [loop, size] : llvm::enumerate(loops)) {
      if (size != 1 || map.isFunctionOfDim(loop))
        continue;
      auto isZero = [&](auto indexed) {
        auto [index, dimSize] = indexed;
        auto constant = dyn_cast<AffineConstantExpr>(index);
        return constant && constant.getValue() == 0 && dimSize == 1;
      };
      auto dims = llvm::zip_equal(indices, shape);
      if (auto it = llvm::find_if(dims, isZero); it != dims.end())
        std::get<0>(*it) = getAffineDimExpr(loop, map.getContext());
    }
    map = AffineMap::get(map.getNumDims(), map.getNumSymbols(), indices,
                         map.getContext());
  }
};
} // namespace

bool mlir::trn::isReshape(Operation *op) {
  return isa_and_nonnull<tensor::CastOp, tensor::CollapseShapeOp,
                         tensor::ExpandShapeOp>(op);
}

bool mlir::trn::isElementwise(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return !isa<linalg::FillOp, linalg::TransposeOp, linalg::BroadcastOp>(op) &&
           linalgOp.hasPureTensorSemantics() && linalg::isElementwise(linalgOp);
  return OpTrait::hasElementwiseMappableTraits(op) &&
         llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>);
}

namespace {
/// What is split and then merged is only split, or only merged: upstream keeps
/// both if a dimension of one index goes to another group.
struct FoldCollapseOfExpand final : OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto expand = op.getSrc().getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand || !expand.getSrcType().hasStaticShape() ||
        !op.getResultType().hasStaticShape())
      return failure();
    ArrayRef<int64_t> from = expand.getSrcType().getShape();
    ArrayRef<int64_t> to = op.getResultType().getShape();
    SmallVector<int64_t> common;
    SmallVector<ReassociationIndices> fromGroups, toGroups;
    trn::findCommonShape(from, to, common, fromGroups, toGroups);
    if (ArrayRef(common) != from && ArrayRef(common) != to)
      return failure();
    Value folded = trn::reshape(rewriter, op.getLoc(), expand.getSrc(),
                                op.getResultType());
    if (!folded)
      return failure();
    rewriter.replaceOp(op, folded);
    return success();
  }
};
} // namespace

void mlir::trn::addReshapeFolding(RewritePatternSet &patterns) {
  patterns.add<FoldCollapseOfExpand>(patterns.getContext());
  tensor::populateReassociativeReshapeFoldingPatterns(patterns);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns,
                                                     patterns.getContext());
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                       patterns.getContext());
}

void mlir::trn::mergeReshapes(func::FuncOp func) {
  func.walk([](Block *block) {
    // All static reshapes of one tensor to one type are the same, and so are
    // transpositions by one permutation.
    DenseMap<std::pair<Value, Type>, Operation *> known;
    DenseMap<std::pair<Value, Attribute>, Operation *> transposed;
    for (Operation &op : llvm::make_early_inc_range(*block)) {
      if (auto transpose = dyn_cast<linalg::TransposeOp>(op);
          transpose && transpose.hasPureTensorSemantics()) {
        auto [it, isNew] = transposed.try_emplace(
            {transpose.getInput(), transpose.getPermutationAttr()}, &op);
        if (!isNew) {
          op.replaceAllUsesWith(it->second);
          op.erase();
        }
        continue;
      }
      if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op) ||
          op.getNumOperands() != 1)
        continue;
      Value source = op.getOperand(0);
      auto [it, isNew] =
          known.try_emplace({source, op.getResult(0).getType()}, &op);
      if (!isNew) {
        op.replaceAllUsesWith(it->second);
        op.erase();
      } else if (source.getParentBlock() == block) {
        if (Operation *maker = source.getDefiningOp())
          op.moveAfter(maker);
        else
          op.moveBefore(block, block->begin());
      }
    }
  });
}

void mlir::trn::populateReshapePatterns(RewritePatternSet &patterns) {
  patterns.add<IndexUnits, MergedSplit, MovedUnits, ReshapeOfShape,
               SliceBeforeTranspose, WholeSlice<tensor::ExtractSliceOp>,
               WholeSlice<tensor::InsertSliceOp>>(patterns.getContext());
}
