//===- DmaWork.h - What a transfer asks of the DMA --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_DMAWORK_H
#define TRN_PROGRAM_DMAWORK_H

#include "trn/Program/Instruction.h"

namespace mlir::trn {

using AccessDims = llvm::SmallVector<Access::Dim, 4>;

/// Rewrites views of equal shape so that they visit the same elements in the
/// same order with as few dims as possible: dims of size one vanish and two
/// neighbouring dims become one where they are contiguous in *all* views. With
/// `keepFirst`, dim 0 stays as it is; views on chip need that, because their
/// dim 0 walks over partitions.
void mergeDims(llvm::ArrayRef<AccessDims *> views, bool keepFirst);

/// One side of a transfer. Dim 0 of an on-chip side is the partition.
struct DmaSide {
  llvm::ArrayRef<Access::Dim> dims;
  Space space;
  ElementType type;
};

/// Bytes (of the wider type, for a transfer that converts) and descriptors of a
/// transfer between two views of equal shape. A descriptor moves elements that
/// are contiguous on both sides and, on chip, in one partition.
Work dmaWork(const DmaSide &read, const DmaSide &write);

/// The same for one that transposes. The engines read whole rows and write
/// whole rows: each side counts as it lies in memory, and the rows of the finer
/// one are what is moved at a time.
Work dmaTransposeWork(const DmaSide &read, const DmaSide &write);

/// The same for one that moves a row for each partition of the tile `tile`, a
/// row of HBM having the dims `row`: none of them is contiguous with the next.
Work dmaRowsWork(llvm::ArrayRef<Access::Dim> row, ElementType rowType,
                 const DmaSide &tile);

/// A copy moves elements in row-major order of its view, so neighbouring dims
/// that are contiguous on both sides can be one; the fewer, the faster it is
/// executed. `onChip`: one of the sides is.
void mergeCopy(Instruction &copy, bool onChip);

} // namespace mlir::trn

#endif // TRN_PROGRAM_DMAWORK_H
