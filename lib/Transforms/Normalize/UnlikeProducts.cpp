//===- UnlikeProducts.cpp - What could be written as a product ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Normalize/GroupMatcher.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::trn;

/// The op that `value`, which the body of an op yields, is computed by, if
/// nothing else is in the body.
template <typename OpTy>
static OpTy onlyOp(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  auto only = op->getNumResults() == 1
                  ? body.getTerminator()->getOperand(0).getDefiningOp<OpTy>()
                  : OpTy();
  return only && llvm::hasSingleElement(body.without_terminator()) ? only
                                                                   : OpTy();
}

/// The op that multiplies what `op` sums, of two tensors element by element.
static linalg::LinalgOp findFactors(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInputs() != 1 ||
      !onlyOp<arith::AddFOp>(op))
    return {};
  auto factors =
      op.getDpsInputOperand(0)->get().getDefiningOp<linalg::LinalgOp>();
  bool isProduct = factors && factors.isAllParallelLoops() &&
                   factors.getNumDpsInputs() == 2 &&
                   factors.getDpsInputs()[0] != factors.getDpsInputs()[1] &&
                   onlyOp<arith::MulFOp>(factors);
  return isProduct ? factors : linalg::LinalgOp();
}

void mlir::trn::remarkUnlikeProduct(linalg::LinalgOp op) {
  if (matchGroupReduction(op))
    return;
  if (linalg::isaConvolutionOpInterface(op)) {
    remarkLeftAlone(op, "it is a convolution of windows that overlap, leave "
                        "gaps, or are not those of linalg.conv_2d_nhwc_hwcf, "
                        "_nhwc_fhwc or _nchw_fchw on static tensors; write it "
                        "as a product of gathered windows (im2col)");
    return;
  }
  if (linalg::LinalgOp factors = findFactors(op))
    remarkLeftAlone(op, "it sums what another op multiplies; write both as one "
                        "linalg.generic or linalg.contract")
            .attachNote(factors.getLoc())
        << "multiplied here";
}
