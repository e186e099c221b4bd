//===- CriticalPath.h - What the latency is made of -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SIMULATOR_CRITICALPATH_H
#define TRN_SIMULATOR_CRITICALPATH_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <vector>

namespace mlir::trn {

/// What the time of an instruction on the critical path went into.
enum class PathReason : uint8_t {
  /// It occupied its engine.
  Busy,
  /// It had left its engine, but its result was not visible yet.
  ResultLatency,
  /// It had been let go by another engine, whose semaphore was under way.
  Semaphore,
  /// DMA: from the trigger to the first byte.
  DmaLatency,
  /// DMA: the engines moved transfers of the other queue.
  DmaQueue,
  /// Another engine held the port to SBUF or PSUM.
  Port,
  /// The tensor engine ran at half rate because it had been used little.
  Throttle,
  /// ScalarE loaded another table of functions.
  TableSwap,
};
constexpr int64_t numPathReasons = 8;

/// `busy`, `result_latency`, `semaphore` and so on, as reports spell them.
llvm::StringRef stringify(PathReason reason);

/// An execution on the path: let go of at `released`, it occupies its engine in
/// [start, end). The next one is let go of when its result is there.
struct PathStep {
  /// Index into `Program::instructions`.
  int32_t instruction;
  int64_t released;
  int64_t start;
  int64_t end;
};

/// The chain of instructions, each of which was let go by the one before, that
/// ends with the last result. Its stretches do not overlap and leave no gap:
/// all numbers (picoseconds) add up to the latency.
struct CriticalPath {
  int64_t kernelOverhead = 0;
  /// The beginning of a path that is too long to keep and that no other path
  /// shares (see `SimulationOptions::pathLimit`).
  int64_t notFollowed = 0;
  /// By `Program::instructions` and `PathReason`.
  std::vector<std::array<int64_t, numPathReasons>> instructions;
  /// In order, if `SimulationOptions::pathSteps`.
  std::vector<PathStep> steps;

  int64_t total() const;
};

} // namespace mlir::trn

#endif // TRN_SIMULATOR_CRITICALPATH_H
