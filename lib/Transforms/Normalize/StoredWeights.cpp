//===- StoredWeights.cpp - Weights of 8 bits come first to products -------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NormalizeSteps.h"

#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace mlir::trn;

static bool isStored(Value tensor) {
  auto type = getMatrixElementType(getElementTypeOrSelf(tensor));
  return type && isStorage(*type);
}

static Value emitWidening(OpBuilder &builder, Value stored, Type element) {
  return emitElementwise(
      builder, stored.getLoc(), stored, element,
      [&](OpBuilder &nested, Location loc, ValueRange values) {
        return convertScalarToDtype(nested, loc, values[0], element,
                                    /*isUnsignedCast=*/false);
      });
}

/// Replaces `product` by the same of `inputs`, which adds up in f32.
static linalg::LinalgOp rebuild(linalg::LinalgOp product, ValueRange inputs,
                                Value init) {
  OpBuilder builder(product);
  return linalg::GenericOp::create(builder, product.getLoc(), init.getType(),
                                   inputs, init, product.getIndexingMapsArray(),
                                   product.getIteratorTypesArray(),
                                   buildProductBody);
}

void mlir::trn::widenStoredOperand(linalg::LinalgOp product) {
  SmallVector<Value> inputs = product.getDpsInputs();
  for (unsigned i : {0, 1}) {
    Type other = getElementTypeOrSelf(inputs[1 - i]);
    if (!isStored(inputs[i]) || !getFloatElementType(other))
      continue;
    OpBuilder builder(product);
    inputs[i] = emitWidening(builder, inputs[i], other);
    linalg::LinalgOp wide = rebuild(product, inputs, product.getDpsInits()[0]);
    product->replaceAllUsesWith(wide);
    product->erase();
    return;
  }
}

namespace {
/// A weight that is computed as `stored * scales`, each element in f32 or in
/// the type of the result, and then transposed, if there is a permutation.
struct ScaledWeight {
  Value stored, scales;
  AffineMap scalesMap;
  SmallVector<int64_t> permutation = {};
};
} // namespace

