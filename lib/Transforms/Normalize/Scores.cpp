//===- Scores.cpp - Numbers that no mask has changed ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Normalize/Scores.h"

#include "trn/Transforms/Normalize/LoadedValues.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace mlir::trn;

namespace {
class ScoreMatcher {
public:
  bool isScalar(linalg::GenericOp op, Value scalar);

private:
  bool isTensor(Value tensor);

  /// Values that several others read are followed for each of them.
  static constexpr unsigned maxSteps = 200;
  unsigned steps = 0;
};
} // namespace

/// Whether `value` is a number that scores are scaled or shifted by.
static bool isSmall(Value value) {
  constexpr double most = 1e6;
  FloatAttr number;
  DenseFPElementsAttr numbers;
  auto isBelow = [](const APFloat &each) {
    return std::abs(each.convertToDouble()) <= most;
  };
  if (matchPattern(value, m_Constant(&number)))
    return isBelow(number.getValue());
  return matchPattern(value, m_Constant(&numbers)) && numbers.isSplat() &&
         isBelow(numbers.getSplatValue<APFloat>());
}

bool ScoreMatcher::isTensor(Value tensor) {
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return isWeightArgument(argument);
  if (isSmall(tensor))
    return true;
  Operation *op = tensor.getDefiningOp();
  if (isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                      tensor::CastOp, linalg::TransposeOp, linalg::BroadcastOp>(
          op))
    return isTensor(op->getOperand(0));
  if (auto fill = dyn_cast_if_present<linalg::FillOp>(op))
    return isSmall(fill.getInputs()[0]);
  auto linalgOp = dyn_cast_if_present<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() ||
      linalgOp.getNumDpsInits() != 1)
    return false;
  if (isProductLike(linalgOp))
    return isZeroFilled(linalgOp.getDpsInits()[0]);
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && generic.isAllParallelLoops() &&
         isScalar(generic, generic.getBody()->getTerminator()->getOperand(0));
}

bool ScoreMatcher::isScalar(linalg::GenericOp op, Value scalar) {
  if (++steps > maxSteps)
    return false;
  if (isSmall(scalar))
    return true;
  if (auto argument = dyn_cast<BlockArgument>(scalar)) {
    if (argument.getOwner() != op.getBody())
      return false;
    OpOperand *operand = op.getMatchingOpOperand(argument);
    return op.isDpsInput(operand) && isTensor(operand->get());
  }
  Operation *inner = scalar.getDefiningOp();
  return inner->getBlock() == op.getBody() &&
         isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp, arith::ExtFOp, arith::TruncFOp, math::TanhOp>(
             inner) &&
         llvm::all_of(inner->getOperands(),
                      [&](Value operand) { return isScalar(op, operand); });
}

bool mlir::trn::isPlainScore(linalg::GenericOp op, Value scalar) {
  return ScoreMatcher().isScalar(op, scalar);
}

bool mlir::trn::isFarBelowScores(const APFloat &number) {
  constexpr double farBelow = -1e9;
  return number.isNegative() &&
         (number.isLargest() || number.convertToDouble() <= farBelow);
}
