//===- Accumulator.cpp - What products add to -----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Accumulator.h"

#include "ProductMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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

static Value createZeros(OpBuilder &builder, Location loc, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(tensor.getElementType()));
  Value empty = tensor::EmptyOp::create(builder, loc, tensor.getShape(),
                                        tensor.getElementType());
  return linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
}

static Value widen(OpBuilder &builder, Location loc, Value scalar) {
  Type f32 = builder.getF32Type();
  return scalar.getType() == f32
             ? scalar
             : arith::ExtFOp::create(builder, loc, f32, scalar).getResult();
}

/// The product of what `product` multiplies, in f32 and onto zeros.
static linalg::LinalgOp createSums(linalg::LinalgOp product) {
  OpBuilder builder(product);
  Location loc = product.getLoc();
  auto type = cast<RankedTensorType>(product->getResult(0).getType())
                  .clone(builder.getF32Type());
  return linalg::GenericOp::create(
      builder, loc, type, product.getDpsInputs(),
      createZeros(builder, loc, type), product.getIndexingMapsArray(),
      product.getIteratorTypesArray(),
      [](OpBuilder &nested, Location loc, ValueRange values) {
        Value term =
            arith::MulFOp::create(nested, loc, widen(nested, loc, values[0]),
                                  widen(nested, loc, values[1]));
        Value sum = arith::AddFOp::create(nested, loc, values[2], term);
        linalg::YieldOp::create(nested, loc, sum);
      });
}

/// Adds `addend` to `sums` in an op of its own, of which the value of `product`
/// becomes the result.
static void addBehind(linalg::LinalgOp product, linalg::LinalgOp sums,
                      Value addend) {
  OpBuilder builder(product->getContext());
  builder.setInsertionPointAfter(product);
  Location loc = product.getLoc();
  auto type = cast<RankedTensorType>(addend.getType());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto sum = linalg::GenericOp::create(
      builder, loc, type, ValueRange{addend, sums->getResult(0)}, empty,
      ArrayRef{identity, identity, identity}, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange values) {
        Value sum = arith::AddFOp::create(
            nested, loc, widen(nested, loc, values[0]), values[1]);
        if (!type.getElementType().isF32())
          sum =
              arith::TruncFOp::create(nested, loc, type.getElementType(), sum);
        linalg::YieldOp::create(nested, loc, sum);
      });
  product->getResult(0).replaceAllUsesExcept(sum.getResult(0), sum);
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
  init->set(createZeros(builder, product.getLoc(), addend.getType()));
  if (isGiven)
    addBehind(product, product, addend);
}
