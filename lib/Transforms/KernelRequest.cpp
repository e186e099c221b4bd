//===- KernelRequest.cpp - What becomes one kernel ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRequest.h"

#include "BuildStages.h"
#include "trn/Analysis/Roundings.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Transforms/ChooseStrategy.h"
#include "trn/Transforms/Schedule.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

/// Emits `product` as it was found, but with f32 accumulation and an explicit
/// eviction, on the kernel's own tensors.
static Value emitProduct(OpBuilder &builder, const Product &product, Value lhs,
                         bool lhsTransposed, Value rhs, bool resultTransposed,
                         Type type) {
  Location loc = product.contraction->getLoc();
  Value result = buildProduct(
      builder, {loc, product.result.getLoc()}, lhs,
      lhsTransposed ? LhsLayout::ContractionFirst : LhsLayout::Rows, rhs, type);
  if (!resultTransposed)
    return result;
  Value empty = tensor::EmptyOp::create(
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

/// The arguments of the kernel for `request`: X, U, (V,) and the result.
static SmallVector<Type> getArgumentTypes(Builder &builder,
                                          const KernelRequest &request) {
  const Product &first = request.chain.first, &last = request.chain.last();
  SmallVector<Type> types{
      getBufferType(builder, first.m, first.k, first.lhsTransposed,
                    first.operandType),
      getBufferType(builder, first.k, first.n, false, first.operandType)};
  if (request.chain.second)
    types.push_back(
        getBufferType(builder, last.k, last.n, false, last.operandType));
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
  Schedule schedule;
  schedule.strategy = request.strategy;
  schedule.transpose = request.transpose;
  schedule.inputTransposed = chain.first.lhsTransposed;
  schedule.outputTransposed = request.resultTransposed;
  schedule.half = request.half;
  writeSchedule(kernel, schedule);
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
  Type type = getElementTypeOrSelf(arguments.back());
  Type intermediate =
      chain.second ? getFloatType(builder.getContext(), chain.first.operandType)
                   : type;
  Value value = emitProduct(
      builder, chain.first, tensors[0], chain.first.lhsTransposed, tensors[1],
      !chain.second && request.resultTransposed, intermediate);
  if (chain.second)
    value = emitProduct(builder, *chain.second, value, /*lhsTransposed=*/false,
                        tensors[2], request.resultTransposed, type);
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
