//===- EmitLinalg.cpp - Pieces of linalg on tensors -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Normalize/EmitLinalg.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::trn;

Value mlir::trn::emitZeros(OpBuilder &builder, Location loc,
                           ArrayRef<OpFoldResult> sizes, Type element) {
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, element);
  return linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
}

Value mlir::trn::emitZeros(OpBuilder &builder, Location loc,
                           RankedTensorType type) {
  return emitZeros(builder, loc,
                   getAsIndexOpFoldResult(type.getContext(), type.getShape()),
                   type.getElementType());
}

Value mlir::trn::emitFill(OpBuilder &builder, Location loc, Value number,
                          RankedTensorType type) {
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  return linalg::FillOp::create(builder, loc, number, empty).getResult(0);
}

Value mlir::trn::emitTranspose(OpBuilder &builder, Location loc, Value source,
                               ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(source.getType());
  Value empty = tensor::EmptyOp::create(
      builder, loc, applyPermutation(type.getShape(), permutation),
      type.getElementType());
  return linalg::TransposeOp::create(builder, loc, source, empty, permutation)
      .getResult()[0];
}

Value mlir::trn::emitElementwise(
    OpBuilder &builder, Location loc, ValueRange inputs, Type element,
    function_ref<Value(OpBuilder &, Location, ValueRange)> compute) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, inputs.front());
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, element);
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              builder.getMultiDimIdentityMap(sizes.size()));
  SmallVector<utils::IteratorType> iterators(sizes.size(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), inputs, empty, maps, iterators,
             [&](OpBuilder &nested, Location loc, ValueRange values) {
               linalg::YieldOp::create(nested, loc,
                                       compute(nested, loc, values));
             })
      .getResult(0);
}

Value mlir::trn::emitRounding(OpBuilder &builder, Location loc, Value source,
                              Type element) {
  if (getElementTypeOrSelf(source) == element)
    return source;
  return emitElementwise(
      builder, loc, source, element,
      [&](OpBuilder &nested, Location loc, ValueRange values) {
        return convertScalarToDtype(nested, loc, values[0], element,
                                    /*isUnsignedCast=*/false);
      });
}

void mlir::trn::buildProductBody(OpBuilder &builder, Location loc,
                                 ValueRange values) {
  ImplicitLocOpBuilder b(loc, builder);
  linalg::ContractOp::regionBuilder(b, *b.getInsertionBlock(), {}, {});
}
