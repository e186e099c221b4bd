//===- Overwritten.cpp - Ranges that are written over ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Overwritten.h"

#include "trn/Transforms/Normalize/EmitLinalg.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::trn;

std::optional<Overwritten> mlir::trn::matchOverwritten(Operation *op) {
  auto insert = dyn_cast<tensor::InsertSliceOp>(op);
  if (!insert)
    return std::nullopt;
  RankedTensorType type = insert.getDestType();
  if (!type.hasStaticShape() || type.getEncoding() ||
      !insert.getSourceType().hasStaticShape() ||
      insert.getSourceType().getRank() != type.getRank() ||
      !insert.hasUnitStride() ||
      isa_and_nonnull<tensor::EmptyOp, tensor::InsertSliceOp>(
          insert.getDest().getDefiningOp()))
    return std::nullopt;
  std::optional<int64_t> dim;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (insert.getSourceType().getDimSize(i) != type.getDimSize(i)) {
      if (dim)
        return std::nullopt;
      dim = i;
    }
  if (!dim || insert.getSourceType().getDimSize(*dim) == 0)
    return std::nullopt;
  return Overwritten{insert.getDest(), insert.getSource(), *dim,
                     insert.getSourceType().getDimSize(*dim),
                     insert.getMixedOffsets()[*dim]};
}

/// Whether both are computed alike, as where each insertion has its own index.
static bool areSame(Value one, Value other) {
  Operation *left = one.getDefiningOp(), *right = other.getDefiningOp();
  if (one == other)
    return true;
  return left && right && left->getName() == right->getName() &&
         left->getAttrDictionary() == right->getAttrDictionary() &&
         left->getNumRegions() == 0 && left->getNumResults() == 1 &&
         one.getType() == other.getType() && isMemoryEffectFree(left) &&
         left->getNumOperands() == right->getNumOperands() &&
         llvm::all_of_zip(left->getOperands(), right->getOperands(), areSame);
}

bool mlir::trn::areSameIndices(const Overwritten &one,
                               const Overwritten &other) {
  if (one.size != other.size ||
      cast<RankedTensorType>(one.base.getType()).getDimSize(one.dim) !=
          cast<RankedTensorType>(other.base.getType()).getDimSize(other.dim))
    return false;
  if (isEqualConstantIntOrValue(one.offset, other.offset))
    return true;
  auto left = dyn_cast<Value>(one.offset),
       right = dyn_cast<Value>(other.offset);
  return left && right && areSame(left, right);
}

Value mlir::trn::emitIndices(OpBuilder &builder, Value tensor, int64_t dim,
                             OpFoldResult offset, int64_t size) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      strides(type.getRank(), builder.getIndexAttr(1)),
      sizes = getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  offsets[dim] = offset;
  sizes[dim] = builder.getIndexAttr(size);
  return tensor::ExtractSliceOp::create(builder, tensor.getLoc(), tensor,
                                        offsets, sizes, strides);
}

bool mlir::trn::hasInfinities(Value tensor) {
  Type element = getElementTypeOrSelf(tensor);
  return element.isF32() || element.isF16() || element.isBF16();
}

/// A vector of minus infinity where indices are written over, and infinity
/// elsewhere.
static Value emitMask(OpBuilder &builder, Location loc,
                      const Overwritten &overwritten, Type element) {
  int64_t size = cast<RankedTensorType>(overwritten.base.getType())
                     .getDimSize(overwritten.dim);
  // The smallest type that holds them.
  Type narrow = element.isF32() ? builder.getBF16Type() : element;
  Value empty = tensor::EmptyOp::create(builder, loc, {size}, narrow);
  Value offset =
      getValueOrCreateConstantIndexOp(builder, loc, overwritten.offset);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), ValueRange(), empty,
             builder.getMultiDimIdentityMap(1), utils::IteratorType::parallel,
             [&](OpBuilder &nested, Location loc, ValueRange) {
               Value index = linalg::IndexOp::create(nested, loc, 0);
               Value behind = arith::SubIOp::create(nested, loc, index, offset);
               // An index in front of the offset is a large number.
               Value width = arith::ConstantIndexOp::create(nested, loc,
                                                            overwritten.size);
               Value isHidden = arith::CmpIOp::create(
                   nested, loc, arith::CmpIPredicate::ult, behind, width);
               auto number = [&](bool isNegative) -> Value {
                 return arith::ConstantOp::create(
                     nested, loc,
                     FloatAttr::get(
                         narrow,
                         APFloat::getInf(
                             cast<FloatType>(narrow).getFloatSemantics(),
                             isNegative)));
               };
               linalg::YieldOp::create(
                   nested, loc,
                   arith::SelectOp::create(nested, loc, isHidden, number(true),
                                           number(false))
                       .getResult());
             })
      .getResult(0);
}

