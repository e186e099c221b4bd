//===- BuildStages.cpp - Write the stages of a kernel ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildStages.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

static Value createEmpty(OpBuilder &builder, Location loc,
                         ArrayRef<int64_t> shape, Type type) {
  return tensor::EmptyOp::create(builder, loc, shape, type);
}

/// Converts a scalar float to `type`, which may be the type that it has.
static Value convertFloat(OpBuilder &builder, Location loc, Value value,
                          Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtFOp::create(builder, loc, type, value);
  if (from > to)
    return arith::TruncFOp::create(builder, loc, type, value);
  return value;
}

static linalg::GenericOp
buildElementwise(OpBuilder &builder, Location loc, Value source,
                 Value destination, AffineMap sourceMap,
                 function_ref<Value(OpBuilder &, Value in, Value out)> body) {
  auto type = cast<RankedTensorType>(destination.getType());
  SmallVector<AffineMap> maps{sourceMap,
                              builder.getMultiDimIdentityMap(type.getRank())};
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      builder, loc, type, source, destination, maps, iterators,
      [&](OpBuilder &nested, Location nestedLoc, ValueRange args) {
        Value value = body(nested, args[0], args[1]);
        linalg::YieldOp::create(
            nested, nestedLoc,
            convertFloat(nested, nestedLoc, value, type.getElementType()));
      });
}

linalg::GenericOp mlir::trn::buildEviction(OpBuilder &builder, Location loc,
                                           Value source, Value destination) {
  return buildElementwise(builder, loc, source, destination,
                          builder.getMultiDimIdentityMap(2),
                          [](OpBuilder &, Value in, Value) { return in; });
}

linalg::GenericOp mlir::trn::buildAccumulation(OpBuilder &builder, Location loc,
                                               Value source,
                                               Value destination) {
  return buildElementwise(
      builder, loc, source, destination, builder.getMultiDimIdentityMap(2),
      [&](OpBuilder &nested, Value in, Value out) -> Value {
        Value wide = convertFloat(nested, loc, out, in.getType());
        return arith::AddFOp::create(nested, loc, wide, in);
      });
}

Value mlir::trn::buildProduct(OpBuilder &builder, ProductLocation locations,
                              Value lhs, LhsLayout layout, Value rhs,
                              Type type) {
  Location loc = locations.product;
  bool contractionFirst = layout == LhsLayout::ContractionFirst;
  SmallVector<int64_t> shape{
      cast<RankedTensorType>(lhs.getType()).getDimSize(contractionFirst),
      cast<RankedTensorType>(rhs.getType()).getDimSize(1)};
  Type f32 = builder.getF32Type();
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
  Value init = linalg::FillOp::create(builder, loc, zero,
                                      createEmpty(builder, loc, shape, f32))
                   .getResult(0);
  AffineExpr m, n, k;
  bindDims(builder.getContext(), m, n, k);
  auto map = [&](AffineExpr row, AffineExpr column) {
    return AffineMap::get(3, 0, {row, column}, builder.getContext());
  };
  NamedAttribute maps = builder.getNamedAttr(
      "indexing_maps",
      builder.getAffineMapArrayAttr(
          {contractionFirst ? map(k, m) : map(m, k), map(k, n), map(m, n)}));
  Value sum = linalg::MatmulOp::create(builder, loc, init.getType(),
                                       ValueRange{lhs, rhs}, init, maps)
                  .getResult(0);
  return buildEviction(builder, locations.eviction, sum,
                       createEmpty(builder, loc, shape, type))
      .getResult(0);
}

Value mlir::trn::buildTransposition(OpBuilder &builder, Location loc,
                                    Value source) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<int64_t> shape{type.getDimSize(1), type.getDimSize(0)};
  auto swap = AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0},
                                           builder.getContext());
  Value transposed =
      buildElementwise(builder, loc, source,
                       createEmpty(builder, loc, shape, builder.getF32Type()),
                       swap, [](OpBuilder &, Value in, Value) { return in; })
          .getResult(0);
  return buildEviction(builder, loc, transposed,
                       createEmpty(builder, loc, shape, type.getElementType()))
      .getResult(0);
}
