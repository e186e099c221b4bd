//===- Hazards.h - When regions of memory may be used -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SIMULATOR_HAZARDS_H
#define TRN_LIB_SIMULATOR_HAZARDS_H

#include "Grid.h"
#include "Uses.h"
#include "trn/Simulator/Timeline.h"

namespace mlir::trn {

struct Machine;
class StateWriter;

/// Remembers for every cell of every buffer slot when its latest write becomes
/// visible and until when each engine reads it.
///
/// Slots of different buffers may share addresses, one after the other. They
/// are kept apart here: an alloc makes the slot's first writes wait for all
/// uses of every slot that had some of its addresses before. What these were is
/// remembered by address, since a program without loops has many slots at each.
class Hazards {
public:
  Hazards(const Program &program, const Machine &machine, int64_t semaphore,
          TimelineSink *timeline);

  void alloc(int32_t buffer, int64_t slot);

  /// From when an instruction may start.
  struct Ready {
    /// Its operands are visible, with and without the semaphores in between.
    int64_t data = 0;
    int64_t dataWithoutSemaphore = 0;
    /// What it overwrites is no longer in use.
    int64_t overwrite = 0;
    bool overwritesBank = false;
  };
  /// Finds the cells that the next `record` refers to.
  Ready ready(int32_t instruction, Engine engine,
              llvm::ArrayRef<int64_t> counters);

  /// What an instruction waited for: at `time` one of `engines` (bits) had read
  /// something, or what it wrote was visible; a semaphore may have said so.
  struct Cause {
    int64_t time;
    bool bySemaphore;
    unsigned engines = 0;
    bool isRead = false;
  };
  /// What `ready`, just found for an instruction of `engine`, waits for
  /// longest: for its operands or for what it overwrites.
  Cause dataCause(Engine engine, const Ready &ready) const;
  Cause overwriteCause(Engine engine, const Ready &ready) const;

  /// The instruction starts at `start`, reads until `readUntil`, and what it
  /// writes is visible at `visible`.
  void record(Engine engine, int64_t start, int64_t readUntil, int64_t visible);

  /// Reports the lifetimes that are still open.
  void finish();

  /// Writes down what instructions wait for from now on. They use `memory` in
  /// HBM, and of what is on chip only `tiles` without a new alloc.
  void describe(llvm::ArrayRef<int32_t> memory, llvm::ArrayRef<int32_t> tiles,
                StateWriter &writer) const;

private:
  struct Slot {
    int32_t buffer;
    int32_t firstCell;
    /// Its addresses on chip.
    int32_t firstSegment = 0, endSegment = 0;
    /// Since the beginning of the program.
    EngineUses used = {};
    /// Of others, at its addresses, before it was allocated.
    EngineUses before = {};
    /// Since the latest alloc.
    int64_t begin = neverUsed, end = neverUsed;
  };
  /// Addresses between neighbouring ends of slots.
  struct Segment {
    /// The slot that was allocated there last.
    int32_t holder = -1;
    /// The uses of those before it.
    EngineUses left = {};
  };
  using Address = std::pair<Space, int64_t>;
  struct Region {
    int32_t buffer;
    bool isWrite;
    GridAccess access;
  };
  struct Found {
    Slot *slot;
    CellUses *first;
    const Grid *grid;
    Grid::Box box;
    bool isWrite;
  };

  void buildBuffers();
  void buildSegments(const Machine &machine);
  /// Where a slot begins.
  Address addressOf(int32_t slot, const Machine &machine) const;
  /// Makes a slot the holder of its addresses; whether others used them since
  /// it was.
  bool takeOver(int32_t slot);
  void reportLifetime(Slot &slot);
  void describeBuffer(int32_t buffer, StateWriter &writer) const;
  void describeSegments(llvm::ArrayRef<int32_t> tiles,
                        StateWriter &writer) const;
  template <typename Visit>
  static void forEachCell(const Found &found, Visit visit);
  template <typename Visit>
  void forEachFound(bool isWrite, Visit visit) const;

  const Program &program;
  int64_t semaphore;
  TimelineSink *timeline;

  std::vector<CellUses> cells;
  std::vector<Slot> slots;
  std::vector<Segment> segments;
  /// By buffer; -1 for buffers that cannot have hazards.
  std::vector<int32_t> firstSlot;
  std::vector<int32_t> currentSlot;
  std::vector<Grid> grids;
  /// Of instruction i: regions [regionsBegin[i], regionsBegin[i + 1]).
  std::vector<Region> regions;
  std::vector<int32_t> regionsBegin;
  /// Of the instruction at hand; as long as the largest instruction needs.
  std::vector<Found> found;
  size_t numFound = 0;
};

} // namespace mlir::trn

#endif // TRN_LIB_SIMULATOR_HAZARDS_H
