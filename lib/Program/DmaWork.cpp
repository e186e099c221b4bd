//===- DmaWork.cpp - What a transfer asks of the DMA ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/DmaWork.h"

#include <algorithm>

using namespace mlir::trn;

void mlir::trn::mergeDims(llvm::ArrayRef<AccessDims *> views, bool keepFirst) {
  size_t rank = views.front()->size();
  // `kept` dims at the front of each view are final but for growing inwards.
  size_t fixed = keepFirst && rank > 0 ? 1 : 0;
  size_t kept = fixed;
  for (size_t dim = fixed; dim < rank; ++dim) {
    if ((*views.front())[dim].size == 1)
      continue;
    bool contiguous = kept > fixed;
    for (AccessDims *view : views)
      contiguous = contiguous && (*view)[kept - 1].stride ==
                                     (*view)[dim].stride * (*view)[dim].size;
    for (AccessDims *view : views) {
      if (contiguous)
        (*view)[kept - 1] = {(*view)[kept - 1].size * (*view)[dim].size,
                             (*view)[dim].stride};
      else
        (*view)[kept] = (*view)[dim];
    }
    if (!contiguous)
      ++kept;
  }
  for (AccessDims *view : views)
    view->truncate(kept);
}

Work mlir::trn::dmaWork(const DmaSide &read, const DmaSide &write) {
  AccessDims readDims(read.dims), writeDims(write.dims);
  bool onChip = read.space != Space::Hbm || write.space != Space::Hbm;
  mergeDims({&readDims, &writeDims}, onChip);

  int64_t elements = 1;
  for (const Access::Dim &dim : readDims)
    elements *= dim.size;
  int64_t run = 1;
  if (readDims.size() > (onChip ? 1 : 0) && readDims.back().stride == 1 &&
      writeDims.back().stride == 1)
    run = readDims.back().size;

  Work work;
  work.bytes = elements * std::max(byteSize(read.type), byteSize(write.type));
  work.descriptors = run == 0 ? 0 : elements / run;
  return work;
}

Work mlir::trn::dmaRowsWork(llvm::ArrayRef<Access::Dim> row,
                            ElementType rowType, const DmaSide &tile) {
  AccessDims hbm(row);
  if (hbm.size() < tile.dims.size()) // else a row has the partitions, too
    hbm.insert(hbm.begin(), {tile.dims.front().size, 1});
  return dmaWork({hbm, Space::Hbm, rowType}, tile);
}

Work mlir::trn::dmaTransposeWork(const DmaSide &read, const DmaSide &write) {
  Work work = dmaWork(read, read);
  work.descriptors =
      std::max(work.descriptors, dmaWork(write, write).descriptors);
  return work;
}

void mlir::trn::mergeCopy(Instruction &copy, bool onChip) {
  AccessDims &read = copy.reads.front().dims;
  AccessDims &write = copy.writes.front().dims;
  mergeDims({&read, &write}, onChip);
  for (AccessDims *dims : {&read, &write})
    while (dims->size() < (onChip ? 2 : 1))
      dims->push_back({1, 1});
}
