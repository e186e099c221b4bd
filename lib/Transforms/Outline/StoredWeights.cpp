//===- StoredWeights.cpp - Weights that are stored in 8 bits --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoredWeights.h"

#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::trn;

linalg::GenericOp mlir::trn::findWidening(const Product &product) {
  auto op = product.rhs.tensor.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumDpsInputs() != 1 || !op.isAllParallelLoops() ||
      !llvm::hasNItemsOrLess(op->getUses(), 1) ||
      !findRegionObstacle(op).empty())
    return nullptr;
  Value stored = op.getDpsInputs()[0];
  bool isWidening =
      isStorage(*getMatrixElementType(getElementTypeOrSelf(stored))) &&
      op.getMatchingIndexingMap(op.getDpsInputOperand(0)).isIdentity();
  return isWidening ? op : nullptr;
}

SmallVector<RegionOp> mlir::trn::withWidening(const RegionOp &member) {
  SmallVector<RegionOp> members;
  if (linalg::GenericOp widening = findWidening(*member.product))
    members.push_back({widening});
  members.push_back(member);
  return members;
}

/// Rewrites
///
///   %w = linalg.generic widen(%stored)        [n, k], which the host turns
///
/// as
///
///   %turned = linalg.transpose %stored        [k, n]
///   %w = linalg.generic widen(%turned)
static void turn(Product &product, linalg::GenericOp widening) {
  auto contraction = cast<linalg::LinalgOp>(product.contraction);
  OpOperand *read =
      llvm::find_if(contraction->getOpOperands(), [&](OpOperand &operand) {
        return operand.get() == widening.getResult(0);
      });
  if (read == contraction->getOpOperands().end())
    return;
  OpBuilder builder(widening);
  Value stored = widening.getDpsInputs()[0];
  SmallVector<int64_t> permutation = swapMatrixDims(product.rhs.dims);
  Value turned = emitTranspose(builder, stored.getLoc(), stored, permutation);
  auto shape = cast<RankedTensorType>(turned.getType()).getShape();
  auto type = cast<RankedTensorType>(widening.getResult(0).getType());
  IRMapping mapping;
  mapping.map(stored, turned);
  mapping.map(widening.getDpsInits()[0],
              tensor::EmptyOp::create(builder, widening.getLoc(), shape,
                                      type.getElementType())
                  .getResult());
  auto clone = cast<linalg::GenericOp>(builder.clone(*widening, mapping));
  clone->getResult(0).setType(type.clone(shape));

  SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
  AffineMap &map = maps[read->getOperandNumber()];
  SmallVector<AffineExpr> indices = llvm::map_to_vector(
      permutation, [&](int64_t from) { return map.getResult(from); });
  map = AffineMap::get(map.getNumDims(), 0, indices, map.getContext());
  contraction->setAttr("indexing_maps", builder.getAffineMapArrayAttr(maps));
  read->set(clone.getResult(0));
  product.rhs.tensor = clone.getResult(0);
  product.rhs.isTransposed = false;
}

void mlir::trn::turnStoredWeights(Products &products) {
  for (Product &product : llvm::make_second_range(products))
    if (product.rhs.isTransposed && product.isTurnedByHost)
      if (linalg::GenericOp widening = findWidening(product))
        turn(product, widening);
}
