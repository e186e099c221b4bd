//===- Generate.cpp - Build linalg modules from sizes ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Generate/Generate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::trn;

namespace {

// Sizes beyond these are typing errors: no machine holds such a tensor, and the
// sizes of everything derived from them stay far from overflowing 64 bits.
constexpr int64_t maxSize = (int64_t(1) << 31) - 1;
constexpr int64_t maxElements = int64_t(1) << 40;

llvm::Error checkSize(StringRef name, int64_t size) {
  if (size < 1)
    return llvm::createStringError("size " + name + " is " + Twine(size) +
                                   ", but at least 1 is needed");
  if (size > maxSize)
    return llvm::createStringError("size " + name + " is " + Twine(size) +
                                   ", but at most " + Twine(maxSize) +
                                   " is allowed");
  return llvm::Error::success();
}

llvm::Error checkTensor(StringRef name, int64_t rows, int64_t columns) {
  if (rows > maxElements / columns)
    return llvm::createStringError(name + " has " + Twine(rows) + " x " +
                                   Twine(columns) + " elements, but at most " +
                                   Twine(maxElements) + " are allowed");
  return llvm::Error::success();
}

/// Builds the body of one function; names the values by their locations.
class ChainBuilder {
public:
  ChainBuilder(MLIRContext *context, const ChainSpec &spec)
      : builder(context), spec(spec) {
    switch (spec.type) {
    case ElementType::BF16:
      storage = builder.getBF16Type();
      break;
    case ElementType::F16:
      storage = builder.getF16Type();
      break;
    case ElementType::F32:
      storage = builder.getF32Type();
      break;
    }
  }

  OwningOpRef<ModuleOp> build();

private:
  Location named(StringRef name) {
    return NameLoc::get(builder.getStringAttr(name));
  }
  RankedTensorType tensor(int64_t rows, int64_t columns, Type element) {
    return RankedTensorType::get({rows, columns}, element);
  }
  AffineMap map(unsigned row, unsigned column) {
    MLIRContext *context = builder.getContext();
    return AffineMap::get(
        3, 0,
        {getAffineDimExpr(row, context), getAffineDimExpr(column, context)},
        context);
  }

  Value multiply(StringRef name, Value lhs, Value rhs, bool transposedLhs);
  Value multiplyTransposed(StringRef name, Value lhs, Value rhs,
                           bool transposedLhs);
  Value accumulate(StringRef name, Value a, Value b, int64_t rows,
                   int64_t columns, ArrayRef<AffineMap> maps);
  Value truncate(StringRef name, Value wide);

