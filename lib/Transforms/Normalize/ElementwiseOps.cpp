//===- ElementwiseOps.cpp - What surrounds products -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementwiseOps.h"

#include "NormalizeSteps.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Transforms/Normalize/GroupMatcher.h"
#include "trn/Transforms/Normalize/LoadedValues.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"

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
        isa<tensor::ExtractSliceOp, linalg::TransposeOp, linalg::BroadcastOp>(
            behind[i]))
      behind.insert_range(behind[i]->getUsers());
  SmallVector<Operation *> found;
  llvm::copy_if(behind, std::back_inserter(found), isElementwise);
  return found;
}

/// What computes operands of `ops` element by element, in each run.
static SmallVector<Operation *> findProducers(ArrayRef<Operation *> ops) {
  llvm::SetVector<Operation *> before;
  auto insertOperands = [&](Operation *op) {
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        before.insert(producer);
  };
  for (Operation *op : ops)
    insertOperands(op);
  // It grows while it is visited.
  for (size_t i = 0; i < before.size(); ++i)
    if (isReshape(before[i]) || isElementwise(before[i]) ||
        isa<linalg::TransposeOp, linalg::BroadcastOp>(before[i]))
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
  llvm::SetVector<Operation *> found;
  found.insert_range(findConsumers(products));
  SmallVector<Operation *> ops(products.begin(), products.end());
  llvm::append_range(ops, found);
  found.insert_range(findProducers(ops));
  return found.takeVector();
}

void mlir::trn::freeOutputs(ArrayRef<Operation *> ops) {
  for (Operation *op : ops) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic || !isElementwise(op) || generic.hasDynamicShape())
      continue;
    for (OpOperand &output : generic.getDpsInitsMutable()) {
      auto type = cast<RankedTensorType>(output.get().getType());
      if (generic.payloadUsesValueFromOperand(&output) || type.getEncoding() ||
          output.get().getDefiningOp<tensor::EmptyOp>())
        continue;
      OpBuilder builder(op);
      output.set(tensor::EmptyOp::create(builder, op->getLoc(), type.getShape(),
                                         type.getElementType()));
    }
  }
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

/// Whether `op` multiplies and sums, or reduces.
static bool isOrigin(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && (isProductLike(linalgOp) || reducesRows(op) ||
                      linalg::isaConvolutionOpInterface(linalgOp));
}

/// `first`, and all that works on the same tensors, or on what follows.
static llvm::SetVector<Operation *> findConnected(Operation *first) {
  llvm::SetVector<Operation *> found;
  found.insert(first);
  auto add = [&](Operation *op) {
    if (op && (isa<linalg::LinalgOp>(op) || isElementwise(op) ||
               isa_and_nonnull<tensor::TensorDialect>(op->getDialect())))
      found.insert(op);
  };
  // They become more while they are visited.
  for (size_t i = 0; i < found.size(); ++i) {
    if (isa<linalg::FillOp, tensor::EmptyOp>(found[i]) || isOrigin(found[i]))
      continue;
    for (Operation *user : found[i]->getUsers())
      add(user);
    for (Value operand : found[i]->getOperands())
      add(operand.getDefiningOp());
  }
  return found;
}

SmallVector<Operation *> mlir::trn::findLoneElementwise(func::FuncOp func) {
  auto isFloats = [](Value value) {
    return getFloatElementType(getElementTypeOrSelf(value)).has_value();
  };
  SmallVector<Operation *> found;
  DenseSet<Operation *> visited;
  LoadedValues loaded;
  func.walk([&](Operation *op) {
    if (!isElementwise(op) || visited.contains(op))
      return;
    llvm::SetVector<Operation *> connected = findConnected(op);
    visited.insert_range(connected);
    if (llvm::any_of(connected, isOrigin))
      return;
    for (Operation *each : connected)
      if (isReshape(each) || isa<linalg::BroadcastOp>(each) ||
          (isElementwise(each) && llvm::all_of(each->getResults(), isFloats) &&
           !loaded.contains(each->getResult(0))))
        found.push_back(each);
  });
  return found;
}

bool mlir::trn::isOfProduct(Value value) {
  while (auto op = value.getDefiningOp<linalg::LinalgOp>()) {
    if (isProductLike(op))
      return true;
    if (!isa<linalg::GenericOp>(op) || !op.isAllParallelLoops() ||
        op.getNumDpsInits() != 1)
      return false;
    AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    SmallVector<OpOperand *> inputs = op.getDpsInputOperands();
    auto *same = llvm::find_if(inputs, [&](OpOperand *operand) {
      return op.getMatchingIndexingMap(operand) == map;
    });
    if (same == inputs.end())
      return false;
    value = (*same)->get();
  }
  return false;
}

bool mlir::trn::followsFromInputs(Value value) {
  llvm::SetVector<Operation *> ops;
  ops.insert(value.getDefiningOp());
  // They become more while they are visited.
  for (size_t i = 0; i < ops.size(); ++i) {
    if (!isa_and_nonnull<linalg::GenericOp>(ops[i]) || !isElementwise(ops[i]))
      return false;
    for (Value operand : cast<linalg::GenericOp>(ops[i]).getDpsInputs())
      if (auto op = operand.getDefiningOp<linalg::LinalgOp>())
        ops.insert(op);
  }
  return true;
}
