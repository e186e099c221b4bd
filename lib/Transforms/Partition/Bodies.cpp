//===- Bodies.cpp - What a sum or a padding may pass ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bodies.h"

#include "trn/Transforms/Normalize/ProductMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::trn;

bool mlir::trn::isSum(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1 || !isZeroFilled(op.getDpsInits()[0]))
    return false;
  BlockArgument sum = op.getRegionOutputArgs()[0];
  auto add = op.getBlock()
                 ->getTerminator()
                 ->getOperand(0)
                 .getDefiningOp<arith::AddFOp>();
  return add && sum.hasOneUse() && llvm::is_contained(add->getOperands(), sum);
}

bool mlir::trn::isLinearIn(linalg::LinalgOp op, unsigned number) {
  llvm::DenseSet<Value> linear = {op.getBlock()->getArgument(number)};
  if (op.getNumReductionLoops()) {
    if (!isSum(op))
      return false;
    linear.insert(op.getRegionOutputArgs()[0]); // zero is a sum of zeros
  }
  auto isLinear = [&](Value value) { return linear.contains(value); };
  for (Operation &nested : op.getBlock()->without_terminator()) {
    if (llvm::none_of(nested.getOperands(), isLinear))
      continue;
    bool keeps =
        isa<arith::AddFOp, arith::SubFOp>(nested)
            ? llvm::all_of(nested.getOperands(), isLinear)
        : isa<arith::MulFOp>(nested)
            ? llvm::count_if(nested.getOperands(), isLinear) == 1
        : isa<arith::DivFOp>(nested)
            ? !isLinear(nested.getOperand(1))
            : isa<arith::NegFOp, arith::ExtFOp, arith::TruncFOp>(nested);
    if (!keeps)
      return false;
    linear.insert(nested.getResult(0));
  }
  return llvm::all_of(op.getBlock()->getTerminator()->getOperands(), isLinear);
}

bool mlir::trn::isZeroWhere(linalg::LinalgOp op,
                            llvm::function_ref<bool(OpOperand &)> isZero) {
  llvm::DenseSet<Value> zeros;
  for (OpOperand &operand : op->getOpOperands())
    if (isZero(operand) || isZeroFilled(operand.get()))
      zeros.insert(op.getMatchingBlockArgument(&operand));
  auto isKnown = [&](Value value) {
    return zeros.contains(value) || matchPattern(value, m_AnyZeroFloat());
  };
  for (Operation &nested : op.getBlock()->without_terminator()) {
    ValueRange operands = nested.getOperands();
    bool keeps = isa<arith::MulFOp>(nested) ? llvm::any_of(operands, isKnown)
                 : isa<arith::DivFOp>(nested)
                     ? isKnown(operands[0]) && !isKnown(operands[1])
                 : isa<arith::AddFOp, arith::SubFOp, arith::NegFOp,
                       arith::ExtFOp, arith::TruncFOp, arith::MaximumFOp,
                       arith::MaxNumFOp, arith::MinimumFOp, arith::MinNumFOp,
                       math::AbsFOp, math::TanhOp, math::ErfOp>(nested)
                     ? llvm::all_of(operands, isKnown)
                     : isa<arith::SelectOp>(nested) &&
                           llvm::all_of(operands.drop_front(), isKnown);
    if (keeps)
      zeros.insert(nested.getResult(0));
  }
  return llvm::all_of(op.getBlock()->getTerminator()->getOperands(), isKnown);
}
