//===- Hazards.cpp - When regions of memory may be used -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hazards.h"

#include "trn/Machine/Machine.h"
#include "trn/Simulator/Cost.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace mlir::trn;

Hazards::Hazards(const Program &program, const Machine &machine,
                 int64_t semaphore, TimelineSink *timeline)
    : program(program), semaphore(semaphore), timeline(timeline) {
  buildBuffers();
  buildSegments(machine);
}

/// By buffer, what happens to its contents. Of those in HBM only what is both
/// read and written has hazards between queues; within a queue transfers keep
/// their order.
static std::vector<bool> findTracked(const Program &program) {
  std::vector<bool> isRead(program.buffers.size(), false);
  std::vector<uint32_t> writers(program.buffers.size(), 0);
  for (const Instruction &instruction : program.instructions) {
    for (const Access &access : instruction.reads)
      isRead[access.buffer] = true;
    for (const Access &access : instruction.writes)
      writers[access.buffer] |= 1u << static_cast<unsigned>(instruction.engine);
  }
  std::vector<bool> isTracked(program.buffers.size(), true);
  for (auto [index, buffer] : llvm::enumerate(program.buffers)) {
    bool severalWriters = (writers[index] & (writers[index] - 1)) != 0;
    if (buffer.space == Space::Hbm)
      isTracked[index] = severalWriters || (isRead[index] && writers[index]);
  }
  return isTracked;
}

void Hazards::buildBuffers() {
  size_t numBuffers = program.buffers.size();
  std::vector<std::vector<const Access *>> accesses(numBuffers);
  for (const Instruction &instruction : program.instructions) {
    for (const Access &access : instruction.reads)
      accesses[access.buffer].push_back(&access);
    for (const Access &access : instruction.writes)
      accesses[access.buffer].push_back(&access);
  }

  std::vector<bool> isTracked = findTracked(program);
  // Entry k of `prepared` belongs to access k of the buffer.
  std::vector<llvm::SmallVector<GridAccess, 0>> prepared(numBuffers);
  grids.resize(numBuffers);
  firstSlot.assign(numBuffers, -1);
  int64_t numCells = 0;
  for (size_t i = 0; i < numBuffers; ++i) {
    if (accesses[i].empty() || !isTracked[i])
      continue;
    const Buffer &buffer = program.buffers[i];
    grids[i] = makeGrid(buffer, accesses[i], prepared[i]);
    firstSlot[i] = slots.size();
    int64_t numSlots = std::max<int64_t>(buffer.slots, 1);
    for (int64_t slot = 0; slot < numSlots; ++slot) {
      slots.push_back({int32_t(i), int32_t(numCells)});
      numCells += grids[i].numCells();
    }
  }
  cells.resize(numCells);
  currentSlot = firstSlot;

  std::vector<size_t> next(numBuffers, 0);
  for (const Instruction &instruction : program.instructions) {
    regionsBegin.push_back(regions.size());
    auto add = [&](const Access &access, bool isWrite) {
      if (firstSlot[access.buffer] >= 0)
        regions.push_back({access.buffer, isWrite,
                           prepared[access.buffer][next[access.buffer]++]});
    };
    for (const Access &access : instruction.reads)
      add(access, false);
    for (const Access &access : instruction.writes)
      add(access, true);
  }
  regionsBegin.push_back(regions.size());
  for (size_t i = 0; i + 1 < regionsBegin.size(); ++i)
    found.resize(
        std::max<size_t>(found.size(), regionsBegin[i + 1] - regionsBegin[i]));
}

Hazards::Address Hazards::addressOf(int32_t index,
                                    const Machine &machine) const {
  const Buffer &buffer = program.buffers[slots[index].buffer];
  int64_t number = index - firstSlot[slots[index].buffer];
  return {buffer.space, slotBegin(buffer, number, machine)};
}

void Hazards::buildSegments(const Machine &machine) {
  auto isOnChip = [&](const Slot &slot) {
    return program.buffers[slot.buffer].space != Space::Hbm;
  };
  auto endOf = [&](const Slot &slot, Address begin) {
    return Address{begin.first,
                   begin.second +
                       program.buffers[slot.buffer].bytesPerPartition};
  };
  std::vector<Address> begins, bounds;
  for (auto [index, slot] : llvm::enumerate(slots)) {
    begins.push_back(addressOf(int32_t(index), machine));
    if (isOnChip(slot))
      bounds.insert(bounds.end(), {begins.back(), endOf(slot, begins.back())});
  }
  llvm::sort(bounds);
  bounds.erase(llvm::unique(bounds), bounds.end());
  segments.resize(bounds.size());
  auto segmentAt = [&](Address bound) {
    return int32_t(llvm::lower_bound(bounds, bound) - bounds.begin());
  };
  for (auto [slot, begin] : llvm::zip_equal(slots, begins))
    if (isOnChip(slot)) {
      slot.firstSegment = segmentAt(begin);
      slot.endSegment = segmentAt(endOf(slot, begin));
    }
}

void Hazards::reportLifetime(Slot &slot) {
  bool onChip = program.buffers[slot.buffer].space != Space::Hbm;
  int64_t number = &slot - &slots[firstSlot[slot.buffer]];
  if (timeline && onChip && slot.end != neverUsed)
    timeline->lifetime({slot.buffer, number, slot.begin, slot.end});
  slot.begin = slot.end = neverUsed;
}

