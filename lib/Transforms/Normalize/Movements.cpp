//===- Movements.cpp - Ops that only move elements -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Normalize/ReadThrough.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

std::optional<Movement> mlir::trn::matchMovement(Value value) {
  if (auto extend = value.getDefiningOp<arith::ExtFOp>())
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      return Movement{extend.getIn(), AffineMap::getMultiDimIdentityMap(
                                          type.getRank(), value.getContext())};
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || !op.hasPureTensorSemantics() || !op.isSingleInputOutput() ||
      !op.isAllParallelLoops())
    return std::nullopt;
  Value source = op.getDpsInputOperand(0)->get();
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  while (auto extend = yielded.getDefiningOp<arith::ExtFOp>())
    yielded = extend.getIn();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!isa<RankedTensorType>(source.getType()) ||
      yielded != op.getBlock()->getArgument(0) || !maps[1].isPermutation() ||
      !maps[0].isProjectedPermutation(/*allowZeroInResults=*/true))
    return std::nullopt;
  return Movement{source, maps[0].compose(inversePermutation(maps[1]))};
}

Type mlir::trn::getStoredType(Value value) {
  while (true) {
    Operation *op = value.getDefiningOp();
    if (auto movement = matchMovement(value))
      value = movement->source;
    else if (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
                 op))
      value = op->getOperand(0);
    else
      return getElementTypeOrSelf(value);
  }
}

std::optional<Movement> mlir::trn::matchUnits(Value value) {
  auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>();
  auto movement = matchMovement(collapse ? collapse.getSrc() : value);
  if (!collapse || !movement)
    return movement;
  MLIRContext *context = value.getContext();
  auto groups = collapse.getReassociationIndices();
  SmallVector<AffineExpr> exprs(collapse.getSrcType().getRank(),
                                getAffineConstantExpr(0, context));
  for (auto [i, group] : llvm::enumerate(groups)) {
    auto isLong = [&](int64_t dim) {
      return collapse.getSrcType().getDimSize(dim) != 1;
    };
    if (llvm::count_if(group, isLong) > 1)
      return std::nullopt;
    auto dim = llvm::find_if(group, isLong);
    exprs[dim == group.end() ? group.front() : *dim] =
        getAffineDimExpr(i, context);
  }
  auto dropped = AffineMap::get(groups.size(), 0, exprs, context);
  return Movement{movement->source, movement->map.compose(dropped)};
}

std::pair<Value, AffineMap> mlir::trn::dropZeros(OpBuilder &builder,
                                                 Value source, AffineMap map) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> exprs;
  ReassociationIndices pending;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    if (!isa<AffineConstantExpr>(expr)) {
      groups.push_back(std::move(pending));
      pending.clear();
      shape.push_back(type.getDimSize(i));
      exprs.push_back(expr);
    }
    (groups.empty() ? pending : groups.back()).push_back(i);
  }
  if (exprs.size() == map.getNumResults())
    return {source, map};
  return {tensor::CollapseShapeOp::create(builder, source.getLoc(),
                                          type.clone(shape), source, groups),
          AffineMap::get(map.getNumDims(), 0, exprs, builder.getContext())};
}
