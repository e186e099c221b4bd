//===- ElementReaders.cpp - What reads elements of a product --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementReaders.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include "trn/Transforms/Normalize/GroupMatcher.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

/// What is computed of `value`, element by element, and what reads that.
static llvm::SetVector<Operation *> findReaders(Value value) {
  llvm::SetVector<Operation *> readers;
  readers.insert_range(value.getUsers());
  // They become more while they are visited.
  for (size_t i = 0; i < readers.size(); ++i)
    if (auto generic = dyn_cast<linalg::GenericOp>(readers[i]);
        generic && generic.isAllParallelLoops())
      readers.insert_range(generic->getUsers());
  return readers;
}

bool mlir::trn::isRowOp(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && isa<linalg::GenericOp, linalg::TransposeOp>(op) &&
         linalgOp.hasPureTensorSemantics() && linalgOp.getNumDpsInputs() &&
         (linalgOp.isAllParallelLoops() || reducesRows(op));
}

static bool isView(Operation *op) {
  return isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             tensor::ExtractSliceOp>(op);
}

Value mlir::trn::findSource(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isView(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

bool mlir::trn::isBetween(Value value,
                          function_ref<bool(Operation *)> isOfKernel) {
  Operation *source = findSource(value).getDefiningOp();
  if (!source || isOfKernel(source))
    return false;
  llvm::SetVector<Operation *> ops;
  ops.insert(source);
  // They become more while they are visited.
  for (size_t i = 0; i < ops.size(); ++i) {
    if (isOfKernel(ops[i]))
      return true;
    llvm::SetVector<Value> read(ops[i]->operand_begin(), ops[i]->operand_end());
    getUsedValuesDefinedAbove(ops[i]->getRegions(), read);
    for (Value operand : read)
      if (Operation *op = operand.getDefiningOp())
        ops.insert(op);
  }
  return false;
}

SmallVector<Operation *> mlir::trn::readersOfViews(Value value) {
  SmallVector<Operation *> readers;
  for (Operation *user : value.getUsers())
    if (isView(user))
      llvm::append_range(readers, readersOfViews(user->getResult(0)));
    else
      readers.push_back(user);
  return readers;
}

bool mlir::trn::isReduced(Operation *op) {
  return llvm::any_of(findReaders(op->getResult(0)), [](Operation *reader) {
    auto generic = dyn_cast<linalg::GenericOp>(reader);
    return generic && reducesRows(generic);
  });
}

bool mlir::trn::beginsRegion(Operation *op) {
  if (reducesRows(op))
    return true;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  DenseSet<Value> sliced;
  return generic && llvm::any_of(generic.getDpsInputs(), [&](Value input) {
           auto slice = input.getDefiningOp<tensor::ExtractSliceOp>();
           return slice && !sliced.insert(slice.getSource()).second;
         });
}

bool mlir::trn::meetsLhs(const Product &product) {
  llvm::SetVector<Operation *> ofLhs = findReaders(product.lhs.tensor);
  return llvm::any_of(findReaders(product.result.tensor),
                      [&](Operation *reader) {
                        auto generic = dyn_cast<linalg::GenericOp>(reader);
                        return generic && generic.isAllParallelLoops() &&
                               ofLhs.contains(reader);
                      });
}

bool mlir::trn::hasMaxima(const Product &product) {
  return llvm::any_of(
      findReaders(product.result.tensor), [](Operation *reader) {
        auto generic = dyn_cast<linalg::GenericOp>(reader);
        auto reduction = generic ? matchReduction(generic) : std::nullopt;
        return reduction && reduction->function == Function::Max;
      });
}
