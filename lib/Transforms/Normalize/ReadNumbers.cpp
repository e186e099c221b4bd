//===- ReadNumbers.cpp - Numbers instead of tensors of them ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadNumbers.h"

#include "NormalizeSteps.h"
#include "RewriteOps.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Transforms/Normalize/LoadedValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
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

/// Lets `generic` read what is one column of a matrix, and has lost the
/// dimension of it, as a matrix of one column: kernels read that in place, if
/// they have as many loops.
static void readColumn(linalg::GenericOp generic, OpOperand &operand) {
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  Value source = operand.get();
  if (auto collapse = source.getDefiningOp<tensor::CollapseShapeOp>())
    source = collapse.getSrc();
  auto slice = source.getDefiningOp<tensor::ExtractSliceOp>();
  AffineMap map = generic.getMatchingIndexingMap(&operand);
  if (!type || type.getRank() != 1 || type.isDynamicDim(0) || !slice ||
      generic.getNumLoops() < 2 || !slice.getOffsets().empty() ||
      !slice.hasUnitStride() || slice.getSourceType().getRank() != 2 ||
      slice.getStaticSizes()[1] != 1 ||
      slice.getStaticSizes()[0] != type.getDimSize(0))
    return;
  OpBuilder builder(slice);
  auto column = tensor::ExtractSliceOp::create(
      builder, slice.getLoc(), slice.getSource(), slice.getMixedOffsets(),
      slice.getMixedSizes(), slice.getMixedStrides());
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  maps[operand.getOperandNumber()] =
      map.insertResult(getAffineConstantExpr(0, map.getContext()), /*pos=*/1);
  operand.set(column);
  generic.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
}

static bool isScalar(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 0 && !type.getEncoding();
}

/// Whether kernels can compute `op`, of numbers or of tensors.
static bool isOfFloats(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp, arith::ExtFOp,
             arith::TruncFOp, math::ExpOp, math::Exp2Op, math::LogOp,
             math::Log2Op, math::TanhOp, math::SqrtOp, math::RsqrtOp,
             math::AbsFOp>(op) &&
         llvm::all_of(op->getOperands(), [](Value operand) {
           return getFloatElementType(getElementTypeOrSelf(operand)) ||
                  matchPattern(operand, m_Constant());
         });
}

/// What `op`, of tensors without dimensions, computes of `scalars`.
static Value computeScalar(OpBuilder &builder, Operation *op,
                           ValueRange scalars) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic) {
    OperationState state(op->getLoc(), op->getName().getIdentifier(), scalars,
                         getElementTypeOrSelf(op->getResult(0)),
                         op->getAttrs());
    return builder.create(state)->getResult(0);
  }
  IRMapping mapping;
  mapping.map(generic.getRegionInputArgs(), scalars);
  for (Operation &inner : generic.getBody()->without_terminator())
    builder.clone(inner, mapping);
  return mapping.lookupOrDefault(
      generic.getBody()->getTerminator()->getOperand(0));
}

/// Lets `generic` compute what it reads as `operand`, if that is a scalar that
/// is computed of others in each run, rather than the host.
static bool computeOperand(linalg::GenericOp generic, OpOperand &operand,
                           LoadedValues &loaded) {
  Operation *op = operand.get().getDefiningOp();
  if (!op || !isScalar(operand.get()) || op->getNumResults() != 1 ||
      loaded.contains(operand.get()))
    return false;
  SmallVector<Value> read(op->getOperands());
  auto producer = dyn_cast<linalg::GenericOp>(op);
  if (producer)
    read = producer.getDpsInputs();
  bool isComputed =
      producer ? isElementwise(op) &&
                     llvm::all_of(producer.getBody()->without_terminator(),
                                  [](Operation &op) { return isOfFloats(&op); })
               : isOfFloats(op);
  if (!isComputed || !llvm::all_of(read, isScalar) ||
      (producer &&
       producer.payloadUsesValueFromOperand(producer.getDpsInitOperand(0))))
    return false;
  Block &body = *generic.getBody();
  SmallVector<Value> inputs = generic.getDpsInputs();
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  AffineMap none = AffineMap::get(generic.getNumLoops(), 0, op->getContext());
  SmallVector<Value> scalars;
  for (Value value : read) {
    scalars.push_back(body.insertArgument(
        inputs.size(), getElementTypeOrSelf(value), op->getLoc()));
    maps.insert(maps.begin() + inputs.size(), none);
    inputs.push_back(value);
  }
  unsigned number = operand.getOperandNumber();
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToStart(&body);
  body.getArgument(number).replaceAllUsesWith(
      computeScalar(builder, op, scalars));
  body.eraseArgument(number);
  inputs.erase(inputs.begin() + number);
  maps.erase(maps.begin() + number);
  generic.getInputsMutable().assign(inputs);
  generic.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
  return true;
}

/// The same of a number that its body uses.
static bool computeCaptured(linalg::GenericOp generic, LoadedValues &loaded) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(generic.getRegion(), captured);
  for (Value value : captured) {
    Operation *op = value.getDefiningOp();
    if (!op || !isa<FloatType>(value.getType()) || !isOfFloats(op) ||
        loaded.contains(value))
      continue;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointToStart(generic.getBody());
    Value copy = builder.clone(*op)->getResult(0);
    value.replaceUsesWithIf(copy, [&](OpOperand &use) {
      return use.getOwner()->getBlock() == generic.getBody();
    });
    return true;
  }
  return false;
}

void mlir::trn::expandScalars(ArrayRef<Operation *> ops) {
  LoadedValues loaded;
  for (Operation *op : ops) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic || generic.getNumLoops() == 0 ||
        !generic.hasPureTensorSemantics())
      continue;
    auto computeOne = [&] {
      return computeCaptured(generic, loaded) ||
             llvm::any_of(generic->getOpOperands(), [&](OpOperand &operand) {
               return generic.isDpsInput(&operand) &&
                      computeOperand(generic, operand, loaded);
             });
    };
    while (computeOne())
      ;
    for (OpOperand *operand : generic.getDpsInputOperands())
      readColumn(generic, *operand);
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
