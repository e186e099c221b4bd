//===- LoadedValues.cpp - Values that follow from weights -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Normalize/LoadedValues.h"

#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::trn;

bool mlir::trn::isWeightArgument(BlockArgument argument) {
  auto func = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return func && argument.getOwner()->isEntryBlock() &&
         func.getArgAttr(argument.getArgNumber(),
                         TrnDialect::ParamAttrHelper::getNameStr());
}

bool mlir::trn::followsFromOperands(Operation *op) {
  return isMemoryEffectFree(op) &&
         (!op->getNumRegions() || isa<linalg::LinalgOp>(op));
}

std::optional<bool> LoadedValues::decide(Value value,
                                         SmallVectorImpl<Value> &pending) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isWeightArgument(argument);
  Operation *op = value.getDefiningOp();
  if (!followsFromOperands(op))
    return false;
  if (op->hasTrait<OpTrait::ConstantLike>())
    return true;
  llvm::SetVector<Value> read(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  std::optional<Value> unknown;
  for (Value each : read) {
    auto it = known.find(each);
    if (it == known.end())
      unknown = each;
    else if (!it->second)
      return false;
  }
  if (!unknown)
    return true;
  pending.push_back(*unknown);
  return std::nullopt;
}

bool LoadedValues::contains(Value value) {
  SmallVector<Value> pending = {value};
  while (!pending.empty()) {
    Value next = pending.back();
    if (std::optional<bool> decided = decide(next, pending)) {
      known[next] = *decided;
      pending.pop_back();
    }
  }
  return known.lookup(value);
}
