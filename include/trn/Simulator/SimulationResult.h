//===- SimulationResult.h - What a simulated run takes ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SIMULATOR_SIMULATIONRESULT_H
#define TRN_SIMULATOR_SIMULATIONRESULT_H

#include "trn/Simulator/CriticalPath.h"
#include "trn/Simulator/Timeline.h"
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace mlir::trn {

/// What one static instruction added up to over all its executions.
struct InstructionTotals {
  int64_t executions = 0;
  /// Picoseconds that it occupied its engine, and that the engine stood still
  /// before it.
  int64_t busy = 0;
  int64_t waited = 0;
  /// The part of `busy` that the throttle of the tensor engine costs, or that
  /// ScalarE takes to load tables of functions.
  int64_t lost = 0;
  /// How often it loaded another table.
  int64_t swaps = 0;
  /// What it stood still for, by `WaitReason`.
  std::array<int64_t, numWaitReasons> waits = {};
};

/// HBM traffic of one buffer.
struct BufferTraffic {
  int64_t readBytes = 0;
  int64_t writtenBytes = 0;
};

/// Until the end of a part of a program.
struct PartEnd {
  /// When the last result is visible.
  int64_t time;
  /// By DMA engine: how long it was occupied.
  std::vector<int64_t> dmaBusy;
};

/// All times are in picoseconds. Integers only: the same program on the same
/// machine gives the same result on every host.
struct SimulationResult {
  int64_t latency = 0;
  /// Occupied time, by `Engine`; for `Load` and `Store` the time in which at
  /// least one transfer of the queue was being moved.
  std::array<int64_t, numEngines> busy = {};
  /// The part of the tensor engine's that its throttle costs, and of ScalarE's
  /// that its tables of functions cost; and how often it loads one.
  int64_t throttled = 0, swapped = 0, swaps = 0;
  /// Occupied time of each DMA engine.
  std::vector<int64_t> dmaBusy;
  /// Standing still, by `Engine` and `WaitReason`.
  std::array<std::array<int64_t, numWaitReasons>, numEngines> waits = {};

  /// Traffic between HBM and the chip, spills included.
  int64_t hbmReadBytes = 0;
  int64_t hbmWriteBytes = 0;
  /// The part of it that goes to and comes from scratch buffers.
  int64_t spillSaveBytes = 0;
  int64_t spillReloadBytes = 0;
  /// Of the whole arrays that collectives work on.
  int64_t collectiveBytes = 0;

  /// Matrix products, transposes apart; `executedFlopsF32` is the part of
  /// `executedFlops` with f32 operands.
  int64_t executedFlops = 0;
  int64_t executedFlopsF32 = 0;
  int64_t transposeFlops = 0;

  int64_t instructions = 0;
  /// Executions by op name without the dialect's prefix, sorted by name.
  std::vector<std::pair<std::string, int64_t>> instructionCounts;

  /// High-water mark of the placed SBUF buffers in one partition, and the
  /// largest number of PSUM banks allocated at the same place of the program.
  int64_t sbufPeakPartitionBytes = 0;
  /// The most bytes of a partition that buffers take which are live together.
  int64_t sbufLivePartitionBytes = 0;
  int64_t psumPeakBanks = 0;

  /// By `Program::instructions` and `Program::buffers`.
  std::vector<InstructionTotals> totals;
  std::vector<BufferTraffic> traffic;

  /// By `SimulationOptions::parts`.
  std::vector<PartEnd> parts;

  /// Present if it was asked for.
  std::optional<CriticalPath> criticalPath;

  /// Of a logical core: when this core ends, and what the others took, by
  /// `Program::others`. The latency is that of all of them.
  int64_t end = 0;
  std::vector<SimulationResult> others;
};

} // namespace mlir::trn

#endif // TRN_SIMULATOR_SIMULATIONRESULT_H
