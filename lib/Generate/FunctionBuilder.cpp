//===- FunctionBuilder.cpp - Build a function of products -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

static Type getStorageType(OpBuilder &builder, ElementType type) {
  switch (type) {
  case ElementType::BF16:
    return builder.getBF16Type();
  case ElementType::F16:
    return builder.getF16Type();
  default: // nothing is generated of integers
    return builder.getF32Type();
  }
}

static int64_t getColumns(Value matrix) {
  return cast<RankedTensorType>(matrix.getType()).getDimSize(1);
}

FunctionBuilder::FunctionBuilder(MLIRContext *context, const FunctionSpec &spec)
    : builder(context), spec(spec) {
  context->loadDialect<arith::ArithDialect, func::FuncDialect,
                       linalg::LinalgDialect, math::MathDialect,
                       tensor::TensorDialect>();
  storage = getStorageType(builder, spec.type);
  module = ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToEnd(module->getBody());
  // The type follows from what is added.
  func = func::FuncOp::create(builder, builder.getUnknownLoc(), "main",
                              builder.getFunctionType({}, {}));
  builder.createBlock(&func.getBody());
}

Activation FunctionBuilder::addInput(int64_t columns) {
  if (spec.transposedInput)
    return {addMatrix("x", columns, spec.m), true};
  return {addMatrix("x", spec.m, columns), false};
}

Weight FunctionBuilder::addWeight(StringRef prefix, int64_t rows,
                                  int64_t columns,
                                  std::optional<int64_t> rank) {
  if (!rank)
    return {prefix.str(), addMatrix(prefix + "w", rows, columns), nullptr};
  Value first = addMatrix(prefix + "u", rows, *rank);
  return {prefix.str(), first, addMatrix(prefix + "v", *rank, columns)};
}

Value FunctionBuilder::addMatrix(const Twine &name, int64_t rows,
                                 int64_t columns) {
  return builder.getBlock()->addArgument(
      RankedTensorType::get({rows, columns}, storage), named(name));
}

AffineMap FunctionBuilder::map(unsigned row, unsigned column) {
  return AffineMap::get(
      3, 0, {builder.getAffineDimExpr(row), builder.getAffineDimExpr(column)},
      builder.getContext());
}

Value FunctionBuilder::project(const Twine &name, Activation x,
                               const Weight &weight, bool transposedResult) {
  Value last = weight.first;
  if (weight.second) {
    std::string inner = weight.prefix + "y";
    x = {round(inner, multiply(inner, x, weight.first)), false};
    last = weight.second;
  }
  return transposedResult ? multiplyTransposed(name, x, last)
                          : multiply(name, x, last);
}

/// lhs * rhs; d0, d1, d2 are the rows, the columns and the contraction.
Value FunctionBuilder::multiply(const Twine &name, Activation lhs, Value rhs) {
  return accumulate(
      name, lhs.value, rhs, lhs.rows(), getColumns(rhs),
      {lhs.transposed ? map(2, 0) : map(0, 2), map(2, 1), map(0, 1)});
}

/// (lhs * rhs)^T = rhs^T * lhs^T, which needs no transposed result map.
Value FunctionBuilder::multiplyTransposed(const Twine &name, Activation lhs,
                                          Value rhs) {
  return accumulate(
      name, rhs, lhs.value, getColumns(rhs), lhs.rows(),
      {map(2, 0), lhs.transposed ? map(2, 1) : map(1, 2), map(0, 1)});
}

Value FunctionBuilder::accumulate(const Twine &name, Value a, Value b,
                                  int64_t rows, int64_t columns,
                                  ArrayRef<AffineMap> maps) {
  Value zero = arith::ConstantOp::create(builder, named("zero"),
                                         builder.getF32FloatAttr(0.0f));
  Value empty = tensor::EmptyOp::create(builder, named("empty"),
                                        ArrayRef<int64_t>{rows, columns},
                                        builder.getF32Type());
  Value fill =
      linalg::FillOp::create(builder, named("fill"), zero, empty).getResult(0);
  SmallVector<NamedAttribute> attributes;
  if (maps != ArrayRef<AffineMap>(linalg::MatmulOp::getDefaultIndexingMaps(
                  builder.getContext())))
    attributes.push_back(builder.getNamedAttr(
        "indexing_maps", builder.getAffineMapArrayAttr(maps)));
  return linalg::MatmulOp::create(builder, named(name), ValueRange{a, b},
                                  ValueRange{fill}, attributes)
      .getResult(0);
}

Value FunctionBuilder::round(const Twine &name, Value wide) {
  if (storage.isF32())
    return wide;
  return mapElements(
      name, wide,
      [](OpBuilder &, Location, ValueRange elements) { return elements[0]; });
}

Value FunctionBuilder::multiplyGated(const Twine &name, Value gate, Value up) {
  Value one = arith::ConstantOp::create(builder, named("one"),
                                        builder.getF32FloatAttr(1.0f));
  return mapElements(
      name, {gate, up}, [&](OpBuilder &nested, Location loc, ValueRange in) {
        Value minus = arith::NegFOp::create(nested, loc, in[0]);
        Value power = math::ExpOp::create(nested, loc, minus);
        Value divisor = arith::AddFOp::create(nested, loc, power, one);
        Value silu = arith::DivFOp::create(nested, loc, in[0], divisor);
        return Value(arith::MulFOp::create(nested, loc, silu, in[1]));
      });
}

/// Rounds what `build` computes of the elements of the inputs.
Value FunctionBuilder::mapElements(const Twine &name, ValueRange inputs,
                                   BodyBuilder build) {
  auto type = cast<RankedTensorType>(inputs.front().getType());
  Value empty = tensor::EmptyOp::create(builder, named("empty"),
                                        type.getShape(), storage);
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              builder.getMultiDimIdentityMap(2));
  SmallVector<utils::IteratorType> loops(2, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, named(name), TypeRange{empty.getType()}, inputs,
             ValueRange{empty}, maps, loops,
             [&](OpBuilder &nested, Location loc, ValueRange args) {
               Value value = build(nested, loc, args.drop_back());
               if (!storage.isF32())
                 value = arith::TruncFOp::create(nested, loc, storage, value);
               linalg::YieldOp::create(nested, loc, value);
             })
      .getResult(0);
}

OwningOpRef<ModuleOp> FunctionBuilder::finish(ValueRange results) {
  func::ReturnOp::create(builder, builder.getUnknownLoc(), results);
  func.setFunctionType(builder.getFunctionType(
      builder.getBlock()->getArgumentTypes(), results.getTypes()));
  return std::move(module);
}
