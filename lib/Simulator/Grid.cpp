//===- Grid.cpp - Which cells of a buffer an access touches ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Grid.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace mlir::trn;

/// Limits the memory of one buffer and the time of its largest access.
static constexpr int64_t maxColumns = 512, maxRows = 4096, maxCells = 16384;
/// Start partitions are quarters of the memory.
static constexpr int64_t maxGroups = 4;

namespace {
/// The free dims of an access in bytes, unit dims dropped and contiguous ones
/// merged: elements follow each other for `run` bytes, everything else strides.
struct Shape {
  int64_t run;
  llvm::SmallVector<Access::Dim, 4> strided;
  /// The lowest byte from the offset; below it if strides are negative.
  int64_t lowest = 0;
};
} // namespace

static Shape shapeOf(const Access &access, bool onChip) {
  int64_t element = byteSize(access.type);
  Shape shape{element, {}};
  llvm::SmallVector<Access::Dim, 4> dims;
  llvm::ArrayRef<Access::Dim> all(access.dims);
  for (const Access::Dim &dim : all.drop_front(onChip && !all.empty() ? 1 : 0))
    if (dim.size > 1) {
      dims.push_back({dim.size, std::abs(dim.stride) * element});
      shape.lowest +=
          std::min<int64_t>(dim.stride, 0) * element * (dim.size - 1);
    }
  std::sort(dims.begin(), dims.end(),
            [](const Access::Dim &a, const Access::Dim &b) {
              return a.stride < b.stride;
            });
  for (const Access::Dim &dim : dims) {
    if (dim.stride <= shape.run && shape.strided.empty())
      shape.run += (dim.size - 1) * dim.stride;
    else
      shape.strided.push_back(dim);
  }
  return shape;
}

/// The length of a row: what all strides are multiples of.
static int64_t findPitch(llvm::ArrayRef<Shape> shapes, int64_t bytes) {
  int64_t pitch = 0;
  for (const Shape &shape : shapes)
    for (const Access::Dim &dim : shape.strided)
      pitch = std::gcd(pitch, dim.stride);
  return pitch > 0 && pitch < bytes ? pitch : bytes;
}

/// Smallest multiple of `unit` (at least 1) that cuts `total` into at most
/// `limit` cells.
static int64_t cellSize(int64_t unit, int64_t total, int64_t limit) {
  unit = std::clamp<int64_t>(unit, 1, std::max<int64_t>(total, 1));
  int64_t needed = llvm::divideCeil(total, limit);
  return llvm::divideCeil(std::max<int64_t>(needed, 1), unit) * unit;
}

