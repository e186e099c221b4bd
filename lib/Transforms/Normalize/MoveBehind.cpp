//===- MoveBehind.cpp - Functions in front of movements ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NormalizeSteps.h"
#include "OneSpelling.h"
#include "trn/Transforms/Normalize/ReadThrough.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
/// Functions of what is computed and then moved, such as the scale of queries,
/// come in front of the movement, if products read them: these read through it.
struct MoveBehind final : OpRewritePattern<linalg::GenericOp> {
  MoveBehind(MLIRContext *context,
             function_ref<bool(linalg::LinalgOp)> isProduct)
      : OpRewritePattern(context, /*benefit=*/2), isProduct(isProduct) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<unsigned> number = findMoved(op);
    if (!number || !feedsProducts(op.getResult(0)))
      return failure();
    Movement movement = *matchUnits(op.getDpsInputs()[*number]);
    auto [source, map] = dropZeros(rewriter, movement.source, movement.map);
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    AffineMap toSource = map.compose(maps[*number]);
    AffineMap moved = toSource.compose(inversePermutation(maps.back()));
    for (AffineMap &own : maps)
      own = own.compose(inversePermutation(toSource));
    maps[*number] = maps.back() =
        rewriter.getMultiDimIdentityMap(op.getNumLoops());
    SmallVector<Value> inputs(op.getDpsInputs());
    inputs[*number] = source;
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(),
        cast<RankedTensorType>(source.getType()).getShape(),
        type.getElementType());
    auto created = linalg::GenericOp::create(rewriter, op.getLoc(),
                                             empty.getType(), inputs, empty,
                                             maps, op.getIteratorTypesArray());
    rewriter.inlineRegionBefore(op.getRegion(), created.getRegion(),
                                created.getRegion().begin());
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, type, created.getResult(0), op.getDpsInits()[0],
        ArrayRef{moved, maps.back()}, created.getIteratorTypesArray(),
        [](OpBuilder &nested, Location loc, ValueRange values) {
          linalg::YieldOp::create(nested, loc, values.front());
        });
    return success();
  }

private:
  /// The input of `op` that is computed and moved for it alone; it computes
  /// something of that, with others of fewer dimensions.
  static std::optional<unsigned> findMoved(linalg::GenericOp op) {
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
        op.hasIndexSemantics() || op.getNumDpsInits() != 1 ||
        !op.isAllParallelLoops() || matchMovement(op.getResult(0)) ||
        op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
        !op.getIndexingMapsArray().back().isPermutation())
      return std::nullopt;
    std::optional<unsigned> found;
    for (auto [i, input] : llvm::enumerate(op.getDpsInputs())) {
      AffineMap map = op.getIndexingMapsArray()[i];
      if (!map.isProjectedPermutation() || (found && map.isPermutation()))
        return std::nullopt;
      if (!map.isPermutation())
        continue;
      auto movement = matchUnits(input);
      if (!movement || !isMoved(movement->map) ||
          getElementTypeOrSelf(movement->source) !=
              getElementTypeOrSelf(input) ||
          !isComputed(movement->source))
        return std::nullopt;
      found = i;
    }
    return found;
  }

  /// Whether `map` exchanges dimensions, besides those of one index.
  static bool isMoved(AffineMap map) {
    SmallVector<AffineExpr> indices;
    for (AffineExpr index : map.getResults())
      if (!isa<AffineConstantExpr>(index))
        indices.push_back(index);
    AffineMap own =
        AffineMap::get(map.getNumDims(), 0, indices, map.getContext());
    return own.isPermutation() && !own.isIdentity();
  }

  /// Whether a linalg op computes `value`, or what it is a part of.
  static bool isComputed(Value value) {
    Operation *op = value.getDefiningOp();
    if (op && (isReshape(op) || isa<tensor::ExtractSliceOp>(op)))
      return isComputed(op->getOperand(0));
    return isa_and_nonnull<linalg::LinalgOp>(op) && !isa<linalg::FillOp>(op);
  }

  /// Whether all that reads `value`, behind reshapes and movements, multiplies.
  bool feedsProducts(Value value) const {
    return !value.use_empty() &&
           llvm::all_of(value.getUsers(), [&](Operation *user) {
             auto op = dyn_cast<linalg::LinalgOp>(user);
             if (op && isProduct(op))
               return true;
             return user->getNumResults() == 1 &&
                    (isReshape(user) || matchMovement(user->getResult(0))) &&
                    feedsProducts(user->getResult(0));
           });
  }

  function_ref<bool(linalg::LinalgOp)> isProduct;
};
} // namespace

void mlir::trn::populateMoveBehindPatterns(
    RewritePatternSet &patterns,
    function_ref<bool(linalg::LinalgOp)> isProduct) {
  patterns.add<MoveBehind>(patterns.getContext(), isProduct);
}
