//===- WeightUses.cpp - What reads a weight -------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightUses.h"

#include "ProductLoops.h"
#include "ProductMatcher.h"
#include "ReadThrough.h"
#include "trn/Dialect/Trn/IR/Memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

/// A reshape that adds or drops dimensions of one index.
static std::optional<Movement>
matchUnitReshape(Value source, ArrayRef<ReassociationIndices> groups,
                 RankedTensorType wide, bool adds) {
  MLIRContext *context = source.getContext();
  SmallVector<AffineExpr> exprs;
  for (auto [narrow, group] : llvm::enumerate(groups)) {
    std::optional<int64_t> kept;
    for (int64_t dim : group) {
      if (wide.getDimSize(dim) == 1)
        continue;
      if (kept)
        return std::nullopt;
      kept = dim;
    }
    if (adds) {
      exprs.push_back(kept ? getAffineDimExpr(*kept, context)
                           : getAffineConstantExpr(0, context));
      continue;
    }
    for (int64_t dim : group)
      exprs.push_back(dim == kept ? getAffineDimExpr(narrow, context)
                                  : getAffineConstantExpr(0, context));
  }
  int64_t rank = adds ? wide.getRank() : groups.size();
  return Movement{source, AffineMap::get(rank, 0, exprs, context)};
}

/// What `op`, which reads `source`, makes of it, if that is the same elements
/// in another place or type.
static std::optional<Movement> matchStep(Operation *op, Value source) {
  if (op->getNumResults() != 1 ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return std::nullopt;
  auto identity = AffineMap::getMultiDimIdentityMap(
      cast<RankedTensorType>(source.getType()).getRank(), op->getContext());
  if (isa<tensor::CastOp, arith::TruncFOp>(op))
    return Movement{source, identity};
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return matchUnitReshape(source, expand.getReassociationIndices(),
                            expand.getResultType(), /*adds=*/true);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return matchUnitReshape(source, collapse.getReassociationIndices(),
                            collapse.getSrcType(), /*adds=*/false);
  auto movement = matchMovement(op->getResult(0));
  if (movement && movement->source == source)
    return movement;
  auto generic = dyn_cast<linalg::LinalgOp>(op);
  if (!generic || !generic.hasPureTensorSemantics() ||
      generic.getNumDpsInputs() != 1 || generic.getNumDpsInits() != 1 ||
      generic.getDpsInputOperand(0)->get() != source ||
      !linalg::isElementwise(generic) ||
      !generic.getIndexingMapsArray()[0].isIdentity() ||
      !generic.getIndexingMapsArray()[1].isIdentity())
    return std::nullopt;
  Block *body = generic.getBlock();
  if (skipRounding(body->getTerminator()->getOperand(0)) !=
      body->getArgument(0))
    return std::nullopt;
  return Movement{source, identity};
}

namespace {
class UseFinder {
public:
  explicit UseFinder(Value weight) : weight(weight) {}

  void visit(Value value, AffineMap map, ArrayRef<Type> conversions);

  WeightUses found;

private:
  void visitProduct(OpOperand &use, AffineMap map, ArrayRef<Type> conversions);
  void refuse(const Twine &reason) {
    if (found.obstacle.empty())
      found.obstacle = reason.str();
  }
  void refuseReader(Operation *op) {
    refuse("'" + op->getName().getStringRef() + "' reads it, too");
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
    refuse("a product that reads it " + reason);
  };
  auto isFloat = [](Type type) {
    return getElementType(getElementTypeOrSelf(type)).has_value();
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
    } else if (auto step = matchStep(op, value)) {
      Value next = op->getResult(0);
      auto types = llvm::to_vector<2>(conversions);
      if (Type type = getElementTypeOrSelf(next);
          type != getElementTypeOrSelf(value))
        types.push_back(type);
      visit(next, map.compose(step->map), types);
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
