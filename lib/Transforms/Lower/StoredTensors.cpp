//===- StoredTensors.cpp - What of a kernel becomes a matrix --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoredTensors.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

bool mlir::trn::isKernelProduct(Operation *op) {
  return isa_and_nonnull<linalg::MatmulOp, linalg::ContractOp>(op);
}

/// Whether `user` reads each element of `value`, which it takes, once.
static bool readsOnce(linalg::GenericOp user, Value value) {
  return llvm::all_of(user->getOpOperands(), [&](OpOperand &operand) {
    return operand.get() != value ||
           user.getMatchingIndexingMap(&operand).isPermutation();
  });
}

DenseSet<Value> mlir::trn::findStored(func::FuncOp kernel) {
  DenseSet<Value> stored;
  DenseSet<Value> ofProducts;
  for (Operation &op : kernel.front())
    if (isKernelProduct(&op) ||
        llvm::any_of(op.getOperands(), [&](Value operand) {
          return ofProducts.contains(operand);
        }))
      ofProducts.insert_range(op.getResults());
  // By tensor: what it is a part of.
  DenseMap<Value, llvm::SmallSetVector<Value, 2>> wholes;
  for (Operation &op : llvm::reverse(kernel.front())) {
    if (!isa<linalg::LinalgOp>(op) || op.getNumResults() != 1)
      continue;
    Value result = op.getResult(0);
    llvm::SmallSetVector<Value, 2> all;
    for (Operation *user : result.getUsers()) {
      if (!isa<linalg::GenericOp, linalg::TransposeOp>(user) ||
          user->getNumResults() != 1) {
        all.insert(result);
        continue;
      }
      Value other = user->getResult(0);
      auto generic = dyn_cast<linalg::GenericOp>(user);
      if (generic && ofProducts.contains(result) && !readsOnce(generic, result))
        all.insert(result);
      if (stored.contains(other) && isa<linalg::GenericOp>(user))
        all.insert(other);
      else if (stored.contains(other))
        all.insert(result);
      else
        all.insert_range(wholes[other]);
    }
    if (all.size() > 1 || all.contains(result))
      stored.insert(result);
    wholes[result] = std::move(all);
  }
  return stored;
}
