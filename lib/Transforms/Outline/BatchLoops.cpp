//===- BatchLoops.cpp - Which loops of ops are batches --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchLoops.h"

#include "trn/Transforms/Normalize/ReductionMatcher.h"

using namespace mlir;
using namespace mlir::trn;

bool mlir::trn::hasAllBatches(const Product &product) {
  return llvm::count_if(product.lhs.dims, [](auto batch) {
           return batch.has_value();
         }) == int64_t(product.batches.size());
}

std::optional<unsigned> mlir::trn::loopOf(AffineExpr index) {
  auto loop = dyn_cast<AffineDimExpr>(index);
  return loop ? std::optional(loop.getPosition()) : std::nullopt;
}

BatchDims mlir::trn::dimsIn(AffineMap map, const BatchDims &loops) {
  return llvm::map_to_vector<4>(map.getResults(), [&](AffineExpr index) {
    std::optional<unsigned> loop = loopOf(index);
    return loop ? loops[*loop] : std::nullopt;
  });
}

BatchDims mlir::trn::chooseLoops(linalg::LinalgOp op,
                                 const Dimensions &dimensions) {
  BatchDims loops(op.getNumLoops());
  Value result = op->getResult(0);
  bool reduces = isReduction(op);
  auto shape = cast<ShapedType>(result.getType()).getShape();
  int64_t rows =
      chooseRows(reduces ? shape : shape.drop_back(), [&](int64_t dim) {
        return reduces && dimensions.isBatch({result, dim});
      });
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (auto [dim, index] : llvm::enumerate(map.getResults()))
    if (std::optional<unsigned> loop = loopOf(index);
        loop && int64_t(dim) != rows && (reduces || dim + 1 != shape.size()))
      loops[*loop] = 0;
  return loops;
}
