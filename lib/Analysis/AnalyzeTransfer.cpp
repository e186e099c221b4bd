//===- AnalyzeTransfer.cpp - Transfers.cpp --------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelAnalysisParts.h"
#include "trn/Machine/Machine.h"
#include "trn/Program/DmaWork.h"
#include "trn/Simulator/Cost.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::trn;

bool trn::isInHbm(Value memref) {
  return getMemorySpace(memref.getType()) == MemorySpace::Hbm;
}

/// The memref that `memref` is a view of.
static Value rootOf(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (!isa<ViewLikeOpInterface, memref::TransposeOp>(op))
      break;
    memref = op->getOperand(0);
  }
  return memref;
}

/// Elements of the last dim of the whole matrix.
static int64_t columnsOf(Value memref) {
  auto type = dyn_cast<MemRefType>(rootOf(memref).getType());
  if (!type || type.getRank() == 0 || type.isDynamicDim(type.getRank() - 1))
    return 0;
  return type.getShape().back();
}

/// Elements that follow each other in one side of a transfer. Dim 0 stays what
/// it is if it goes to different partitions on the other side.
static int64_t runOf(const Access &access, bool keepFirst) {
  AccessDims dims(access.dims);
  mergeDims({&dims}, keepFirst);
  bool hasRow = dims.size() > (keepFirst ? 1 : 0);
  return hasRow && dims.back().stride == 1 ? dims.back().size : 1;
}

static RowEnd findRowEnd(const Access *hbm, int64_t row, int64_t columns,
                         bool onChip) {
  if (!hbm || row < runOf(*hbm, onChip))
    return RowEnd::OnChip;
  bool isDense = hbm->dims.empty() || hbm->dims.back().stride == 1 ||
                 hbm->dims.back().size == 1;
  if (!isDense)
    return RowEnd::Elements;
  return row < columns ? RowEnd::View : RowEnd::Matrix;
}

TransferAnalysis trn::analyzeTransfer(Operation *op,
                                      const Instruction &instruction,
                                      ArrayRef<Value> memrefs,
                                      const Machine &machine,
                                      const Costs &costs) {
  const Work &work = instruction.work;
  const Access *hbm = nullptr, *chip = nullptr;
  for (const Access *side :
       {&instruction.reads.front(), &instruction.writes.front()})
    (isInHbm(memrefs[side->buffer]) ? hbm : chip) = side;

  TransferAnalysis transfer = {};
  transfer.op = op;
  transfer.bytes = work.bytes;
  transfer.rows = work.descriptors;
  transfer.rowBytes = work.bytes / std::max<int64_t>(work.descriptors, 1);
  transfer.elementBytes =
      work.bytes /
      std::max<int64_t>(
          (chip ? *chip : instruction.reads.front()).numElements(), 1);
  transfer.matrixColumns = hbm ? columnsOf(memrefs[hbm->buffer]) : 0;
  bool transposed = instruction.semantics == Semantics::Transpose;
  int64_t row = transfer.rowBytes / std::max<int64_t>(transfer.elementBytes, 1);
  transfer.rowEnd = transposed ? RowEnd::Tile
                               : findRowEnd(hbm, row, transfer.matrixColumns,
                                            chip != nullptr);
  // What the vendor calls the least efficient size is half of what saturates.
  transfer.hasShortRows = transfer.rowBytes < machine.dmaSaturatingBytes / 2;

  // Before partitions are folded there may be more of them.
  int64_t partitions =
      chip && !chip->dims.empty()
          ? std::min(chip->dims.front().size, machine.partitions)
          : 1;
  for (int64_t engine = 0; engine < costs.dmaEngines; ++engine) {
    DmaShare share = chip ? costs.share(work, engine, /*first=*/0, partitions)
                          : costs.share(work, engine);
    transfer.engines += share.bytes > 0;
    transfer.ns = std::max(
        transfer.ns, costs.of(instruction).moved(share, transposed) / 1000.0);
  }
  return transfer;
}
