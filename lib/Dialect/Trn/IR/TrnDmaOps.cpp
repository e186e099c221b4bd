//===- TrnDmaOps.cpp - Transfers by the DMA engines -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyTiles.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

using namespace mlir;
using namespace mlir::trn;

LogicalResult DmaCopyOp::verify() {
  // dma_copy_c1
  return verifySameShape(*this, "src", getSrc(), "dst", getDst());
}

LogicalResult DmaTransposeOp::verify() {
  MemRefType src = getSrc().getType(), dst = getDst().getType();
  // dma_transpose_c1
  if (src.getDimSize(0) != dst.getDimSize(1) ||
      src.getDimSize(1) != dst.getDimSize(0))
    return emitOpError("dst must be ")
           << src.getDimSize(1) << "x" << src.getDimSize(0)
           << ", the transposed shape of src, but is " << dst.getDimSize(0)
           << "x" << dst.getDimSize(1);
  // dma_transpose_c2
  if (src.getElementType() != dst.getElementType())
    return emitOpError("src and dst must have the same element type, but are ")
           << src.getElementType() << " and " << dst.getElementType()
           << "; a transposing transfer does not convert";
  // dma_transpose_c3
  if (src.getElementType().isF32())
    return emitOpError("moves elements of 2 bytes, but src has elements of 4 "
                       "bytes (f32); transpose on the tensor engine instead");
  return success();
}

LogicalResult DmaTransposeOp::verifyOn(const Machine &machine) {
  // dma_transpose_m1
  if (!machine.dmaTranspose)
    return emitOpError("the DMA of ")
           << machine.name
           << " cannot transpose; use trn.transpose on the tensor engine";
  return success();
}
