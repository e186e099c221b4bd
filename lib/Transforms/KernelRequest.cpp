//===- KernelRequest.cpp - What becomes one kernel ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRequest.h"

#include "trn/Analysis/Roundings.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

/// The value of a scalar float as `type`, which may be the type that it has.
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

/// `source`, element by element as `type`.
static Value emitConversion(OpBuilder &builder, Location loc, Value source,
                            Type type) {
  auto from = cast<RankedTensorType>(source.getType());
  Value empty = tensor::EmptyOp::create(builder, loc, from.getShape(), type);
  AffineMap identity = builder.getMultiDimIdentityMap(from.getRank());
  SmallVector<utils::IteratorType> iterators(from.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), source, empty,
             ArrayRef{identity, identity}, iterators,
             [&](OpBuilder &nested, Location nestedLoc, ValueRange values) {
               linalg::YieldOp::create(
                   nested, nestedLoc,
                   convertFloat(nested, nestedLoc, values[0], type));
             })
      .getResult(0);
}

/// Emits `product` as it was found, but summed in f32 and then rounded, on the
/// kernel's own tensors.
static Value emitProduct(OpBuilder &builder, const Product &product, Value lhs,
                         bool lhsTransposed, Value rhs, bool resultTransposed,
                         Type type) {
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
      "indexing_maps",
      builder.getAffineMapArrayAttr(
          {lhsTransposed ? map(k, m) : map(m, k), map(k, n), map(m, n)}));
  Value sum = linalg::MatmulOp::create(builder, loc, sums.getType(),
                                       ValueRange{lhs, rhs}, sums, maps)
                  .getResult(0);
  Value result = emitConversion(builder, product.result.getLoc(), sum, type);
  if (!resultTransposed)
    return result;
  empty = tensor::EmptyOp::create(
      builder, loc, ArrayRef<int64_t>{product.n, product.m}, type);
  return linalg::TransposeOp::create(builder, loc, result, empty,
                                     ArrayRef<int64_t>{1, 0})
      .getResult()[0];
}

/// The buffer of a matrix, stored the other way round if transposed.
static MemRefType getBufferType(Builder &builder, int64_t rows, int64_t columns,
                                bool transposed, ElementType type) {
  if (transposed)
    std::swap(rows, columns);
  return MemRefType::get({rows, columns},
                         getFloatType(builder.getContext(), type));
}

/// The arguments of the kernel for `request`: X, its weights and the result.
static SmallVector<Type> getArgumentTypes(Builder &builder,
                                          const KernelRequest &request) {
  const Product &first = request.chain.first(), &last = request.chain.last();
  SmallVector<Type> types{getBufferType(
      builder, first.m, first.k, first.lhsTransposed, first.operandType)};
  for (const Product &product : request.chain.products)
    types.push_back(getBufferType(builder, product.k, product.n, false,
                                  product.operandType));
  types.push_back(getBufferType(builder, last.m, last.n,
                                request.resultTransposed, last.resultType));
  return types;
}

func::FuncOp mlir::trn::createKernel(OpBuilder &builder, SymbolTable &symbols,
                                     StringRef name,
                                     const KernelRequest &request) {
  const Chain &chain = request.chain;
  Location loc = chain.last().contraction->getLoc();
  OpBuilder::InsertionGuard guard(builder);
  builder.clearInsertionPoint();
  SmallVector<Type> arguments = getArgumentTypes(builder, request);
  auto kernel = func::FuncOp::create(builder, loc, name,
                                     builder.getFunctionType(arguments, {}));
  kernel.setPrivate();
  auto *dialect = builder.getContext()->getLoadedDialect<TrnDialect>();
  dialect->getKernelAttrHelper().setAttr(kernel, builder.getUnitAttr());
  dialect->getFlopsAttrHelper().setAttr(
      kernel, builder.getI64IntegerAttr(*countFlops(chain)));
  kernel.setArgAttr(arguments.size() - 1,
                    dialect->getResultAttrHelper().getName(),
                    builder.getUnitAttr());
  symbols.insert(kernel);

  builder.setInsertionPointToStart(kernel.addEntryBlock());
  for (auto [argument, input] :
       llvm::zip(kernel.getArguments(), request.inputs()))
    argument.setLoc(input.getLoc());
  kernel.getArguments().back().setLoc(chain.last().result.getLoc());
  SmallVector<Value> tensors;
  for (BlockArgument argument : kernel.getArguments().drop_back())
    tensors.push_back(bufferization::ToTensorOp::create(
        builder, argument.getLoc(),
        memref::getTensorTypeFromMemRefType(argument.getType()), argument,
        /*restrict=*/true));
  // An intermediate has the type of the weight that it meets.
  Value value = tensors.front();
  for (auto [i, product] : llvm::enumerate(chain.products)) {
    bool isLast = i + 1 == chain.products.size();
    Type type = isLast
                    ? getElementTypeOrSelf(arguments.back())
                    : getFloatType(builder.getContext(), product.operandType);
    value =
        emitProduct(builder, product, value, i == 0 && product.lhsTransposed,
                    tensors[i + 1], isLast && request.resultTransposed, type);
  }
  bufferization::MaterializeInDestinationOp::create(
      builder, chain.last().result.getLoc(), Type(), value,
      kernel.getArguments().back(), /*restrict=*/true, /*writable=*/true);
  func::ReturnOp::create(builder, loc);
  return kernel;
}

bool mlir::trn::roundsAlike(func::FuncOp kernel, const KernelRequest &request,
                            bool allowRounding) {
  const Product &last = request.chain.last();
  SmallVector<Value> inputs = request.inputs();
  bufferization::MaterializeInDestinationOp store;
  kernel.walk(
      [&](bufferization::MaterializeInDestinationOp op) { store = op; });
  SmallVector<Value> arguments(kernel.getArguments().drop_back());
  auto difference =
      compareRoundings({last.result, inputs}, {store.getSource(), arguments});
  if (!difference)
    return true;
  if (!difference->rounding) {
    remarkLeftAlone(last, "a kernel would compute it from other values");
    return false;
  }
  const Rounding &rounding = *difference->rounding;
  if (difference->kind == RoundingDifference::Added && allowRounding) {
    emitRemark(rounding.loc, "kernel rounds to ")
        << rounding.what << ", where the source does not (allow-rounding)";
    return true;
  }
  bool added = difference->kind == RoundingDifference::Added;
  InFlightDiagnostic remark =
      last.contraction->emitRemark("product left on the host: ");
  remark << (added ? "a kernel would round to " : "it rounds to ")
         << rounding.what
         << (added ? ", where the source does not"
                   : ", where a kernel would not");
  remark.attachNote(rounding.loc) << "rounded here";
  return false;
}
