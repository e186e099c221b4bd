//===- WidenSums.cpp - Sums without rounding on the way -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WidenSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

static bool isNarrow(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isBF16() || element.isF16();
}

static Type widen(Type type) {
  if (!isNarrow(type))
    return type;
  Type f32 = Float32Type::get(type.getContext());
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(f32);
  return f32;
}

/// Appends the body of `op` to a block whose outputs are wide.
static void cloneBody(linalg::LinalgOp op, OpBuilder &builder, Location loc,
                      ValueRange arguments) {
  IRMapping mapping;
  auto widenValue = [&](Value value) -> Value {
    Value mapped = mapping.lookupOrDefault(value);
    if (!isNarrow(mapped.getType()))
      return mapped;
    Value wide =
        arith::ExtFOp::create(builder, loc, widen(mapped.getType()), mapped);
    mapping.map(value, wide);
    return wide;
  };
  mapping.map(op.getBlock()->getArguments(), arguments);
  for (Operation &inner : *op.getBlock()) {
    if (isa<arith::ExtFOp, arith::TruncFOp>(inner) &&
        widen(inner.getResult(0).getType()) ==
            widen(inner.getOperand(0).getType())) {
      mapping.map(inner.getResult(0), widenValue(inner.getOperand(0)));
      continue;
    }
    if (isa<arith::ConstantOp>(inner)) {
      builder.clone(inner, mapping); // extended where it is used
      continue;
    }
    for (Value operand : inner.getOperands())
      widenValue(operand);
    Operation *wide = builder.clone(inner, mapping);
    for (OpResult result : wide->getResults())
      result.setType(widen(result.getType()));
  }
}

static void widenSum(linalg::LinalgOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Value> outputs;
  SmallVector<Type> types;
  for (Value init : op.getDpsInits()) {
    types.push_back(widen(init.getType()));
    outputs.push_back(
        isNarrow(init.getType())
            ? arith::ExtFOp::create(builder, loc, types.back(), init)
                  .getResult()
            : init);
  }
  auto sum = linalg::GenericOp::create(
      builder, loc, types, op.getDpsInputs(), outputs,
      op.getIndexingMapsArray(), op.getIteratorTypesArray(),
      [&](OpBuilder &inside, Location at, ValueRange arguments) {
        cloneBody(op, inside, at, arguments);
      });
  for (auto [result, wide] : llvm::zip(op->getResults(), sum.getResults())) {
    Value rounded = wide;
    if (result.getType() != wide.getType())
      rounded = arith::TruncFOp::create(builder, loc, result.getType(), wide);
    result.replaceAllUsesWith(rounded);
  }
  op->erase();
}

/// Their sums are ops of their own then.
static void decomposeSoftmax(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  module.walk([&](linalg::SoftmaxOp op) {
    if (!op.hasPureTensorSemantics())
      return;
    rewriter.setInsertionPoint(op);
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
    if (succeeded(results))
      rewriter.replaceOp(op, *results);
  });
}

void mlir::trn::widenSums(ModuleOp module) {
  decomposeSoftmax(module);
  SmallVector<linalg::LinalgOp> sums;
  module.walk([&](linalg::LinalgOp op) {
    if (op.getNumReductionLoops() != 0 && op.hasPureTensorSemantics() &&
        llvm::any_of(op.getDpsInits().getTypes(), isNarrow))
      sums.push_back(op);
  });
  for (linalg::LinalgOp op : sums)
    widenSum(op);
}
