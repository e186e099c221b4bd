//===- HeadMatcher.cpp - Columns as heads ---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Normalize/HeadMatcher.h"

#include "NormalizeSteps.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Machine/Machine.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"

#include <numeric>

using namespace mlir;
using namespace mlir::trn;

static constexpr int64_t headsFirst[] = {1, 0, 2};

std::optional<MovedHeads> mlir::trn::matchHeads(Operation *op) {
  auto transpose = dyn_cast_if_present<linalg::TransposeOp>(op);
  auto apart = transpose
                   ? transpose.getInput().getDefiningOp<tensor::ExpandShapeOp>()
                   : tensor::ExpandShapeOp();
  if (!apart || transpose->getNumResults() != 1 ||
      transpose.getPermutation() != ArrayRef(headsFirst))
    return std::nullopt;
  RankedTensorType type = apart.getResultType();
  SmallVector<ReassociationIndices> groups = apart.getReassociationIndices();
  if (groups.size() != 2 || groups[0].size() != 1 || !type.hasStaticShape() ||
      type.getDimSize(0) < 2 || type.getDimSize(1) < 2 ||
      type.getDimSize(2) < 1)
    return std::nullopt;
  return MovedHeads{apart, transpose};
}

/// The sizes of `shape` that are not one.
static SmallVector<int64_t> dropUnits(ArrayRef<int64_t> shape) {
  return llvm::to_vector(
      llvm::make_filter_range(shape, [](int64_t size) { return size != 1; }));
}

/// The rows of a linalg op, or of one that will be one, that `op` takes apart,
/// if nothing else reads them.
static Value findRows(linalg::TransposeOp op) {
  Value source = op.getInput();
  bool isOnlyRead = true;
  while (isReshape(source.getDefiningOp())) {
    source = source.getDefiningOp()->getOperand(0);
    isOnlyRead &= source.hasOneUse();
  }
  Operation *maker = source.getDefiningOp();
  bool isComputed =
      maker && (isa<linalg::LinalgOp>(maker) || isElementwise(maker));
  return isOnlyRead && isComputed ? source : Value();
}

bool mlir::trn::fitsBlocks(int64_t columns, const Machine &machine) {
  // Blocks have whole tiles, too, and more than a few leave no choice.
  const int64_t most = 2 * machine.movingFreeMax;
  return columns > 0 && columns <= most &&
         std::lcm(columns, machine.partitions) <= most;
}

bool mlir::trn::movesHeads(linalg::TransposeOp op, const Machine &machine) {
  Value source = findRows(op);
  auto rows = source ? dyn_cast<RankedTensorType>(source.getType())
                     : RankedTensorType();
  if (!rows || !rows.hasStaticShape() || op.hasDynamicShape())
    return false;
  ArrayRef<int64_t> shape = op.getInput().getType().getShape();
  SmallVector<int64_t> order = llvm::to_vector(llvm::make_filter_range(
      op.getPermutation(), [&](int64_t dim) { return shape[dim] != 1; }));
  if (order.size() != 3 || order[1] > order[0] || order[0] > order[2])
    return false;
  int64_t columns = shape[order[2]];
  return fitsBlocks(columns, machine) &&
         dropUnits(rows.getShape()) ==
             SmallVector<int64_t>{shape[order[1]], shape[order[0]] * columns};
}

void mlir::trn::arrangeHeads(func::FuncOp func) {
  FailureOr<Machine> machine = getMachine(func);
  SmallVector<linalg::TransposeOp> all;
  func.walk([&](linalg::TransposeOp op) { all.push_back(op); });
  for (linalg::TransposeOp op : all) {
    if (failed(machine) || !op.hasPureTensorSemantics() || matchHeads(op) ||
        !movesHeads(op, *machine))
      continue;
    Value rows = findRows(op);
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (cast<RankedTensorType>(rows.getType()).getRank() != 2)
      continue;
    OpBuilder builder(op);
    Value heads = emitHeads(builder, op.getLoc(), rows, type.getShape().back());
    op->replaceAllUsesWith(
        ValueRange{reshape(builder, op.getLoc(), heads, type)});
    op->erase();
  }
}

Value mlir::trn::emitHeads(OpBuilder &builder, Location loc, Value rows,
                           int64_t columns) {
  auto type = cast<RankedTensorType>(rows.getType());
  SmallVector<int64_t> shape{type.getDimSize(0), type.getDimSize(1) / columns,
                             columns};
  Value apart = tensor::ExpandShapeOp::create(
      builder, loc, type.clone(shape), rows,
      ArrayRef<ReassociationIndices>{{0}, {1, 2}});
  return emitTranspose(builder, loc, apart, headsFirst);
}