void Hazards::alloc(int32_t buffer, int64_t number) {
  if (firstSlot[buffer] < 0)
    return;
  currentSlot[buffer] = firstSlot[buffer] + number;
  Slot &slot = slots[currentSlot[buffer]];
  reportLifetime(slot);

  if (!takeOver(currentSlot[buffer]))
    return;
  // As if the earlier buffer's users read the new one: writers wait for them.
  for (CellUses &cell : llvm::MutableArrayRef<CellUses>(cells).slice(
           slot.firstCell, grids[buffer].numCells()))
    for (int engine = 0; engine < numEngines; ++engine)
      cell.read(static_cast<Engine>(engine), slot.before.until[engine]);
}

bool Hazards::takeOver(int32_t index) {
  Slot &slot = slots[index];
  bool isLater = false;
  for (int32_t i = slot.firstSegment; i < slot.endSegment; ++i) {
    Segment &segment = segments[i];
    if (segment.holder == index)
      continue; // nobody else has been here
    if (segment.holder >= 0)
      slots[segment.holder].used.addTo(segment.left);
    segment.holder = index;
    isLater |= segment.left.addTo(slot.before);
  }
  return isLater;
}

template <typename Visit>
void Hazards::forEachCell(const Found &found, Visit visit) {
  const Grid &grid = *found.grid;
  CellUses *group = found.first;
  if (found.box.groups == 1 && found.box.rows == 1) {
    for (int32_t c = 0; c < found.box.columns; ++c)
      visit(group[c]);
    return;
  }
  for (int32_t g = 0; g < found.box.groups; ++g) {
    CellUses *row = group;
    for (int32_t r = 0; r < found.box.rows; ++r) {
      for (int32_t c = 0; c < found.box.columns; ++c)
        visit(row[c]);
      row += grid.columns;
    }
    group += int64_t(grid.rows) * grid.columns;
  }
}

Hazards::Ready Hazards::ready(int32_t instruction, Engine engine,
                              llvm::ArrayRef<int64_t> counters) {
  Ready ready;
  numFound = 0;
  for (int32_t i = regionsBegin[instruction]; i < regionsBegin[instruction + 1];
       ++i) {
    const Region &region = regions[i];
    const Grid &grid = grids[region.buffer];
    Slot &slot = slots[currentSlot[region.buffer]];
    // Written in place: this is the hot path.
    Found &here = found[numFound++];
    here.box = region.access.locate(grid, counters);
    here.slot = &slot;
    here.first = &cells[slot.firstCell + here.box.first];
    here.grid = &grid;
    here.isWrite = region.isWrite;
    if (!region.isWrite) {
      forEachCell(here, [&](const CellUses &cell) {
        int64_t handoff = cell.writer == engine ? 0 : semaphore;
        ready.data = std::max(ready.data, cell.visible + handoff);
        ready.dataWithoutSemaphore =
            std::max(ready.dataWithoutSemaphore, cell.visible);
      });
      continue;
    }
    // An engine completes in order, so it never waits to overwrite its own.
    int64_t until = neverUsed;
    forEachCell(here, [&](const CellUses &cell) {
      until = std::max(until, cell.usedUntil(engine));
    });
    if (until + semaphore > ready.overwrite) {
      ready.overwrite = until + semaphore;
      ready.overwritesBank =
          program.buffers[region.buffer].space == Space::Psum;
    }
  }
  return ready;
}

template <typename Visit>
void Hazards::forEachFound(bool isWrite, Visit visit) const {
  for (const Found &region : llvm::ArrayRef<Found>(found).take_front(numFound))
    if (region.isWrite == isWrite)
      forEachCell(region, visit);
}

static unsigned bit(Engine engine) { return 1u << static_cast<int>(engine); }

Hazards::Cause Hazards::dataCause(Engine engine, const Ready &ready) const {
  Cause cause{ready.data, false};
  forEachFound(/*isWrite=*/false, [&](const CellUses &cell) {
    bool isOther = cell.writer != engine;
    if (cell.visible + (isOther ? semaphore : 0) == ready.data)
      cause = {cell.visible, isOther, bit(cell.writer)};
  });
  return cause;
}

Hazards::Cause Hazards::overwriteCause(Engine engine,
                                       const Ready &ready) const {
  Cause cause{ready.overwrite - semaphore, true};
  forEachFound(/*isWrite=*/true, [&](const CellUses &cell) {
    if (cell.usedUntil(engine) != cause.time)
      return;
    cause.isRead = cell.writer == engine || cell.visible != cause.time;
    if (!cause.isRead)
      cause.engines = bit(cell.writer);
    else if (cell.reader != engine)
      cause.engines = bit(cell.reader);
    else // a reader whose name is not kept
      cause.engines = ~bit(engine);
  });
  return cause;
}

void Hazards::record(Engine engine, int64_t start, int64_t readUntil,
                     int64_t visible) {
  int self = static_cast<int>(engine);
  for (const Found &region :
       llvm::ArrayRef<Found>(found).take_front(numFound)) {
    int64_t until = region.isWrite ? visible : readUntil;
    if (region.isWrite)
      forEachCell(region, [&](CellUses &cell) {
        cell.visible = std::max(cell.visible, visible);
        cell.writer = engine;
      });
    else
      forEachCell(region,
                  [&](CellUses &cell) { cell.read(engine, readUntil); });
    Slot &slot = *region.slot;
    slot.used.until[self] = std::max(slot.used.until[self], until);
    if (slot.begin == neverUsed)
      slot.begin = start;
    slot.begin = std::min(slot.begin, start);
    slot.end = std::max(slot.end, until);
  }
}

void Hazards::finish() {
  for (Slot &slot : slots)
    reportLifetime(slot);
}