/// The argument of the block that `value` is, behind casts.
static BlockArgument skipCasts(Value value) {
  while (isa_and_nonnull<arith::SIToFPOp, arith::ExtFOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return dyn_cast<BlockArgument>(value);
}

/// What is stored in 8 bits where `tensor` is that, or all of it widened.
static Value skipWidening(Value tensor) {
  if (isStored(tensor))
    return tensor;
  auto op = tensor.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      !isStored(op.getDpsInputs()[0]) ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return nullptr;
  BlockArgument read = skipCasts(op.getBody()->getTerminator()->getOperand(0));
  bool isWidening = read && read.getOwner() == op.getBody() &&
                    op.isDpsInput(op.getMatchingOpOperand(read));
  return isWidening ? op.getDpsInputs()[0] : nullptr;
}

static std::optional<ScaledWeight> matchScaled(Value weight) {
  if (auto transpose = weight.getDefiningOp<linalg::TransposeOp>()) {
    auto scaled = matchScaled(transpose.getInput());
    if (scaled && scaled->permutation.empty())
      scaled->permutation = llvm::to_vector(transpose.getPermutation());
    return scaled;
  }
  auto op = weight.getDefiningOp<linalg::GenericOp>();
  if (!op || !op.isAllParallelLoops() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || !op->hasOneUse() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return std::nullopt;
  Value yielded = op.getBody()->getTerminator()->getOperand(0);
  if (auto rounding = yielded.getDefiningOp<arith::TruncFOp>())
    yielded = rounding.getIn();
  auto scaling = yielded.getDefiningOp<arith::MulFOp>();
  if (!scaling)
    return std::nullopt;
  BlockArgument factors[] = {skipCasts(scaling.getLhs()),
                             skipCasts(scaling.getRhs())};
  for (unsigned i : {0, 1}) {
    if (!factors[0] || !factors[1] || factors[0] == factors[1])
      return std::nullopt;
    OpOperand *stored = op.getMatchingOpOperand(factors[i]),
              *scales = op.getMatchingOpOperand(factors[1 - i]);
    if (op.isDpsInit(stored) || op.isDpsInit(scales))
      return std::nullopt;
    AffineMap map = op.getMatchingIndexingMap(stored);
    Value own = skipWidening(stored->get());
    if (own && map.isIdentity() &&
        getFloatElementType(getElementTypeOrSelf(scales->get())))
      return ScaledWeight{own, scales->get(),
                          op.getMatchingIndexingMap(scales)};
  }
  return std::nullopt;
}

/// Where the scales of `weight`, which is an operand of `product`, are indexed
/// in the result; nothing if they scale what it sums over.
static std::optional<AffineMap> mapToResult(linalg::LinalgOp product,
                                            OpOperand *operand,
                                            const ScaledWeight &weight) {
  AffineMap weightMap = product.getMatchingIndexingMap(operand),
            scalesMap = weight.scalesMap;
  SmallVector<AffineExpr> loops(weightMap.getResults());
  for (auto [to, from] : llvm::enumerate(weight.permutation))
    loops[from] = weightMap.getResult(to);
  AffineMap resultMap =
      product.getMatchingIndexingMap(product.getDpsInitOperand(0));
  SmallVector<AffineExpr> indices;
  for (AffineExpr index : scalesMap.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(index)) {
      auto position = resultMap.getResultPosition(loops[dim.getPosition()]);
      if (!position)
        return std::nullopt;
      index = getAffineDimExpr(*position, product.getContext());
    } else if (!isa<AffineConstantExpr>(index)) {
      return std::nullopt;
    }
    indices.push_back(index);
  }
  return AffineMap::get(resultMap.getNumResults(), 0, indices,
                        product.getContext());
}

void mlir::trn::moveWeightScale(linalg::LinalgOp product) {
  if (!isZeroFilled(product.getDpsInits()[0]) ||
      findBodyObstacle(*product.getBlock()))
    return;
  for (OpOperand *operand : product.getDpsInputOperands()) {
    std::optional<ScaledWeight> weight = matchScaled(operand->get());
    std::optional<AffineMap> map;
    if (weight)
      map = mapToResult(product, operand, *weight);
    if (!map)
      continue;
    OpBuilder builder(product);
    Location loc = product.getLoc();
    auto type = cast<RankedTensorType>(product->getResult(0).getType());
    SmallVector<Value> inputs = product.getDpsInputs();
    Value stored = weight->stored;
    if (!weight->permutation.empty())
      stored = emitTranspose(builder, loc, stored, weight->permutation);
    inputs[operand->getOperandNumber()] =
        emitWidening(builder, stored, getElementTypeOrSelf(operand->get()));
    linalg::LinalgOp sums =
        rebuild(product, inputs,
                emitZeros(builder, loc, type.clone(builder.getF32Type())));
    AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
    Value out = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
    auto scaled = linalg::GenericOp::create(
        builder, weight->scales.getLoc(), type,
        ValueRange{sums->getResult(0), weight->scales}, out,
        ArrayRef<AffineMap>{identity, *map, identity},
        SmallVector<utils::IteratorType>(type.getRank(),
                                         utils::IteratorType::parallel),
        [&](OpBuilder &nested, Location loc, ValueRange values) {
          Value scale =
              convertScalarToDtype(nested, loc, values[1], nested.getF32Type(),
                                   /*isUnsignedCast=*/false);
          Value product = arith::MulFOp::create(nested, loc, values[0], scale);
          linalg::YieldOp::create(
              nested, loc,
              convertScalarToDtype(nested, loc, product, type.getElementType(),
                                   /*isUnsignedCast=*/false));
        });
    product->replaceAllUsesWith(scaled);
    product->erase();
    return;
  }
}
