//===- CoreIndex.cpp - Code that asks which core runs it ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Analysis/CoreIndex.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"

using namespace mlir;
using namespace mlir::trn;

bool mlir::trn::asksForCore(Operation *op) {
  return isa<shard::ProcessLinearIndexOp, shard::ProcessMultiIndexOp,
             shard::GridShapeOp>(op);
}

/// The axis of the grid that `result` is about: all of them without `axes`.
static size_t findAxis(OpResult result, ArrayRef<shard::GridAxis> axes) {
  const unsigned number = result.getResultNumber();
  return axes.empty() ? number : axes[number];
}

std::optional<int64_t> mlir::trn::evaluateOnCore(OpResult result,
                                                 int64_t core) {
  Operation *op = result.getOwner();
  if (!asksForCore(op))
    return std::nullopt;
  auto grid = SymbolTable::lookupNearestSymbolFrom<shard::GridOp>(
      op, op->getAttrOfType<FlatSymbolRefAttr>("grid"));
  // Unknown sizes are negative.
  if (!grid ||
      llvm::any_of(grid.getShape(), [](int64_t size) { return size <= 0; }))
    return std::nullopt;
  ArrayRef<int64_t> shape = grid.getShape();
  if (auto sizes = dyn_cast<shard::GridShapeOp>(op))
    return shape[findAxis(result, sizes.getAxes())];
  auto multi = dyn_cast<shard::ProcessMultiIndexOp>(op);
  if (!multi)
    return core;
  // The last axis counts fastest.
  const size_t axis = findAxis(result, multi.getAxes());
  const int64_t behind = ShapedType::getNumElements(shape.drop_front(axis + 1));
  return core / behind % shape[axis];
}
