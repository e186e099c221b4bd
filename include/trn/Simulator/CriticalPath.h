//===- CriticalPath.h - The composition of the latency ----------*- C++ -*-===//
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

/// The time of an instruction on the critical path, by cause.
enum class PathReason : uint8_t {
  /// It occupied its engine.
  Busy,
  /// It had left its engine, but its result was not yet visible.
  ResultLatency,
  /// Another engine had released it, and the semaphore was under way.
  Semaphore,
  /// DMA: from the trigger to the first byte.
  DmaLatency,
  /// DMA: the engines moved transfers of the other queue.
  DmaQueue,
  /// Another engine held the port to SBUF or PSUM.
  Port,
  /// The tensor engine ran at half rate after low use.
  Throttle,
  /// ScalarE loaded another function table.
  TableSwap,
};
constexpr int64_t numPathReasons = 8;

/// `busy`, `result_latency`, `semaphore` and so on, as reports spell them.
llvm::StringRef stringify(PathReason reason);

/// An execution on the path: released at `released`, it occupies its engine in
/// [start, end). Its result releases the next one.
struct PathStep {
  /// Index into `Program::instructions`.
  int32_t instruction;
  int64_t released;
  int64_t start;
  int64_t end;
};

/// The chain of instructions, each released by the previous one, that ends with
/// the last result. Its pieces have no overlaps and no gaps: all numbers
/// (picoseconds) add up to the latency.
struct CriticalPath {
  int64_t kernelOverhead = 0;
  /// Time of the dropped beginning of a path that is too long to keep and
  /// shared by no other path (see `SimulationOptions::pathLimit`).
  int64_t notFollowed = 0;
  /// By `Program::instructions` and `PathReason`.
  std::vector<std::array<int64_t, numPathReasons>> instructions;
  /// In order, if `SimulationOptions::pathSteps`.
  std::vector<PathStep> steps;

  int64_t total() const;
};

} // namespace mlir::trn

#endif // TRN_SIMULATOR_CRITICALPATH_H
