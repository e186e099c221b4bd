//===- Dimensions.cpp - Dimensions that are equal in any case -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Analysis/Dimensions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

Dimensions::Dimensions(ArrayRef<func::FuncOp> functions) {
  for (func::FuncOp function : functions)
    for (Operation &op : function.getBody().getOps())
      if (!tieOp(&op, functions))
        opaque.insert(&op);
}

bool Dimensions::isSummed(Dimension dimension) const {
  return llvm::any_of(
      summed, [&](Dimension other) { return areTied(other, dimension); });
}

bool Dimensions::isBatch(Dimension dimension) const {
  return llvm::any_of(
      batches, [&](Dimension other) { return areTied(other, dimension); });
}

bool Dimensions::isMixed(Operation *op, Dimension dimension) const {
  return llvm::any_of(mixed, [&](const auto &entry) {
    return entry.first == op && areTied(entry.second, dimension);
  });
}

void Dimensions::tieAll(Value a, Value b) {
  auto type = dyn_cast<RankedTensorType>(a.getType());
  for (int64_t i = 0; type && i != type.getRank(); ++i)
    tie({a, i}, {b, i});
}

void Dimensions::tieLinalg(linalg::LinalgOp op) {
  SmallVector<std::optional<Dimension>> loops(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    for (auto [i, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      Dimension dimension(operand.get(), i);
      auto &first = loops[loop.getPosition()];
      if (first)
        tie(*first, dimension);
      else
        first = dimension;
    }
  }
  // An index such as d0 + d1 is equal to neither.
  for (OpOperand &operand : op->getOpOperands())
    for (auto [i, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      if (isa<AffineDimExpr>(expr))
        continue;
      mixed.emplace_back(op, Dimension(operand.get(), i));
      for (auto [loop, first] : llvm::enumerate(loops))
        if (first && expr.isFunctionOfDim(loop))
          mixed.emplace_back(op, *first);
    }
  for (auto [iterator, first] :
       llvm::zip_equal(op.getIteratorTypesArray(), loops))
    if (first && iterator == utils::IteratorType::reduction)
      summed.push_back(*first);
  bool isProduct = op.getNumDpsInputs() == 2 && op.getNumReductionLoops() != 0;
  for (unsigned loop = 0; isProduct && loop < loops.size(); ++loop)
    if (loops[loop] &&
        llvm::all_of(op.getIndexingMapsArray(),
                     [&](AffineMap map) { return map.isFunctionOfDim(loop); }))
      batches.push_back(*loops[loop]);
  for (auto [init, result] : llvm::zip(op.getDpsInits(), op->getResults()))
    tieAll(init, result);
}

void Dimensions::tieReshape(Value narrow, Value wide,
                            ArrayRef<ReassociationIndices> groups) {
  auto type = cast<RankedTensorType>(wide.getType());
  for (auto [i, group] : llvm::enumerate(groups)) {
    // Beside dimensions of size 1 a dimension stays what it is.
    SmallVector<int64_t> kept = llvm::to_vector(llvm::make_filter_range(
        group, [&](int64_t j) { return type.getDimSize(j) != 1; }));
    if (kept.size() == 1)
      tie({narrow, i}, {wide, kept.front()});
    else if (kept.empty() && group.size() == 1)
      tie({narrow, i}, {wide, group.front()});
  }
}

/// All returns of a function return the same types.
void Dimensions::tieReturn(func::ReturnOp ret) {
  auto first = *ret->getParentOp()->getRegion(0).op_begin<func::ReturnOp>();
  for (auto [a, b] : llvm::zip(first.getOperands(), ret.getOperands()))
    tieAll(a, b);
}

bool Dimensions::tieCall(func::CallOp call, ArrayRef<func::FuncOp> functions) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (!llvm::is_contained(functions, callee) || callee.isExternal())
    return false;
  for (auto [operand, argument] :
       llvm::zip(call.getOperands(), callee.getArguments()))
    tieAll(operand, argument);
  for (auto ret : callee.getOps<func::ReturnOp>())
    for (auto [operand, result] :
         llvm::zip(ret.getOperands(), call.getResults()))
      tieAll(operand, result);
  return true;
}

void Dimensions::tieSizes(Value tensor, ArrayRef<OpFoldResult> sizes) {
  for (auto [i, size] : llvm::enumerate(sizes))
    if (auto value = dyn_cast<Value>(size))
      if (auto dim = value.getDefiningOp<tensor::DimOp>())
        if (std::optional<int64_t> index = dim.getConstantIndex())
          tie({tensor, i}, {dim.getSource(), *index});
}

bool Dimensions::tieOp(Operation *op, ArrayRef<func::FuncOp> functions) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return tieCall(call, functions);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    tieLinalg(linalgOp);
  else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    tieReshape(collapse.getResult(), collapse.getSrc(),
               collapse.getReassociationIndices());
  else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    tieReshape(expand.getSrc(), expand.getResult(),
               expand.getReassociationIndices());
    tieSizes(expand.getResult(), expand.getMixedOutputShape());
  } else if (auto ret = dyn_cast<func::ReturnOp>(op))
    tieReturn(ret);
  else if (OpTrait::hasElementwiseMappableTraits(op))
    for (Value operand : op->getOperands())
      tieAll(operand, op->getResult(0));
  else if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    tieSizes(empty, empty.getMixedSizes());
  else
    return isa<arith::ConstantOp>(op);
  return true;
}