Grid mlir::trn::makeGrid(const Buffer &buffer,
                         llvm::ArrayRef<const Access *> accesses,
                         llvm::SmallVectorImpl<GridAccess> &prepared) {
  bool onChip = buffer.space != Space::Hbm;
  int64_t bytes =
      std::max<int64_t>(onChip ? buffer.bytesPerPartition : buffer.bytes, 1);
  llvm::SmallVector<Shape> shapes;
  for (const Access *access : accesses)
    shapes.push_back(shapeOf(*access, onChip));

  Grid grid;
  grid.pitch = findPitch(shapes, bytes);
  int64_t totalRows = llvm::divideCeil(bytes, grid.pitch);

  // Every number that a first or last row, byte or partition is made of.
  int64_t rowUnit = totalRows, byteUnit = grid.pitch;
  int64_t partitionUnit = std::max<int64_t>(buffer.partitions, 1);
  auto addOffset = [&](int64_t offset) {
    rowUnit = std::gcd(rowUnit, offset / grid.pitch);
    byteUnit = std::gcd(byteUnit, offset % grid.pitch);
  };
  for (auto [access, shape] : llvm::zip(accesses, shapes)) {
    GridAccess entry;
    entry.offset = access->offset * byteSize(access->type);
    entry.offset.constant += shape.lowest;
    entry.bytes = shape.run;
    for (const Access::Dim &dim : shape.strided) {
      int64_t length = (dim.size - 1) * dim.stride;
      if (dim.stride % grid.pitch == 0)
        entry.rowSpan += length / grid.pitch;
      else
        entry.bytes += length;
    }
    addOffset(entry.offset.constant);
    for (const LinearExpr::Term &term : entry.offset.terms)
      addOffset(term.coefficient);
    addOffset(entry.bytes);
    rowUnit = std::gcd(rowUnit, entry.rowSpan + (entry.bytes < grid.pitch));

    if (onChip && !access->dims.empty()) {
      entry.partition = access->partition;
      entry.partitions = access->dims.front().size;
      // Most accesses start at partition 0 and then need no groups.
      if (!access->partition.isConstant() || access->partition.constant != 0) {
        partitionUnit = std::gcd(partitionUnit, access->partition.constant);
        for (const LinearExpr::Term &term : access->partition.terms)
          partitionUnit = std::gcd(partitionUnit, term.coefficient);
      }
    }
    prepared.push_back(std::move(entry));
  }

  grid.bytesPerCell = cellSize(byteUnit, grid.pitch, maxColumns);
  grid.columns = llvm::divideCeil(grid.pitch, grid.bytesPerCell);
  grid.rowsPerCell =
      cellSize(rowUnit, totalRows, std::min(maxRows, maxCells / grid.columns));
  grid.rows = llvm::divideCeil(totalRows, grid.rowsPerCell);
  grid.partitionsPerCell =
      cellSize(partitionUnit, buffer.partitions, maxGroups);
  grid.groups = std::max<int64_t>(
      llvm::divideCeil(buffer.partitions, grid.partitionsPerCell), 1);

  for (GridAccess &entry : prepared) {
    auto isWhole = [&](int64_t value) {
      return value % grid.bytesPerCell == 0;
    };
    entry.inCells = grid.groups == 1 && grid.rows == 1 && grid.pitch >= bytes &&
                    isWhole(entry.offset.constant) && isWhole(entry.bytes);
    for (const LinearExpr::Term &term : entry.offset.terms)
      entry.inCells &= isWhole(term.coefficient);
    if (!entry.inCells)
      continue;
    entry.offset.constant /= grid.bytesPerCell;
    for (LinearExpr::Term &term : entry.offset.terms)
      term.coefficient /= grid.bytesPerCell;
    entry.columns =
        std::min<int64_t>(entry.bytes / grid.bytesPerCell, grid.columns);
    entry.lastFirst = grid.columns - entry.columns;
  }
  return grid;
}

/// The cells [first, first + count) of `limit` that hold [begin, last].
static void cover(int64_t begin, int64_t last, int64_t cell, int32_t limit,
                  int32_t &first, int32_t &count) {
  first = std::clamp<int64_t>(begin / cell, 0, limit - 1);
  count = std::clamp<int64_t>(last / cell, first, limit - 1) - first + 1;
}

Grid::Box GridAccess::locateBytes(const Grid &grid,
                                  llvm::ArrayRef<int64_t> counters) const {
  Grid::Box box;
  int32_t group = 0, row = 0, column;
  box.groups = grid.groups;
  if (grid.groups > 1) {
    int64_t start = partition.evaluate(counters);
    cover(start, start + partitions - 1, grid.partitionsPerCell, grid.groups,
          group, box.groups);
  }
  int64_t begin = std::max<int64_t>(offset.evaluate(counters), 0);
  int64_t firstRow = begin / grid.pitch;
  int64_t firstByte = begin - firstRow * grid.pitch;
  int64_t lastByte = firstByte + bytes - 1;
  int64_t lastRow = firstRow + rowSpan;
  if (lastByte >= grid.pitch) {
    // Runs over the end of its row: take whole rows.
    lastRow += lastByte / grid.pitch;
    firstByte = 0;
    lastByte = grid.pitch - 1;
  }
  cover(firstRow, lastRow, grid.rowsPerCell, grid.rows, row, box.rows);
  cover(firstByte, lastByte, grid.bytesPerCell, grid.columns, column,
        box.columns);
  box.first = (group * grid.rows + row) * grid.columns + column;
  return box;
}
