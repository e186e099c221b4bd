//===- ReadNumbers.cpp - Numbers instead of tensors of them ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadNumbers.h"

#include "RewriteOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

/// The number that all elements of `tensor` are, if they are one, for `op`.
static Value findNumber(Value tensor, Operation *op) {
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    return fill.getInputs()[0].getType() == getElementTypeOrSelf(tensor)
               ? fill.getInputs()[0]
               : Value();
  SplatElementsAttr splat;
  if (!matchPattern(tensor, m_Constant(&splat)))
    return {};
  OpBuilder builder(op);
  return arith::ConstantOp::create(
      builder, tensor.getLoc(),
      cast<TypedAttr>(splat.getSplatValue<Attribute>()));
}

void mlir::trn::readFills(func::FuncOp func, ArrayRef<Operation *> ops) {
  for (Operation *op : ops) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic)
      continue;
    for (OpOperand *operand : generic.getDpsInputOperands()) {
      Value argument = generic.getMatchingBlockArgument(operand);
      if (argument.use_empty())
        continue;
      if (Value number = findNumber(operand->get(), op))
        argument.replaceAllUsesWith(number);
    }
  }
  RewritePatternSet patterns(func.getContext());
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps)
      .enableConstantCSE(false)
      .enableFolding(false);
  (void)rewriteOps(func, ops, std::move(patterns), config);
}

/// `scalar` as a vector of one element.
static Value toVector(OpBuilder &builder, Value scalar) {
  Location loc = scalar.getLoc();
  if (auto extract = scalar.getDefiningOp<tensor::ExtractOp>();
      extract && extract.getIndices().empty())
    scalar = extract.getTensor();
  auto type = dyn_cast<RankedTensorType>(scalar.getType());
  if (!type)
    return tensor::FromElementsOp::create(builder, loc, scalar);
  return tensor::ExpandShapeOp::create(builder, loc, type.clone({1}), scalar,
                                       ArrayRef<ReassociationIndices>());
}

/// Lets `generic` read `scalars`, which its body uses, as vectors.
static void readScalars(linalg::GenericOp generic, ArrayRef<Value> scalars) {
  OpBuilder builder(generic);
  AffineMap one = AffineMap::get(generic.getNumLoops(), 0,
                                 builder.getAffineConstantExpr(0));
  SmallVector<Value> inputs = generic.getDpsInputs();
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  Block &body = *generic.getBody();
  for (Value scalar : scalars) {
    BlockArgument argument =
        body.insertArgument(inputs.size(), scalar.getType(), scalar.getLoc());
    scalar.replaceUsesWithIf(argument, [&](OpOperand &use) {
      return use.getOwner()->getBlock() == &body;
    });
    maps.insert(maps.begin() + inputs.size(), one);
    inputs.push_back(toVector(builder, scalar));
  }
  generic.getInputsMutable().assign(inputs);
  generic.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
}

void mlir::trn::expandScalars(ArrayRef<Operation *> ops) {
  for (Operation *op : ops) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic || generic.getNumLoops() == 0)
      continue;
    OpBuilder builder(op);
    SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
    for (OpOperand *operand : generic.getDpsInputOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand->get().getType());
      if (!type || type.getRank() != 0 || type.getEncoding())
        continue;
      operand->set(toVector(builder, operand->get()));
      AffineExpr zero = builder.getAffineConstantExpr(0);
      maps[operand->getOperandNumber()] =
          AffineMap::get(generic.getNumLoops(), 0, zero);
    }
    generic.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(generic.getRegion(), captured);
    captured.remove_if([](Value value) {
      return !isa<FloatType>(value.getType()) ||
             matchPattern(value, m_Constant());
    });
    readScalars(generic, captured.getArrayRef());
  }
}
