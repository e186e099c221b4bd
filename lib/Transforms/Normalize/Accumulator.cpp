//===- Accumulator.cpp - What products add to -----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NormalizeSteps.h"

#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"

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
