//===- WeightUses.cpp - What reads a weight -------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightUses.h"

#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Transforms/Normalize/ProductLoops.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"
#include "trn/Transforms/Normalize/ReadThrough.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

/// From an index of `wide` to one of the tensor without some dimensions of one
/// index, of which each dimension is one of `groups`.
static std::optional<AffineMap>
dropUnits(RankedTensorType wide, ArrayRef<ReassociationIndices> groups) {
  MLIRContext *context = wide.getContext();
  SmallVector<AffineExpr> exprs;
  for (const ReassociationIndices &group : groups) {
    AffineExpr index = getAffineConstantExpr(0, context);
    for (int64_t dim : group) {
      if (wide.getDimSize(dim) == 1)
        continue;
      if (isa<AffineDimExpr>(index))
        return std::nullopt;
      index = getAffineDimExpr(dim, context);
    }
    exprs.push_back(index);
  }
  return AffineMap::get(wide.getRank(), 0, exprs, context);
}

/// If what `op` makes of `source`, which it reads, is the same elements in
/// another place or type: from an index of the result to one of the source.
static std::optional<AffineMap> matchStep(Operation *op, Value source) {
  if (op->getNumResults() != 1 ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return std::nullopt;
  auto identity = AffineMap::getMultiDimIdentityMap(
      cast<RankedTensorType>(source.getType()).getRank(), op->getContext());
  if (isa<tensor::CastOp, arith::TruncFOp>(op))
    return identity;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return dropUnits(expand.getResultType(), expand.getReassociationIndices());
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    auto map =
        dropUnits(collapse.getSrcType(), collapse.getReassociationIndices());
    return map ? std::optional(inverseAndBroadcastProjectedPermutation(*map))
               : std::nullopt;
  }
  auto movement = matchMovement(op->getResult(0));
  if (movement && movement->source == source)
    return movement->map;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && isRounding(linalgOp) &&
                 linalgOp.getDpsInputs()[0] == source
             ? std::optional(identity)
             : std::nullopt;
}

namespace {
class UseFinder {
public:
  explicit UseFinder(Value weight) : weight(weight) {}

  void visit(Value value, AffineMap map, ArrayRef<Type> conversions);

  WeightUses found;

private:
  void visitProduct(OpOperand &use, AffineMap map, ArrayRef<Type> conversions);
  void refuseReader(Operation *op) {
    found.refuse("'" + op->getName().getStringRef() + "' reads it, too");
  }

  Value weight;
};
} // namespace

void UseFinder::visitProduct(OpOperand &use, AffineMap map,
                             ArrayRef<Type> conversions) {
  auto op = cast<linalg::LinalgOp>(use.getOwner());
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      !op.hasPureTensorSemantics() || !op.isDpsInput(&use))
    return refuseReader(op);
  WeightUse result;
  result.weight = weight;
  result.product = op;
  result.operand = use.getOperandNumber();
  auto refuseProduct = [&](const Twine &reason) {
    found.products.push_back(result);
    found.refuse("a product that reads it " + reason);
  };
  auto isFloat = [](Type type) {
    return getFloatElementType(getElementTypeOrSelf(type)).has_value();
  };
  if (!llvm::all_of(op->getOperandTypes(), isFloat))
    return refuseProduct("is not one of bf16, f16 or f32");
  auto kinds = classifyLoops(op);
  if (!kinds || isPacked(op) || op.hasIndexSemantics() ||
      findBodyObstacle(*op.getBlock()))
    return refuseProduct("is not a plain product of matrices");
  Value other = op.getDpsInputs()[1 - result.operand];
  if (other == use.get() || isKnownAtLoad(other))
    return refuseProduct("multiplies it with another weight");

  result.map = map.compose(op.getIndexingMapsArray()[result.operand]);
  result.conversions.assign(conversions.begin(), conversions.end());
  for (AffineExpr index : result.map.getResults()) {
    auto loop = dyn_cast<AffineDimExpr>(index);
    if (loop && (*kinds)[loop.getPosition()] == LoopKind::Batch)
      return refuseProduct("reads one matrix of it for each index of a batch");
    result.isSummed.push_back(loop &&
                              op.getIteratorTypesArray()[loop.getPosition()] ==
                                  utils::IteratorType::reduction);
  }
  if (llvm::all_equal(result.isSummed))
    return refuseProduct("reads it as a vector");
  found.products.push_back(std::move(result));
}

void UseFinder::visit(Value value, AffineMap map, ArrayRef<Type> conversions) {
  for (OpOperand &use : value.getUses()) {
    Operation *op = use.getOwner();
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (isa<func::CallOp>(op) && value == weight) {
      found.calls.push_back(&use);
    } else if (linalgOp && isProductLike(linalgOp)) {
      visitProduct(use, map, conversions);
    } else if (auto toSource = matchStep(op, value)) {
      Value next = op->getResult(0);
      auto types = llvm::to_vector<2>(conversions);
      if (Type type = getElementTypeOrSelf(next);
          type != getElementTypeOrSelf(value))
        types.push_back(type);
      visit(next, map.compose(*toSource), types);
    } else {
      refuseReader(op);
    }
  }
}

WeightUses mlir::trn::findWeightUses(Value weight) {
  UseFinder finder(weight);
  int64_t rank = cast<RankedTensorType>(weight.getType()).getRank();
  finder.visit(
      weight, AffineMap::getMultiDimIdentityMap(rank, weight.getContext()), {});
  return std::move(finder.found);
}
