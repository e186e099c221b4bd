//===- CreateKernel.cpp - Write a kernel on tensors -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CreateKernel.h"

#include "trn/Analysis/Roundings.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Transforms/EmitKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

/// `source`, element by element as `type`, which is no wider than f32.
static Value emitRounding(OpBuilder &builder, Location loc, Value source,
                          Type type) {
  auto from = cast<RankedTensorType>(source.getType());
  Value empty = tensor::EmptyOp::create(builder, loc, from.getShape(), type);
  AffineMap identity = builder.getMultiDimIdentityMap(from.getRank());
  SmallVector<utils::IteratorType> iterators(from.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), source, empty,
             ArrayRef{identity, identity}, iterators,
             [&](OpBuilder &nested, Location loc, ValueRange values) {
               Value value = values[0];
               if (value.getType() != type)
                 value = arith::TruncFOp::create(nested, loc, type, value);
               linalg::YieldOp::create(nested, loc, value);
             })
      .getResult(0);
}

Value mlir::trn::emitTranspose(OpBuilder &builder, Location loc, Value source) {
  auto type = cast<RankedTensorType>(source.getType());
  int64_t shape[] = {type.getDimSize(1), type.getDimSize(0)};
  Value empty =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return linalg::TransposeOp::create(builder, loc, source, empty,
                                     ArrayRef<int64_t>{1, 0})
      .getResult()[0];
}

Value mlir::trn::emitProduct(OpBuilder &builder, const Product &product) {
  Location loc = product.contraction->getLoc();
  Type f32 = builder.getF32Type();
  int64_t shape[] = {product.m, product.n};
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
  Value empty = tensor::EmptyOp::create(builder, loc, shape, f32);
  Value sums = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  AffineExpr m, n, k;
  bindDims(builder.getContext(), m, n, k);
  auto map = [&](AffineExpr row, AffineExpr column) {
    return AffineMap::get(3, 0, {row, column}, builder.getContext());
  };
  NamedAttribute maps = builder.getNamedAttr(
      "indexing_maps", builder.getAffineMapArrayAttr(
                           {product.lhsTransposed ? map(k, m) : map(m, k),
                            map(k, n), map(m, n)}));
  Value sum =
      linalg::MatmulOp::create(builder, loc, sums.getType(),
                               ValueRange{product.lhs, product.rhs}, sums, maps)
          .getResult(0);
  Value result =
      emitRounding(builder, product.result.getLoc(), sum,
                   getFloatType(builder.getContext(), product.resultType));
  return product.resultTransposed ? emitTranspose(builder, loc, result)
                                  : result;
}

/// The arguments of the kernel for `chain`: X, its weights and the result.
static SmallVector<Type> getArgumentTypes(Builder &builder,
                                          const Chain &chain) {
  SmallVector<Type> types;
  auto add = [&](int64_t rows, int64_t columns, bool isTransposed,
                 ElementType type) {
    if (isTransposed)
      std::swap(rows, columns);
    types.push_back(MemRefType::get({rows, columns},
                                    getFloatType(builder.getContext(), type)));
  };
  const Product &first = chain.first(), &last = chain.last();
  add(first.m, first.k, first.lhsTransposed, first.operandType);
  for (const Product &product : chain.products)
    add(product.k, product.n, false, product.operandType);
  add(last.m, last.n, last.resultTransposed, last.resultType);
  return types;
}

func::FuncOp mlir::trn::createKernel(OpBuilder &builder, SymbolTable &symbols,
                                     StringRef name, const Chain &chain) {
  Location loc = chain.last().contraction->getLoc();
  OpBuilder::InsertionGuard guard(builder);
  builder.clearInsertionPoint();
  func::FuncOp kernel = declareKernel(
      builder, loc, name, getArgumentTypes(builder, chain), /*results=*/1);
  builder.getContext()
      ->getLoadedDialect<TrnDialect>()
      ->getFlopsAttrHelper()
      .setAttr(kernel, builder.getI64IntegerAttr(*countFlops(chain)));
  symbols.insert(kernel);

  builder.setInsertionPointToStart(kernel.addEntryBlock());
  for (auto [argument, input] :
       llvm::zip(kernel.getArguments(), chain.inputs()))
    argument.setLoc(input.getLoc());
  BlockArgument result = kernel.getArguments().back();
  result.setLoc(chain.last().result.getLoc());
  SmallVector<Value> tensors;
  for (BlockArgument argument : kernel.getArguments().drop_back())
    tensors.push_back(bufferization::ToTensorOp::create(
        builder, argument.getLoc(),
        memref::getTensorTypeFromMemRefType(argument.getType()), argument,
        /*restrict=*/true));
  // An intermediate has the type of the weight that it meets.
  Value value = tensors.front();
  for (auto [i, found] : llvm::enumerate(chain.products)) {
    bool isLast = i + 1 == chain.products.size();
    Product product = found;
    product.lhs = value;
    product.lhsTransposed = i == 0 && found.lhsTransposed;
    product.rhs = tensors[i + 1];
    product.resultTransposed = isLast && found.resultTransposed;
    product.resultType = isLast ? found.resultType : found.operandType;
    value = emitProduct(builder, product);
  }
  bufferization::MaterializeInDestinationOp::create(
      builder, result.getLoc(), Type(), value, result, /*restrict=*/true,
      /*writable=*/true);
  func::ReturnOp::create(builder, loc);
  return kernel;
}

bool mlir::trn::roundsAlike(func::FuncOp kernel, const Chain &chain,
                            bool allowRounding) {
  const Product &last = chain.last();
  SmallVector<Value> inputs = chain.inputs();
  auto store =
      *kernel.getOps<bufferization::MaterializeInDestinationOp>().begin();
  SmallVector<Value> arguments(kernel.getArguments().drop_back());
  auto difference =
      compareRoundings({last.result, inputs}, {store.getSource(), arguments});
  if (!difference)
    return true;
  if (!difference->rounding) {
    remarkLeftAlone(last.contraction,
                    "a kernel would compute it from other values");
    return false;
  }
  const Rounding &rounding = *difference->rounding;
  bool added = difference->kind == RoundingDifference::Added;
  if (added && allowRounding) {
    emitRemark(rounding.loc, "kernel rounds to ")
        << rounding.what << ", where the source does not (allow-rounding)";
    return true;
  }
  InFlightDiagnostic remark = remarkLeftAlone(
      last.contraction, added ? "a kernel would round to " : "it rounds to ");
  remark << rounding.what
         << (added ? ", where the source does not"
                   : ", where a kernel would not");
  remark.attachNote(rounding.loc) << "rounded here";
  return false;
}
