//===- Accumulator.cpp - What products and reductions add to --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NormalizeSteps.h"

#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"
#include "trn/Transforms/Normalize/ReductionMatcher.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

/// Whether nobody has written to `tensor`.
static bool isUndefined(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (isa_and_nonnull<tensor::CastOp, tensor::CollapseShapeOp,
                      tensor::ExpandShapeOp>(op))
    return isUndefined(op->getOperand(0));
  return isa_and_nonnull<tensor::EmptyOp>(op);
}

/// The product of what `product` multiplies, in f32 and onto zeros.
static linalg::LinalgOp createSums(linalg::LinalgOp product) {
  OpBuilder builder(product);
  Location loc = product.getLoc();
  auto type = cast<RankedTensorType>(product->getResult(0).getType())
                  .clone(builder.getF32Type());
  return linalg::GenericOp::create(
      builder, loc, type, product.getDpsInputs(), emitZeros(builder, loc, type),
      product.getIndexingMapsArray(), product.getIteratorTypesArray(),
      buildProductBody);
}

/// Adds `addend` to `sums` in an op of its own, of which the value of `product`
/// becomes the result.
static void addBehind(linalg::LinalgOp product, linalg::LinalgOp sums,
                      Value addend) {
  OpBuilder builder(product->getContext());
  builder.setInsertionPointAfter(product);
  Type type = getElementTypeOrSelf(addend);
  Value sum = emitElementwise(
      builder, product.getLoc(), {addend, sums->getResult(0)}, type,
      [&](OpBuilder &nested, Location loc, ValueRange values) {
        Value wide =
            convertScalarToDtype(nested, loc, values[0], nested.getF32Type(),
                                 /*isUnsignedCast=*/false);
        Value sum = arith::AddFOp::create(nested, loc, wide, values[1]);
        return convertScalarToDtype(nested, loc, sum, type,
                                    /*isUnsignedCast=*/false);
      });
  product->getResult(0).replaceAllUsesExcept(sum, sum.getDefiningOp());
}

void mlir::trn::defineAccumulator(linalg::LinalgOp product) {
  OpOperand *init = product.getDpsInitOperand(0);
  Value addend = init->get();
  bool isGiven = !isUndefined(addend);
  bool isNarrow = !getElementTypeOrSelf(addend).isF32();
  if (isZeroFilled(addend) ||
      (isGiven && isNarrow && findBodyObstacle(*product.getBlock())))
    return;
  if (!isGiven)
    emitRemark(product.getLoc(),
               "product accumulates onto undefined elements "
               "of 'tensor.empty', which are taken for zeros");
  if (isGiven && isNarrow) {
    addBehind(product, createSums(product), addend);
    product->erase();
    return;
  }
  OpBuilder builder(product);
  init->set(emitZeros(builder, product.getLoc(),
                      cast<RankedTensorType>(addend.getType())));
  if (isGiven)
    addBehind(product, product, addend);
}

/// What `sum` adds up by `add` in 16 bits, in f32 and onto zeros.
static linalg::LinalgOp widenSum(linalg::GenericOp sum, arith::AddFOp add) {
  OpBuilder builder(sum);
  auto type = cast<RankedTensorType>(sum.getResult(0).getType())
                  .clone(builder.getF32Type());
  Block &body = *sum.getBody();
  bool isLeft = add.getLhs() == sum.getRegionOutputArgs()[0];
  return linalg::GenericOp::create(
      builder, sum.getLoc(), type, sum.getDpsInputs(),
      emitZeros(builder, sum.getLoc(), type), sum.getIndexingMapsArray(),
      sum.getIteratorTypesArray(),
      [&](OpBuilder &nested, Location loc, ValueRange values) {
        IRMapping mapping;
        mapping.map(body.getArguments(), values);
        for (Operation &inner : body.without_terminator())
          if (&inner != add)
            nested.clone(inner, mapping);
        Value term =
            mapping.lookupOrDefault(isLeft ? add.getRhs() : add.getLhs());
        term = arith::ExtFOp::create(nested, loc, type.getElementType(), term);
        Value result = arith::AddFOp::create(nested, loc, term, values.back());
        linalg::YieldOp::create(nested, loc, result);
      });
}

void mlir::trn::defineStart(linalg::GenericOp reduction) {
  if (reduction.getNumDpsInits() != 1)
    return;
  Operation *fold =
      reduction.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  BlockArgument old = reduction.getRegionOutputArgs()[0];
  Value start = reduction.getDpsInits()[0];
  Type type = old.getType();
  if (!isa_and_nonnull<arith::AddFOp, arith::MaximumFOp, arith::MaxNumFOp,
                       arith::MinimumFOp, arith::MinNumFOp>(fold) ||
      !old.hasOneUse() || *old.user_begin() != fold || isUndefined(start) ||
      type.getIntOrFloatBitWidth() > 32)
    return;
  OpBuilder builder(reduction);
  Location loc = reduction.getLoc();
  Value result = reduction.getResult(0);
  auto add = dyn_cast<arith::AddFOp>(fold);
  if (add && type.getIntOrFloatBitWidth() == 16) {
    linalg::LinalgOp sum = widenSum(reduction, add);
    if (isZeroFilled(start))
      result.replaceAllUsesWith(
          emitRounding(builder, loc, sum->getResult(0), type));
    else
      addBehind(reduction, sum, start);
    return reduction.erase();
  }
  auto neutral = arith::getNeutralElement(fold);
  if (!neutral || matchFold(reduction))
    return;
  Value number = arith::ConstantOp::create(builder, loc, *neutral);
  reduction.getDpsInitsMutable().assign(
      emitFill(builder, loc, number, cast<RankedTensorType>(start.getType())));
  builder.setInsertionPointAfter(reduction);
  Value both =
      emitElementwise(builder, loc, {start, result}, type,
                      [&](OpBuilder &nested, Location, ValueRange values) {
                        Operation *own = nested.clone(*fold);
                        own->setOperands(values.take_front(2));
                        return own->getResult(0);
                      });
  result.replaceAllUsesExcept(both, both.getDefiningOp());
}