Value mlir::trn::emitHidden(OpBuilder &builder, const Overwritten &overwritten,
                            Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Location loc = tensor.getLoc();
  Value mask = emitMask(builder, loc, overwritten, type.getElementType());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  AffineMap ofDim =
      AffineMap::get(type.getRank(), 0, builder.getAffineDimExpr(dim));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, type, ValueRange{tensor, mask}, empty,
             {identity, ofDim, identity}, iterators,
             [&](OpBuilder &nested, Location loc, ValueRange values) {
               Value limit = values[1];
               if (limit.getType() != type.getElementType())
                 limit = arith::ExtFOp::create(nested, loc,
                                               type.getElementType(), limit);
               linalg::YieldOp::create(
                   nested, loc,
                   arith::MinimumFOp::create(nested, loc, values[0], limit)
                       .getResult());
             })
      .getResult(0);
}

Hidden mlir::trn::findHidden(Value scalar, linalg::LinalgOp op,
                             llvm::function_ref<Hidden(OpOperand &)> stateOf) {
  if (auto argument = dyn_cast<BlockArgument>(scalar))
    return argument.getOwner() == op.getBlock()
               ? stateOf(*op.getMatchingOpOperand(argument))
               : Hidden::Any;
  Operation *inner = scalar.getDefiningOp();
  if (inner->getBlock() != op.getBlock() || inner->getNumOperands() == 0)
    return Hidden::Any;
  SmallVector<Hidden, 3> states;
  for (Value operand : inner->getOperands())
    states.push_back(findHidden(operand, op, stateOf));
  if (isa<arith::ExtFOp, arith::TruncFOp>(inner))
    return states[0];
  if (isa<math::ExpOp, math::Exp2Op>(inner))
    return states[0] == Hidden::MinusInfinity ? Hidden::Zero : Hidden::Any;
  if (isa<arith::MinimumFOp, arith::MinNumFOp>(inner))
    return llvm::is_contained(states, Hidden::MinusInfinity)
               ? Hidden::MinusInfinity
               : Hidden::Any;
  if (isa<arith::AddFOp>(inner))
    return llvm::is_contained(states, Hidden::MinusInfinity)
               ? Hidden::MinusInfinity
               : Hidden::Any;
  if (isa<arith::SubFOp>(inner))
    return states[0] == Hidden::MinusInfinity && states[1] == Hidden::Any
               ? Hidden::MinusInfinity
               : Hidden::Any;
  // A finite factor or divisor leaves zeros, a positive one infinity, too.
  auto scaled = [&](unsigned number, unsigned by) {
    FloatAttr factor;
    bool isPositive =
        matchPattern(inner->getOperand(by), m_Constant(&factor)) &&
        factor.getValue().isFiniteNonZero() && !factor.getValue().isNegative();
    bool isKept = states[number] == Hidden::Zero || isPositive;
    return isKept && states[by] == Hidden::Any ? states[number] : Hidden::Any;
  };
  if (isa<arith::MulFOp>(inner))
    return states[0] == Hidden::Any ? scaled(1, 0) : scaled(0, 1);
  if (isa<arith::DivFOp>(inner))
    return scaled(0, 1);
  return Hidden::Any;
}
