//===- RotationMatcher.cpp - Columns that change places -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Normalize/RotationMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::trn;

/// Where `column` comes from: the other one of its pair.
static AffineExpr rotateColumns(AffineExpr column, int64_t by) {
  return column.floorDiv(2 * by) * (2 * by) + (column + by) % (2 * by);
}

AffineExpr mlir::trn::repeatColumns(AffineExpr column, int64_t size) {
  return column % size;
}

bool mlir::trn::repeatsColumns(AffineMap map, ArrayRef<int64_t> shape) {
  if (map.getNumResults() == 0)
    return false;
  AffineMap others = map.dropResult(map.getNumResults() - 1);
  auto column = dyn_cast<AffineBinaryOpExpr>(map.getResults().back());
  return column && others.isProjectedPermutation() &&
         isa<AffineDimExpr>(column.getLHS()) &&
         column == repeatColumns(column.getLHS(), shape.back()) &&
         !others.isFunctionOfDim(
             cast<AffineDimExpr>(column.getLHS()).getPosition());
}

Value mlir::trn::emitRotation(OpBuilder &builder, Location loc, Value rows,
                              int64_t by) {
  auto type = cast<RankedTensorType>(rows.getType());
  MLIRContext *context = builder.getContext();
  AffineExpr row = getAffineDimExpr(0, context),
             column = getAffineDimExpr(1, context);
  auto identity = AffineMap::getMultiDimIdentityMap(2, context);
  auto source = AffineMap::get(2, 0, {row, rotateColumns(column, by)}, context);
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  SmallVector<utils::IteratorType> loops(2, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, type, rows, empty, {source, identity}, loops,
             [by](OpBuilder &nested, Location loc, ValueRange values) {
               auto constant = [&](int64_t number) -> Value {
                 return arith::ConstantIndexOp::create(nested, loc, number);
               };
               Value column = linalg::IndexOp::create(nested, loc, 1);
               Value place = arith::RemUIOp::create(nested, loc, column,
                                                    constant(2 * by));
               Value isLeft = arith::CmpIOp::create(
                   nested, loc, arith::CmpIPredicate::ult, place, constant(by));
               Value negated =
                   arith::NegFOp::create(nested, loc, values.front());
               Value rotated = arith::SelectOp::create(nested, loc, isLeft,
                                                       negated, values.front());
               linalg::YieldOp::create(nested, loc, rotated);
             })
      .getResult(0);
}

/// Whether `value` is the constant index `number`.
static bool isIndex(Value value, int64_t number) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) && constant == number;
}

/// Whether `yielded` is -`read` in the left half of columns of the second loop,
/// and `read` in the right one.
static bool negatesLeft(Value yielded, Value read, int64_t by) {
  auto select = yielded.getDefiningOp<arith::SelectOp>();
  auto negated = select ? select.getTrueValue().getDefiningOp<arith::NegFOp>()
                        : arith::NegFOp();
  auto isLeft = select ? select.getCondition().getDefiningOp<arith::CmpIOp>()
                       : arith::CmpIOp();
  if (!negated || negated.getOperand() != read ||
      select.getFalseValue() != read || !isLeft ||
      isLeft.getPredicate() != arith::CmpIPredicate::ult ||
      !isIndex(isLeft.getRhs(), by))
    return false;
  auto place = isLeft.getLhs().getDefiningOp<arith::RemUIOp>();
  auto column = place ? place.getLhs().getDefiningOp<linalg::IndexOp>()
                      : linalg::IndexOp();
  return column && column.getDim() == 1 && isIndex(place.getRhs(), 2 * by);
}

std::optional<int64_t> mlir::trn::matchRotation(Operation *op) {
  auto generic = dyn_cast_if_present<linalg::GenericOp>(op);
  if (!generic || !generic.hasPureTensorSemantics() ||
      !generic.isSingleInputOutput() || generic.getNumLoops() != 2 ||
      !generic.isAllParallelLoops() || !generic.hasIndexSemantics())
    return std::nullopt;
  auto [source, result] = std::pair(generic.getIndexingMapsArray()[0],
                                    generic.getIndexingMapsArray()[1]);
  AffineExpr row = getAffineDimExpr(0, op->getContext()),
             column = getAffineDimExpr(1, op->getContext());
  if (!result.isIdentity() || source.getNumResults() != 2 ||
      source.getResult(0) != row)
    return std::nullopt;
  // The first column comes from the one that is so far away.
  auto first = simplifyAffineExpr(
      source.getResult(1).replace(column,
                                  getAffineConstantExpr(0, op->getContext())),
      2, 0);
  auto by = dyn_cast<AffineConstantExpr>(first);
  if (!by || by.getValue() < 1 ||
      source.getResult(1) != rotateColumns(column, by.getValue()) ||
      !negatesLeft(generic.getBody()->getTerminator()->getOperand(0),
                   generic.getBody()->getArgument(0), by.getValue()))
    return std::nullopt;
  return by.getValue();
}