  OpBuilder builder;
  ChainSpec spec;
  Type storage;
};

/// lhs * rhs; d0, d1, d2 are the rows, the columns and the contraction.
Value ChainBuilder::multiply(StringRef name, Value lhs, Value rhs,
                             bool transposedLhs) {
  int64_t columns = cast<RankedTensorType>(rhs.getType()).getDimSize(1);
  return accumulate(
      name, lhs, rhs, spec.m, columns,
      {transposedLhs ? map(2, 0) : map(0, 2), map(2, 1), map(0, 1)});
}

/// (lhs * rhs)^T = rhs^T * lhs^T, which needs no transposed result map.
Value ChainBuilder::multiplyTransposed(StringRef name, Value lhs, Value rhs,
                                       bool transposedLhs) {
  int64_t columns = cast<RankedTensorType>(rhs.getType()).getDimSize(1);
  return accumulate(
      name, rhs, lhs, columns, spec.m,
      {map(2, 0), transposedLhs ? map(2, 1) : map(1, 2), map(0, 1)});
}

Value ChainBuilder::accumulate(StringRef name, Value a, Value b, int64_t rows,
                               int64_t columns, ArrayRef<AffineMap> maps) {
  Location loc = named(name);
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
  Value wide = linalg::MatmulOp::create(builder, loc, ValueRange{a, b},
                                        ValueRange{fill}, attributes)
                   .getResult(0);
  return truncate(name, wide);
}

Value ChainBuilder::truncate(StringRef name, Value wide) {
  if (storage.isF32())
    return wide;
  auto type = cast<RankedTensorType>(wide.getType());
  Value empty = tensor::EmptyOp::create(builder, named("empty"),
                                        type.getShape(), storage);
  AffineMap identity = builder.getMultiDimIdentityMap(2);
  return linalg::GenericOp::create(
             builder, named(name), TypeRange{empty.getType()}, ValueRange{wide},
             ValueRange{empty}, ArrayRef<AffineMap>{identity, identity},
             ArrayRef<utils::IteratorType>{utils::IteratorType::parallel,
                                           utils::IteratorType::parallel},
             [&](OpBuilder &nested, Location loc, ValueRange args) {
               Value rounded =
                   arith::TruncFOp::create(nested, loc, storage, args[0]);
               linalg::YieldOp::create(nested, loc, rounded);
             })
      .getResult(0);
}

OwningOpRef<ModuleOp> ChainBuilder::build() {
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToEnd(module->getBody());

  SmallVector<Type> inputs;
  SmallVector<Location> names;
  auto addInput = [&](StringRef name, int64_t rows, int64_t columns) {
    inputs.push_back(tensor(rows, columns, storage));
    names.push_back(named(name));
  };
  if (spec.transposedInput)
    addInput("x", spec.k, spec.m);
  else
    addInput("x", spec.m, spec.k);
  if (spec.rank) {
    addInput("u", spec.k, *spec.rank);
    addInput("v", *spec.rank, spec.n);
  } else {
    addInput("w", spec.k, spec.n);
  }
  RankedTensorType result = spec.transposedOutput
                                ? tensor(spec.n, spec.m, storage)
                                : tensor(spec.m, spec.n, storage);
  auto func = func::FuncOp::create(builder, builder.getUnknownLoc(), "main",
                                   builder.getFunctionType(inputs, {result}));
  Block *body = builder.createBlock(&func.getBody(), {}, inputs, names);

  Value value = body->getArgument(0);
  bool transposed = spec.transposedInput;
  if (spec.rank) {
    value = multiply("y", value, body->getArgument(1), transposed);
    transposed = false;
  }
  Value weight = body->getArguments().back();
  value = spec.transposedOutput
              ? multiplyTransposed("o", value, weight, transposed)
              : multiply("o", value, weight, transposed);
  func::ReturnOp::create(builder, builder.getUnknownLoc(), value);
  return module;
}

} // namespace

llvm::Error mlir::trn::checkSpec(const ChainSpec &spec) {
  if (llvm::Error error = checkSize("m", spec.m))
    return error;
  if (llvm::Error error = checkSize("k", spec.k))
    return error;
  if (spec.rank)
    if (llvm::Error error = checkSize("r", *spec.rank))
      return error;
  if (llvm::Error error = checkSize("n", spec.n))
    return error;
  if (llvm::Error error = checkTensor("X", spec.m, spec.k))
    return error;
  if (llvm::Error error = checkTensor("O", spec.m, spec.n))
    return error;
  if (!spec.rank)
    return checkTensor("W", spec.k, spec.n);
  if (llvm::Error error = checkTensor("U", spec.k, *spec.rank))
    return error;
  if (llvm::Error error = checkTensor("Y", spec.m, *spec.rank))
    return error;
  return checkTensor("V", *spec.rank, spec.n);
}

llvm::Expected<OwningOpRef<ModuleOp>>
mlir::trn::generateChain(MLIRContext *context, const ChainSpec &spec) {
  if (llvm::Error error = checkSpec(spec))
    return error;
  context->loadDialect<arith::ArithDialect, func::FuncDialect,
                       linalg::LinalgDialect, tensor::TensorDialect>();
  return ChainBuilder(context, spec).build();
}
