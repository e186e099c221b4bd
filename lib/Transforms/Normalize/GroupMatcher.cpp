//===- GroupMatcher.cpp - Reductions of groups of columns -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Normalize/GroupMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::trn;

static constexpr utils::IteratorType iterators[] = {
    utils::IteratorType::parallel, utils::IteratorType::parallel,
    utils::IteratorType::reduction};

/// Where a column of a group lies in a row: the loops are the row, the group
/// and the column.
static AffineMap mapOfRows(int64_t size, MLIRContext *context) {
  AffineExpr row, group, column;
  bindDims(context, row, group, column);
  return AffineMap::get(3, 0, {row, group * size + column}, context);
}

static AffineMap mapOfWindow(MLIRContext *context) {
  return AffineMap::get(3, 0, getAffineDimExpr(2, context));
}

Value mlir::trn::emitGroupReduction(OpBuilder &builder, linalg::GenericOp op,
                                    ValueRange inputs) {
  MLIRContext *context = builder.getContext();
  Value init = op.getDpsInits()[0];
  auto type = cast<RankedTensorType>(init.getType());
  int64_t size =
      cast<RankedTensorType>(inputs.front().getType()).getDimSize(1) /
      type.getDimSize(1);
  auto window = RankedTensorType::get(size, builder.getF32Type());
  SmallVector<Value> operands(inputs);
  operands.push_back(arith::ConstantOp::create(builder, op.getLoc(),
                                               builder.getZeroAttr(window)));
  SmallVector<AffineMap> maps(inputs.size(), mapOfRows(size, context));
  maps.push_back(mapOfWindow(context));
  maps.push_back(AffineMap::getMultiDimIdentityMap(3, context).dropResult(2));
  auto created = linalg::GenericOp::create(builder, op.getLoc(), type, operands,
                                           init, maps, iterators);
  builder.cloneRegionBefore(op.getRegion(), created.getRegion(),
                            created.getRegion().begin());
  created.getBody()->insertArgument(inputs.size(), window.getElementType(),
                                    op.getLoc());
  return created.getResult(0);
}

std::optional<int64_t> mlir::trn::matchGroupReduction(Operation *op) {
  auto generic = dyn_cast_if_present<linalg::GenericOp>(op);
  if (!generic || !generic.hasPureTensorSemantics() ||
      generic.getNumDpsInputs() < 2 || generic.getNumDpsInits() != 1 ||
      !llvm::equal(generic.getIteratorTypesArray(), iterators))
    return std::nullopt;
  MLIRContext *context = op->getContext();
  Value window = generic.getDpsInputs().back();
  auto type = dyn_cast<RankedTensorType>(window.getType());
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  AffineMap ofResult = maps.pop_back_val(), ofWindow = maps.pop_back_val();
  bool isGroups =
      type && type.hasStaticShape() && matchPattern(window, m_Constant()) &&
      ofWindow == mapOfWindow(context) &&
      ofResult == AffineMap::getMultiDimIdentityMap(3, context).dropResult(2) &&
      generic.getBody()->getArgument(maps.size()).use_empty() &&
      llvm::all_equal(maps) &&
      maps.front() == mapOfRows(type.getDimSize(0), context) &&
      matchReduction(generic);
  return isGroups ? std::optional(type.getDimSize(0)) : std::nullopt;
}

AffineExpr mlir::trn::groupOfColumn(AffineExpr column, int64_t size) {
  return column.floorDiv(size);
}

std::optional<int64_t> mlir::trn::sizeOfGroups(AffineMap map) {
  if (map.getNumDims() != 2 || map.getNumResults() != 2 ||
      map.getResult(0) != getAffineDimExpr(0, map.getContext()))
    return std::nullopt;
  auto group = dyn_cast<AffineBinaryOpExpr>(map.getResult(1));
  auto size = group ? dyn_cast<AffineConstantExpr>(group.getRHS())
                    : AffineConstantExpr();
  bool isGroup = size && group.getKind() == AffineExprKind::FloorDiv &&
                 group.getLHS() == getAffineDimExpr(1, map.getContext());
  return isGroup ? std::optional(size.getValue()) : std::nullopt;
}
