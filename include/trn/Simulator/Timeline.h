//===- Timeline.h - Events of a simulation ----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SIMULATOR_TIMELINE_H
#define TRN_SIMULATOR_TIMELINE_H

#include "trn/Program/Instruction.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::trn {

/// Why a queue waited before an instruction.
enum class WaitReason : uint8_t {
  /// No wait: the instruction started as soon as its queue was free.
  None,
  /// An operand was not yet written.
  Data,
  /// The region that it overwrites in SBUF or HBM was still in use.
  Buffer,
  /// The region that it overwrites in PSUM was still in use.
  Bank,
  /// The hazard was over, but the other engine's semaphore was under way.
  Semaphore,
  /// Another engine held the port to SBUF or PSUM.
  Port,
  /// DMA only: its latency, or DMA engines busy with the other queue.
  Dma,
};
constexpr int64_t numWaitReasons = 7;

/// `data`, `buffer`, `bank` and so on, as reports spell them.
llvm::StringRef stringify(WaitReason reason);

/// One executed instruction. All times are picoseconds from the kernel's start.
struct TimelineEvent {
  /// Index into `Program::instructions`.
  int32_t instruction;
  Engine engine;
  /// The queue is occupied in [start, end); readers may start at `done`.
  int64_t start;
  int64_t end;
  int64_t done;
  /// The lost part of [start, end): on the tensor engine, the time that full
  /// speed would save; on ScalarE, the load of another function table at its
  /// start.
  int64_t lost;
  /// How long the queue waited before `start`, and the main reason.
  int64_t waited;
  WaitReason reason;
};

/// The time from first to last use of one slot of an on-chip buffer, between
/// two of its allocs.
struct SlotLifetime {
  int32_t buffer;
  int64_t slot;
  int64_t begin;
  int64_t end;
};

/// Receives a timeline, in program order: events of one engine are sorted by
/// time, those of different engines interleaved.
class TimelineSink {
public:
  virtual ~TimelineSink();
  virtual void instruction(const TimelineEvent &event) = 0;
  virtual void lifetime(const SlotLifetime &lifetime) {}
};

} // namespace mlir::trn

#endif // TRN_SIMULATOR_TIMELINE_H
