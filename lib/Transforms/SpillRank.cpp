//===- SpillRank.cpp - Keep a part of Y in HBM ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpillRank.h"

#include "Stages.h"
#include "TensorMemory.h"
#include "TileAndFuse.h"

using namespace mlir;
using namespace mlir::trn;

void mlir::trn::spillRank(IRRewriter &rewriter, linalg::LinalgOp last,
                          int64_t resident) {
  auto product = cast<linalg::MatmulOp>(getProducer(last));
  int64_t rank = product.getStaticLoopRanges()[2];
  unsigned y = isEviction(product.getInputs()[0].getDefiningOp()) ? 0 : 1;
  rewriter.setInsertionPoint(product);
  Value sum = product.getOutputs()[0];
  SmallVector<linalg::LinalgOp> parts;
  for (auto [offset, size] : {std::pair<int64_t, int64_t>(0, resident),
                              {resident, rank - resident}}) {
    if (size == 0)
      continue;
    SmallVector<Value> operands;
    for (Value operand : product.getInputs())
      operands.push_back(sliceRows(rewriter, product.getLoc(), operand,
                                   rewriter.getIndexAttr(offset), size));
    auto part =
        cast<linalg::LinalgOp>(*rewriter.clone(*product.getOperation()));
    parts.push_back(part);
    part->setOperands(0, 2, operands);
    part->setOperand(2, sum);
    sum = part->getResult(0);
    OpBuilder::InsertionGuard guard(rewriter);
    fuseSlices(rewriter, part, llvm::IsaPred<linalg::LinalgOp>);
    if (offset == 0 && resident > 0)
      continue;
    auto spilled = part->getOperand(y).getDefiningOp<linalg::LinalgOp>();
    rewriter.setInsertionPoint(spilled);
    spilled.setDpsInitOperand(
        0,
        allocateTensor(rewriter, spilled.getLoc(),
                       cast<RankedTensorType>(spilled->getResult(0).getType()),
                       MemorySpace::Hbm));
  }
  // Both parts of Y come before both products, so that one loop can make them.
  for (linalg::LinalgOp part : parts)
    rewriter.moveOpBefore(part, product);
  rewriter.replaceOp(product, sum);
}
