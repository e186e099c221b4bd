//===- DmaWork.h - Bytes and descriptors of a transfer ----------*- C++ -*-===//
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

/// Rewrites views of equal shape to visit the same elements in the same order
/// with as few dims as possible. Dims of size one vanish, and neighbouring dims
/// that are contiguous in *all* views become one. `keepFirst` keeps dim 0: on
/// chip it walks over partitions.
void mergeDims(llvm::ArrayRef<AccessDims *> views, bool keepFirst);

/// One side of a transfer. Dim 0 of an on-chip side is the partition.
struct DmaSide {
  llvm::ArrayRef<Access::Dim> dims;
  Space space;
  ElementType type;
};

/// Bytes (of the wider type, if it converts) and descriptors of a transfer
/// between views of equal shape. A descriptor moves elements that are
/// contiguous on both sides and, on chip, in one partition.
Work dmaWork(const DmaSide &read, const DmaSide &write);

/// The same for a transfer that transposes. The DMA engines read and write
/// whole rows as each side has them in memory; the shorter rows are the unit.
Work dmaTransposeWork(const DmaSide &read, const DmaSide &write);

/// The same for a transfer of a row for each partition of `tile`. A row of HBM
/// has the dims `row`, and no row is contiguous with the next.
Work dmaRowsWork(llvm::ArrayRef<Access::Dim> row, ElementType rowType,
                 const DmaSide &tile);

/// Merges dims of a copy, which moves elements in row-major order, if they are
/// contiguous on both sides: fewer dims run faster. `onChip`: one of the sides
/// is.
void mergeCopy(Instruction &copy, bool onChip);

} // namespace mlir::trn

#endif // TRN_PROGRAM_DMAWORK_H
