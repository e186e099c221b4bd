//===- KernelBatches.cpp - What a kernel runs over ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBatches.h"

#include "trn/Transforms/Normalize/GroupMatcher.h"
#include "trn/Transforms/Normalize/ProductLoops.h"

using namespace mlir;
using namespace mlir::trn;

SmallVector<Dimension> mlir::trn::findBatches(func::FuncOp kernel,
                                              const Dimensions &dimensions) {
  SmallVector<Dimension> batches;
  for (auto op : kernel.getOps<linalg::ContractOp>())
    if (auto kinds = classifyMatrices(op))
      for (auto [position, index] :
           llvm::enumerate(op.getIndexingMapsArray()[2].getResults()))
        if (auto loop = dyn_cast<AffineDimExpr>(index);
            loop && (*kinds)[loop.getPosition()] == LoopKind::Batch)
          batches.push_back({op->getResult(0), position});
  // All dimensions of `tensor` but its rows and as many columns.
  auto addOthers = [&](Value tensor, int64_t columns) {
    auto isKnown = [&](int64_t dim) {
      return llvm::any_of(batches, [&](Dimension batch) {
        return dimensions.areTied(batch, {tensor, dim});
      });
    };
    auto shape =
        cast<ShapedType>(tensor.getType()).getShape().drop_back(columns);
    for (int64_t dim = 0, rows = chooseRows(shape, isKnown);
         dim < int64_t(shape.size()); ++dim)
      if (dim != rows)
        batches.push_back({tensor, dim});
  };
  bool isElementwise = kernel.getOps<linalg::ContractOp>().empty();
  for (auto op : kernel.getOps<linalg::GenericOp>())
    if (isReduction(op)) {
      addOthers(op->getResult(0), /*columns=*/0);
      isElementwise = false;
    } else if (matchGroupReduction(op)) {
      isElementwise = false;
    }
  if (isElementwise)
    for (auto op : kernel.getOps<linalg::GenericOp>())
      addOthers(op->getResult(0), /*columns=*/1);
  return batches;
}
