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

bool DmaGatherOp::mayAccumulate(OpOperand &) { return getSkip(); }

// Other rows stay as they are.
bool DmaScatterOp::mayAccumulate(OpOperand &) { return true; }

/// Whether one index chooses a block for all partitions of a tile, which has no
/// dimension for it.
static bool choosesBlock(MemRefType rows, MemRefType tile) {
  return rows.getRank() == tile.getRank() + 1;
}

/// Of `rows`, whose first dimension is the one that is chosen in.
static LogicalResult verifyRows(Operation *op, StringRef rowsName, Value rows,
                                StringRef tileName, Value tile) {
  auto table = cast<MemRefType>(rows.getType());
  auto held = cast<MemRefType>(tile.getType());
  auto row = table.getShape().drop_front(), own = held.getShape();
  bool isBlock = choosesBlock(table, held);
  if (!isBlock)
    own = own.drop_front();
  if (row == own)
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError();
  diagnostic << "rows of " << rowsName << " are ";
  llvm::interleave(row, diagnostic, "x");
  diagnostic << (isBlock ? ", but " : ", but partitions of ") << tileName
             << (isBlock ? " is " : " are ");
  llvm::interleave(own, diagnostic, "x");
  return noteOperand(diagnostic, tileName, tile);
}

/// One for each partition, or a single one.
static LogicalResult verifyIndices(Operation *op, Value rows, Value indices,
                                   StringRef tileName, Value tile) {
  auto table = cast<MemRefType>(rows.getType());
  auto shape = cast<MemRefType>(indices.getType());
  if (!choosesBlock(table, cast<MemRefType>(tile.getType())))
    return verifyColumn(op, "indices", indices, tileName, tile);
  if (shape.getNumElements() == 1)
    return success();
  return op->emitOpError("indices must hold one value, which chooses a block "
                         "for all partitions of ")
         << tileName << ", but has " << shape.getNumElements();
}

/// Partitions are those of SBUF; a tensor in HBM goes as a whole.
static LogicalResult verifyPlace(Operation *op, Value rows, StringRef tileName,
                                 Value tile) {
  auto held = cast<MemRefType>(tile.getType());
  if (getMemorySpace(held) == MemorySpace::Sbuf)
    return verifyPartitions(op, tileName, tile);
  if (choosesBlock(cast<MemRefType>(rows.getType()), held))
    return success();
  return op->emitOpError()
         << tileName << " is in hbm, which has no partitions to choose rows "
         << "for; go through a tile in sbuf, or choose all of it by one index";
}

LogicalResult DmaGatherOp::verify() {
  // dma_gather_c1
  if (failed(verifyRows(*this, "src", getSrc(), "dst", getDst())))
    return failure();
  // dma_gather_c2
  if (failed(verifyIndices(*this, getSrc(), getIndices(), "dst", getDst())))
    return failure();
  // dma_gather_c3, dma_gather_c4
  return verifyPlace(*this, getSrc(), "dst", getDst());
}

LogicalResult DmaScatterOp::verify() {
  // dma_scatter_c1
  if (failed(verifyRows(*this, "dst", getDst(), "src", getSrc())))
    return failure();
  // dma_scatter_c2
  if (failed(verifyIndices(*this, getDst(), getIndices(), "src", getSrc())))
    return failure();
  // dma_scatter_c3, dma_scatter_c4
  return verifyPlace(*this, getDst(), "src", getSrc());
}

LogicalResult DmaTransposeOp::verifyOn(const Machine &machine) {
  // dma_transpose_m1
  if (!machine.dmaTranspose)
    return emitOpError("the DMA of ")
           << machine.name
           << " cannot transpose; use trn.transpose on the tensor engine";
  return success();
}
