//===- SliceIndices.cpp - Constant indices as slices ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A generic may read one column of a tensor by a constant index
//
//   %o = linalg.generic (i, j) -> (i, 3) ins(%x)     tensor<64x64xf32>
//
// That is the first and only column of a slice, and so is all that is said of
// these:
//
//   %c = tensor.extract_slice %x[0, 3] [64, 1]
//   %o = linalg.generic (i, j) -> (i, 0) ins(%c)     tensor<64x1xf32>

#include "OneSpelling.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

/// Slices `operand` of `op`, if it has constant indices of dimensions that are
/// not one.
static void slice(linalg::GenericOp op, OpOperand &operand) {
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  if (!type || type.getEncoding())
    return;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<int64_t> sizes(type.getShape()), offsets(type.getRank()),
      strides(type.getRank(), 1);
  SmallVector<AffineExpr> exprs(map.getResults());
  for (auto [i, expr] : llvm::enumerate(exprs))
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      offsets[i] = constant.getValue();
      sizes[i] = 1;
      expr = getAffineConstantExpr(0, op.getContext());
    }
  RankedTensorType sliced = type.clone(sizes);
  if (sliced == type || !sliced.hasStaticShape())
    return;
  OpBuilder builder(op);
  operand.set(tensor::ExtractSliceOp::create(
      builder, op.getLoc(), sliced, operand.get(), ValueRange(), ValueRange(),
      ValueRange(), offsets, sizes, strides));
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[operand.getOperandNumber()] =
      AffineMap::get(map.getNumDims(), 0, exprs, op.getContext());
  op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
}

void mlir::trn::sliceIndices(func::FuncOp func) {
  func.walk([](linalg::GenericOp op) {
    if (op.hasPureTensorSemantics())
      for (OpOperand *operand : op.getDpsInputOperands())
        slice(op, *operand);
  });
}
