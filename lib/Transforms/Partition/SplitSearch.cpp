//===- SplitSearch.cpp - Whether values could be split otherwise ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitSearch.h"

#include "SharedLoops.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

bool Splits::isFree(Operation *op, unsigned number) const {
  Value value = op->getOperand(number);
  if (!isa<RankedTensorType>(value.getType()) ||
      layouts.find(value)->second.isFlexible)
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.isDpsInit(&op->getOpOperand(number)) &&
         !linalgOp.payloadUsesValueFromOperand(&op->getOpOperand(number));
}

bool SplitSearch::canSplit(Value value, unsigned dim, Axes axes) {
  // Further back than this is not worth a look.
  constexpr size_t mostAnswers = 4096;
  auto key = std::make_tuple(value.getAsOpaquePointer(), dim, axes);
  if (auto it = answers.find(key); it != answers.end())
    return it->second;
  answers[key] = false;
  bool answer =
      answers.size() < mostAnswers && canSplitTensor(value, dim, axes);
  return answers[key] = answer;
}

bool SplitSearch::canSplitTensor(Value value, unsigned dim, Axes axes) {
  const Layout &layout = splits.layouts.find(value)->second;
  if (layout.isFlexible || layout.dims[dim] == axes)
    return true;
  int64_t size = cast<RankedTensorType>(value.getType()).getDimSize(dim);
  Axes others = layout.axes() & ~axesOf(layout.dims[dim]);
  if (layout.isPartial || layout.weight || !isWithin(layout.dims[dim], axes) ||
      (others & axes) || ShapedType::isDynamic(size) ||
      grid.isPadded(size, axes))
    return false;
  if (auto result = dyn_cast<OpResult>(value))
    return canSplitResult(result, dim, axes);
  // trn.shard says it of one dimension.
  if (others || !grid.isRun(axes))
    return false;
  found.push_back({value.getAsOpaquePointer(), dim, axes});
  return true;
}

bool SplitSearch::canSplitResult(OpResult result, unsigned dim, Axes axes) {
  Operation *op = result.getOwner();
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return canSplitSource(result, dim, axes);
  auto split = splits.loops.find(op);
  if (split == splits.loops.end())
    return false;
  SharedLoops shared = *SharedLoops::read(op);
  int loop = shared.results[result.getResultNumber()][dim];
  if (loop < 0 || !shared.loops[loop].isSplittable)
    return false;
  for (auto [other, taken] : llvm::enumerate(split->second))
    if (int(other) != loop && (axesOf(taken) & axes))
      return false;
  bool isRead = false;
  for (auto [number, value] : llvm::enumerate(op->getOperands())) {
    if (splits.isFree(op, number))
      continue;
    for (auto [position, other] : llvm::enumerate(shared.operands[number])) {
      if (other != loop)
        continue;
      isRead = true;
      if (!canSplit(value, position, axes))
        return false;
    }
  }
  if (!isRead)
    found.push_back({op, unsigned(loop), axes});
  return true;
}

/// Through a reshape, of which some dimensions may be split already.
bool SplitSearch::canSplitSource(OpResult reshaped, unsigned dim, Axes axes) {
  Operation *op = reshaped.getOwner();
  if (!splits.loops.contains(op))
    return false;
  Value source = op->getOperand(0);
  SmallVector<Axes, 4> wanted = splits.layouts.find(reshaped)->second.dims;
  wanted[dim] = axes;
  auto shapeOf = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getShape();
  };
  SmallVector<Axes, 4> dims;
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    for (auto [merged, group] :
         llvm::enumerate(collapse.getReassociationIndices())) {
      auto split =
          expandAxes(wanted[merged],
                     shapeOf(source).slice(group.front(), group.size()), grid);
      if (!split)
        return false;
      dims.append(*split);
    }
  } else {
    for (const ReassociationIndices &group :
         cast<tensor::ExpandShapeOp>(op).getReassociationIndices()) {
      auto merged = collapseAxes(
          ArrayRef<Axes>(wanted).slice(group.front(), group.size()),
          shapeOf(reshaped).slice(group.front(), group.size()), grid);
      if (!merged)
        return false;
      dims.push_back(*merged);
    }
  }
  for (auto [position, split] : llvm::enumerate(dims))
    if (!canSplit(source, position, split))
      return false;
  return true;
}
