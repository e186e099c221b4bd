//===- ReadFills.cpp - Numbers instead of tensors of one number -----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadFills.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::trn;

/// The number that all elements of `tensor` are, if that is known, for `op`.
static Value findNumber(Value tensor, Operation *op) {
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    return matchPattern(fill.getInputs()[0], m_Constant()) ? fill.getInputs()[0]
                                                           : Value();
  SplatElementsAttr splat;
  if (!matchPattern(tensor, m_Constant(&splat)))
    return {};
  OpBuilder builder(op);
  return arith::ConstantOp::create(
      builder, tensor.getLoc(),
      cast<TypedAttr>(splat.getSplatValue<Attribute>()));
}

void mlir::trn::readFills(ArrayRef<Operation *> ops) {
  for (Operation *op : ops) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic)
      continue;
    for (OpOperand *operand : generic.getDpsInputOperands()) {
      Value argument = generic.getMatchingBlockArgument(operand);
      if (argument.use_empty())
        continue;
      if (Value number = findNumber(operand->get(), op))
        argument.replaceAllUsesWith(number);
    }
  }
}
