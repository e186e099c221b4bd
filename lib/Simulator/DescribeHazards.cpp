//===- DescribeHazards.cpp - What instructions will wait for --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hazards.h"
#include "States.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;

static void addUses(const EngineUses &uses, StateWriter &writer) {
  for (int64_t until : uses.until)
    writer.addUse(until);
}

/// Which engine it was is of no interest once it is long ago.
static void addCell(const CellUses &cell, StateWriter &writer) {
  writer.addUse(cell.visible);
  writer.addUse(cell.readUntil);
  writer.addUse(cell.othersReadUntil);
  writer.add(writer.isPast(cell.visible) ? -1 : int64_t(cell.writer));
  writer.add(writer.isPast(cell.readUntil) ? -1 : int64_t(cell.reader));
}

static bool isPast(const CellUses &cell, const StateWriter &writer) {
  return writer.isPast(cell.visible) && writer.isPast(cell.readUntil) &&
         writer.isPast(cell.othersReadUntil);
}

void Hazards::describeBuffer(int32_t buffer, StateWriter &writer) const {
  const int32_t first = firstSlot[buffer];
  writer.add(first < 0 ? -1 : currentSlot[buffer] - first);
  if (first < 0)
    return;
  const Grid &grid = grids[buffer];
  for (int64_t size :
       {grid.pitch, grid.rowsPerCell, grid.bytesPerCell, grid.partitionsPerCell,
        int64_t(grid.groups), int64_t(grid.rows), int64_t(grid.columns)})
    writer.add(size);
  for (size_t i = first; i < slots.size() && slots[i].buffer == buffer; ++i) {
    const Slot &slot = slots[i];
    addUses(slot.used, writer);
    addUses(slot.before, writer);
    for (int64_t cell = 0; cell < grid.numCells(); ++cell)
      if (const CellUses &uses = cells[slot.firstCell + cell];
          !isPast(uses, writer)) {
        writer.add(cell);
        addCell(uses, writer);
      }
    writer.add(-1);
  }
}

/// What held addresses in parts that are over is only uses of them; what the
/// part at hand holds may be used on.
void Hazards::describeSegments(llvm::ArrayRef<int32_t> tiles,
                               StateWriter &writer) const {
  llvm::SmallDenseMap<int32_t, int32_t> numbers;
  for (auto [number, tile] : llvm::enumerate(tiles))
    numbers[tile] = number;
  for (const Segment &segment : segments) {
    EngineUses left = segment.left;
    int64_t holder = -1, slot = -1;
    if (segment.holder >= 0) {
      const Slot &held = slots[segment.holder];
      auto number = numbers.find(held.buffer);
      if (number == numbers.end()) {
        held.used.addTo(left);
      } else {
        holder = number->second;
        slot = segment.holder - firstSlot[held.buffer];
      }
    }
    writer.add(holder);
    writer.add(slot);
    addUses(left, writer);
  }
}

void Hazards::describe(llvm::ArrayRef<int32_t> memory,
                       llvm::ArrayRef<int32_t> tiles,
                       StateWriter &writer) const {
  llvm::SmallDenseMap<int32_t, int64_t> known;
  for (auto [number, buffer] : llvm::enumerate(memory)) {
    if (buffer < 0) {
      writer.add(-2); // the end of a part
      continue;
    }
    auto [it, isNew] = known.try_emplace(buffer, int64_t(number));
    writer.add(it->second);
    if (isNew)
      describeBuffer(buffer, writer);
  }
  for (int32_t tile : tiles)
    describeBuffer(tile, writer);
  describeSegments(tiles, writer);
}
