//===- ReadThrough.cpp - Products that read what is stored ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Normalize/ReadThrough.h"

#include "NormalizeSteps.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/ProductLoops.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

/// `expand`, which splits dimensions behind `movement`, as a movement of what
/// is split in front of it.
static Movement splitFirst(OpBuilder &builder, tensor::ExpandShapeOp expand,
                           const Movement &movement) {
  auto groups = expand.getReassociationIndices();
  ArrayRef<int64_t> sizes = expand.getResultType().getShape();
  SmallVector<ReassociationIndices> splits;
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> exprs;
  for (AffineExpr expr : movement.map.getResults()) {
    ReassociationIndices &split = splits.emplace_back();
    auto add = [&](int64_t size, AffineExpr index) {
      split.push_back(shape.size());
      shape.push_back(size);
      exprs.push_back(index);
    };
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      for (int64_t part : groups[dim.getPosition()])
        add(sizes[part], builder.getAffineDimExpr(part));
    else
      add(1, expr);
  }
  auto type = cast<RankedTensorType>(movement.source.getType());
  Value source = movement.source;
  if (int64_t(shape.size()) != type.getRank())
    source = tensor::ExpandShapeOp::create(builder, expand.getLoc(),
                                           type.clone(shape), source, splits);
  return {source, AffineMap::get(sizes.size(), 0, exprs, builder.getContext())};
}

static FailureOr<linalg::GenericOp> generalize(PatternRewriter &rewriter,
                                               linalg::LinalgOp op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation()))
    return generic;
  return linalg::generalizeNamedOp(rewriter, op);
}

/// Lets the body take `type`.
static void widenArgument(PatternRewriter &rewriter, BlockArgument argument,
                          Type type) {
  Type wide = argument.getType();
  argument.setType(type);
  rewriter.setInsertionPointToStart(argument.getOwner());
  auto extend =
      arith::ExtFOp::create(rewriter, argument.getLoc(), wide, argument);
  argument.replaceAllUsesExcept(extend, extend);
}

/// Replaces operand `number` of `op` by the source of `movement`, which it is.
static void readSource(PatternRewriter &rewriter, linalg::GenericOp op,
                       unsigned number, const Movement &movement) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  rewriter.setInsertionPoint(op);
  auto [source, map] =
      dropZeros(rewriter, movement.source, movement.map.compose(maps[number]));
  maps[number] = map;
  Type type = getElementTypeOrSelf(source);
  rewriter.modifyOpInPlace(op, [&, source = source] {
    op->setOperand(number, source);
    op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    BlockArgument argument = op.getBody()->getArgument(number);
    if (argument.getType() != type)
      widenArgument(rewriter, argument, type);
  });
}

namespace {
/// A pattern for products.
struct ProductPattern : OpInterfaceRewritePattern<linalg::LinalgOp> {
  ProductPattern(MLIRContext *context,
                 function_ref<bool(linalg::LinalgOp)> isProduct)
      : OpInterfaceRewritePattern(context), isProduct(isProduct) {}
  function_ref<bool(linalg::LinalgOp)> isProduct;
};

struct ReadThrough final : ProductPattern {
  using ProductPattern::ProductPattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!isProduct(op))
      return failure();
    for (unsigned number : {0u, 1u})
      if (succeeded(read(op, number, rewriter)))
        return success();
    return failure();
  }

private:
  static LogicalResult read(linalg::LinalgOp op, unsigned number,
                            PatternRewriter &rewriter) {
    Value value = op.getDpsInputOperand(number)->get();
    auto expand = value.getDefiningOp<tensor::ExpandShapeOp>();
    auto movement = expand ? matchMovement(expand.getSrc()) : matchUnits(value);
    if (!movement)
      return failure();
    // A weight is transposed where the source says so, once.
    if (number == 1 && !expand && movement->map.getNumDims() == 2 &&
        movement->map.isPermutation() && isKnownAtLoad(value) &&
        getStoredType(value) == getElementTypeOrSelf(value))
      return failure();
    Type type = getElementTypeOrSelf(movement->source);
    bool isWidened = type != getElementTypeOrSelf(value);
    if (isWidened && getStoredType(op.getDpsInputOperand(0)->get()) !=
                         getStoredType(op.getDpsInputOperand(1)->get()))
      return failure();
    rewriter.setInsertionPoint(op);
    if (expand)
      movement = splitFirst(rewriter, expand, *movement);
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    AffineMap old = maps[number];
    maps[number] = movement->map.compose(old);
    auto kinds = classifyLoops(op, maps);
    if (!kinds)
      return failure();
    // It would have to be moved back.
    if (getStoredType(value) == getElementTypeOrSelf(value) &&
        hasBatchLast(op, maps[number], *kinds) &&
        !hasBatchLast(op, old, *kinds))
      return failure();
    FailureOr<linalg::GenericOp> generic = generalize(rewriter, op);
    if (succeeded(generic))
      readSource(rewriter, *generic, number, *movement);
    return generic;
  }
};

