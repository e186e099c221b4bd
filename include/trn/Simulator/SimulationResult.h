//===- SimulationResult.h - Times of a simulated run ------------*- C++ -*-===//
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

/// Sums over all executions of one static instruction.
struct InstructionTotals {
  int64_t executions = 0;
  /// Picoseconds that it occupied its engine, and that the engine waited for
  /// it.
  int64_t busy = 0;
  int64_t waited = 0;
  /// The part of `busy` due to the tensor engine's throttle, or to ScalarE's
  /// loads of function tables.
  int64_t lost = 0;
  /// How often it loaded another function table.
  int64_t swaps = 0;
  /// Waits by `WaitReason`.
  std::array<int64_t, numWaitReasons> waits = {};
};

/// HBM traffic of one buffer.
struct BufferTraffic {
  int64_t readBytes = 0;
  int64_t writtenBytes = 0;
};

/// Times up to the end of a part of a program.
struct PartEnd {
  /// Time at which the last result is visible.
  int64_t time;
  /// By DMA engine: its occupied time.
  std::vector<int64_t> dmaBusy;
};

/// All times are in picoseconds. Integers only: the same program on the same
/// machine gives the same result on every host.
struct SimulationResult {
  int64_t latency = 0;
  /// Occupied time, by `Engine`; for `Load` and `Store`, the time with at least
  /// one transfer of the queue in motion.
  std::array<int64_t, numEngines> busy = {};
  /// The parts of these due to the tensor engine's throttle and to ScalarE's
  /// loads of function tables; and the number of such loads.
  int64_t throttled = 0, swapped = 0, swaps = 0;
  /// Occupied time of each DMA engine.
  std::vector<int64_t> dmaBusy;
  /// Waits, by `Engine` and `WaitReason`.
  std::array<std::array<int64_t, numWaitReasons>, numEngines> waits = {};

  /// Traffic between HBM and the chip, spills included.
  int64_t hbmReadBytes = 0;
  int64_t hbmWriteBytes = 0;
  /// The part of it to and from scratch buffers.
  int64_t spillSaveBytes = 0;
  int64_t spillReloadBytes = 0;
  /// Bytes of the whole arrays of collectives.
  int64_t collectiveBytes = 0;

  /// Matrix products without transposes; `executedFlopsF32` is the part of
  /// `executedFlops` with f32 operands.
  int64_t executedFlops = 0;
  int64_t executedFlopsF32 = 0;
  int64_t transposeFlops = 0;

  int64_t instructions = 0;
  /// Executions by op name without the dialect's prefix, sorted by name.
  std::vector<std::pair<std::string, int64_t>> instructionCounts;

  /// High-water mark of the placed SBUF buffers in one partition.
  int64_t sbufPeakPartitionBytes = 0;
  /// Peak bytes of a partition in simultaneously live buffers.
  int64_t sbufLivePartitionBytes = 0;
  /// Most PSUM banks that are allocated at one point of the program.
  int64_t psumPeakBanks = 0;

  /// By `Program::instructions` and `Program::buffers`.
  std::vector<InstructionTotals> totals;
  std::vector<BufferTraffic> traffic;

  /// By `SimulationOptions::parts`.
  std::vector<PartEnd> parts;

  /// Present on request.
  std::optional<CriticalPath> criticalPath;

  /// Of a logical core: the end of this core, and the results of the others, by
  /// `Program::others`. The latency is that of all of them.
  int64_t end = 0;
  std::vector<SimulationResult> others;
};

} // namespace mlir::trn

#endif // TRN_SIMULATOR_SIMULATIONRESULT_H
