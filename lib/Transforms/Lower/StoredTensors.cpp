//===- StoredTensors.cpp - What of a kernel becomes a matrix --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoredTensors.h"

#include "trn/Transforms/Normalize/DimRange.h"
#include "trn/Transforms/Normalize/GroupMatcher.h"

#include "trn/Dialect/Trn/IR/Memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

bool mlir::trn::isKernelProduct(Operation *op) {
  return isa_and_nonnull<linalg::MatmulOp, linalg::ContractOp>(op);
}

/// Whether `user` reads each element of `value`, which it takes, once.
static bool readsOnce(linalg::GenericOp user, Value value) {
  return matchGroupReduction(user) ||
         llvm::all_of(user->getOpOperands(), [&](OpOperand &operand) {
           return operand.get() != value ||
                  user.getMatchingIndexingMap(&operand).isPermutation();
         });
}

/// Whether the sums of a product would be part of what `tensor` becomes.
static bool readsSums(Value tensor, const DenseSet<Value> &stored) {
  Operation *op = tensor.getDefiningOp();
  if (isKernelProduct(op))
    return true;
  return isa_and_nonnull<linalg::GenericOp, linalg::TransposeOp>(op) &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return !stored.contains(operand) && readsSums(operand, stored);
         });
}

/// Whether `op` reads an element of something for each group of columns.
static bool readsGroups(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic &&
         llvm::any_of(generic.getIndexingMapsArray(),
                      [](AffineMap map) { return sizeOfGroups(map); });
}

/// Whether `op` only widens its input, which costs nothing where it is read.
static bool isWidening(Operation *op) {
  auto generic = dyn_cast_if_present<linalg::GenericOp>(op);
  return generic && generic.getNumDpsInputs() == 1 &&
         llvm::hasSingleElement(generic.getBody()->without_terminator()) &&
         isa<arith::ExtFOp>(generic.getBody()->front()) &&
         llvm::all_of(generic.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isIdentity(); });
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
    bool isRead = (all.size() > 1 && !isWidening(&op)) || all.contains(result);
    if (isRead || reducesRows(&op))
      stored.insert(result);
    wholes[result] = std::move(all);
  }
  // What is reduced, or computed by group, comes out of PSUM before.
  for (Operation &op : kernel.front())
    if (reducesRows(&op) || readsGroups(&op))
      for (Value operand : op.getOperands())
        if (!stored.contains(operand) && readsSums(operand, stored))
          stored.insert(operand);
  return stored;
}

bool mlir::trn::isMatrixType(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasRank() && shaped.getRank() != 0 &&
         shaped.hasStaticShape() &&
         getMatrixElementType(shaped.getElementType());
}

std::optional<planning::Window>
mlir::trn::windowOf(tensor::ExtractSliceOp slice, const planning::Graph &graph,
                    const planning::Matrix &matrix) {
  ArrayRef<int64_t> shape = slice.getSourceType().getShape();
  bool hasBatches = !matrix.rowBatches.empty() || !matrix.columnBatches.empty();
  if (!isInArgument(slice) || (hasBatches && shape.size() < 3))
    return std::nullopt;
  ArrayRef<int64_t> first = slice.getStaticOffsets();
  if (shape.size() == 2)
    return planning::Window{shape[0], shape[1], first[0], first[1]};
  int64_t rows = shape.size() == 1 ? 1 : graph.rowsOf(matrix);
  return planning::Window{rows, shape.back(), 0, first.back()};
}
