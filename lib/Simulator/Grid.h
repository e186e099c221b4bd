//===- Grid.h - Which cells of a buffer an access touches -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SIMULATOR_GRID_H
#define TRN_LIB_SIMULATOR_GRID_H

#include "trn/Program/Program.h"

#include <algorithm>

namespace mlir::trn {

/// Where accesses of one buffer may meet. The buffer's bytes (of a partition,
/// if it is on chip) are rows of `pitch` bytes, cut into cells that are as
/// large as the buffer's accesses allow; its partitions form groups. Two
/// accesses conflict if they share a cell. Cells that do not divide an access
/// evenly make it larger, never smaller.
struct Grid {
  int64_t pitch = 1;
  int64_t rowsPerCell = 1;
  int64_t bytesPerCell = 1;
  int64_t partitionsPerCell = 1;
  int32_t groups = 1, rows = 1, columns = 1;

  int64_t numCells() const { return int64_t(groups) * rows * columns; }

  /// A box of cells: `groups` x `rows` x `columns` from `first` on.
  struct Box {
    int32_t first;
    int32_t groups, rows, columns;
  };
};

/// An access, prepared for `locate`.
struct GridAccess {
  /// In bytes, or in cells of the only row of the only group if `inCells`.
  LinearExpr offset;
  LinearExpr partition;
  bool inCells = false;
  int64_t partitions = 1;
  /// Rows between the first and the last one touched, and bytes of a row.
  int64_t rowSpan = 0;
  int64_t bytes = 0;

  /// The largest first column that keeps `columns` inside, if `inCells`.
  int64_t lastFirst = 0;
  int32_t columns = 0;

  Grid::Box locate(const Grid &grid, llvm::ArrayRef<int64_t> counters) const {
    if (!inCells)
      return locateBytes(grid, counters);
    int64_t first = offset.evaluate(counters);
    first = std::max<int64_t>(std::min(first, lastFirst), 0);
    return {static_cast<int32_t>(first), 1, 1, columns};
  }

private:
  Grid::Box locateBytes(const Grid &grid,
                        llvm::ArrayRef<int64_t> counters) const;
};

/// Makes the grid of a buffer from all `accesses` to it; `prepared` gets one
/// entry for each.
Grid makeGrid(const Buffer &buffer, llvm::ArrayRef<const Access *> accesses,
              llvm::SmallVectorImpl<GridAccess> &prepared);

} // namespace mlir::trn

#endif // TRN_LIB_SIMULATOR_GRID_H
