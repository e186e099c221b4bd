//===- PlaceReshapes.cpp - Where reshapes stand ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlaceReshapes.h"

#include "KernelRegion.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

/// What of `block` reads `op` first.
static Operation *findFirstReader(Operation &op, Block &block) {
  Operation *first = nullptr;
  for (Operation *user : op.getUsers()) {
    Operation *reader = block.findAncestorOpInBlock(*user);
    if (!first || reader->isBeforeInBlock(first))
      first = reader;
  }
  return first;
}

void mlir::trn::placeReshapes(func::FuncOp func) {
  func.walk([](Block *block) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block))) {
      if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
        continue;
      auto source = op.getOperand(0).getDefiningOp<linalg::LinalgOp>();
      if (!source)
        continue;
      bool isHost =
          isa<linalg::GenericOp>(source) && !findRegionObstacle(source).empty();
      if (isHost && source->getBlock() == block)
        op.moveAfter(source);
      else if (Operation *reader = findFirstReader(op, *block))
        op.moveBefore(reader);
    }
  });
}
