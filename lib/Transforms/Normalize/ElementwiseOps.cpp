//===- ElementwiseOps.cpp - What surrounds products -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementwiseOps.h"

#include "NormalizeSteps.h"
#include "trn/Transforms/Normalize/LoadedValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

SmallVector<Operation *>
mlir::trn::findConsumers(ArrayRef<linalg::LinalgOp> products) {
  llvm::SetVector<Operation *> behind;
  for (linalg::LinalgOp product : products)
    behind.insert_range(product->getUsers());
  // It grows while it is visited.
  for (size_t i = 0; i < behind.size(); ++i)
    if (isReshape(behind[i]) || isElementwise(behind[i]) ||
        isa<tensor::ExtractSliceOp>(behind[i]))
      behind.insert_range(behind[i]->getUsers());
  SmallVector<Operation *> found;
  llvm::copy_if(behind, std::back_inserter(found), isElementwise);
  return found;
}

/// What computes operands of products element by element, in each run.
static SmallVector<Operation *>
findProducers(ArrayRef<linalg::LinalgOp> products) {
  llvm::SetVector<Operation *> before;
  auto insertOperands = [&](Operation *op) {
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        before.insert(producer);
  };
  for (linalg::LinalgOp product : products)
    insertOperands(product);
  // It grows while it is visited.
  for (size_t i = 0; i < before.size(); ++i)
    if (isReshape(before[i]) || isElementwise(before[i]) ||
        isa<linalg::TransposeOp>(before[i]))
      insertOperands(before[i]);
  LoadedValues loaded;
  SmallVector<Operation *> found;
  for (Operation *op : before)
    if (isElementwise(op) && !loaded.contains(op->getResult(0)))
      found.push_back(op);
  return found;
}

SmallVector<Operation *>
mlir::trn::findElementwise(ArrayRef<linalg::LinalgOp> products) {
  SmallVector<Operation *> found = findConsumers(products);
  llvm::append_range(found, findProducers(products));
  return found;
}

SmallVector<Operation *> mlir::trn::findWidenings(func::FuncOp func) {
  llvm::SetVector<Operation *> found;
  func.walk([&](Operation *op) {
    if (isa<arith::ExtFOp, arith::SIToFPOp>(op) &&
        isa<RankedTensorType>(op->getResult(0).getType()) &&
        getElementTypeOrSelf(op->getOperand(0)).getIntOrFloatBitWidth() == 8) {
      found.insert(op);
      for (Operation *user : op->getUsers())
        if (isa<arith::MulFOp, linalg::MulOp>(user))
          found.insert(user);
    }
  });
  return found.takeVector();
}