/// Whether rows or columns are innermost in matrices with this map, which may
/// have batches in front of them: kernels read no others.
static bool endsInMatrix(AffineMap map) {
  auto isOfMatrix = [&](AffineExpr index) {
    auto dim = dyn_cast<AffineDimExpr>(index);
    return dim && dim.getPosition() + 2 >= map.getNumDims();
  };
  return llvm::count_if(map.getResults(), isOfMatrix) < 2 ||
         isOfMatrix(map.getResults().back());
}

/// Elementwise ops read through what is repeated or widened for them, and what
/// they read at index 0 alone without that dimension.
struct ReadElementwise final : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
        !op.isAllParallelLoops() ||
        !llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
          return map.isProjectedPermutation(/*allowZeroInResults=*/true);
        }))
      return failure();
    for (int64_t number = 0; number < op.getNumDpsInputs(); ++number) {
      Value input = op.getDpsInputs()[number];
      if (op.getIndexingMapsArray()[number].isProjectedPermutation())
        continue;
      int64_t rank = cast<RankedTensorType>(input.getType()).getRank();
      readSource(rewriter, op, number,
                 {input, rewriter.getMultiDimIdentityMap(rank)});
      return success();
    }
    // Where only one tensor is left that is moved, it may be moved behind.
    for (bool repeats : {true, false})
      for (int64_t number = 0; number < op.getNumDpsInputs(); ++number) {
        auto movement = matchMovement(op.getDpsInputs()[number]);
        AffineMap map = op.getIndexingMapsArray()[number];
        if (!movement || movement->map.isPermutation() == repeats ||
            (endsInMatrix(map) && !endsInMatrix(movement->map.compose(map))))
          continue;
        readSource(rewriter, op, number, *movement);
        return success();
      }
    return failure();
  }
};

struct WriteThrough final : ProductPattern {
  using ProductPattern::ProductPattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!isProduct(op) || !op->hasOneUse() ||
        !isZeroFilled(op.getDpsInitOperand(0)->get()))
      return failure();
    Operation *user = *op->user_begin();
    // A transposition of a matrix can be in a kernel.
    auto movement = user->getNumResults() == 1
                        ? matchMovement(user->getResult(0))
                        : std::nullopt;
    if (!movement || movement->source != op->getResult(0) ||
        !movement->map.isPermutation() || movement->map.getNumDims() == 2 ||
        getElementTypeOrSelf(user->getResult(0)) !=
            getElementTypeOrSelf(op->getResult(0)))
      return failure();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps[2] = inversePermutation(movement->map).compose(maps[2]);
    auto kinds = classifyLoops(op, maps);
    if (!kinds || hasBatchLast(op, maps[2], *kinds))
      return failure();
    auto type = cast<RankedTensorType>(user->getResult(0).getType());
    rewriter.setInsertionPoint(user);
    auto moved = linalg::GenericOp::create(
        rewriter, op.getLoc(), type, op.getDpsInputs(),
        emitZeros(rewriter, op.getLoc(), type), maps,
        op.getIteratorTypesArray());
    rewriter.inlineRegionBefore(op->getRegion(0), moved.getRegion(),
                                moved.getRegion().begin());
    rewriter.replaceOp(user, moved);
    rewriter.eraseOp(op);
    return success();
  }
};

/// Reshapes come in front of what widens, so that it stands before a product.
template <typename Reshape>
struct WidenLast final : OpRewritePattern<Reshape> {
  using OpRewritePattern<Reshape>::OpRewritePattern;

  LogicalResult matchAndRewrite(Reshape op,
                                PatternRewriter &rewriter) const override {
    Value wide = op.getSrc();
    auto movement = matchMovement(wide);
    if (!movement || !movement->map.isIdentity() || !wide.hasOneUse() ||
        getElementTypeOrSelf(movement->source) == getElementTypeOrSelf(wide))
      return failure();
    auto type = op.getResultType();
    Operation *narrow = rewriter.clone(*op);
    narrow->setOperand(0, movement->source);
    narrow->getResult(0).setType(RankedTensorType::get(
        type.getShape(), getElementTypeOrSelf(movement->source)));
    rewriter.replaceOp(
        op,
        emitElementwise(
            rewriter, op.getLoc(), narrow->getResult(0), type.getElementType(),
            [&](OpBuilder &nested, Location loc, ValueRange values) {
              return arith::ExtFOp::create(nested, loc, type.getElementType(),
                                           values[0]);
            }));
    return success();
  }
};
} // namespace

void mlir::trn::populateReadThroughPatterns(
    RewritePatternSet &patterns,
    function_ref<bool(linalg::LinalgOp)> isProduct) {
  patterns.add<ReadThrough, WriteThrough>(patterns.getContext(), isProduct);
  patterns.add<ReadElementwise, WidenLast<tensor::CollapseShapeOp>,
               WidenLast<tensor::ExpandShapeOp>>(patterns.getContext());
}
