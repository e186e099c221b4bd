//===- Timeline.h - What a simulation tells while it runs -------*- C++ -*-===//
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

/// Why a queue stood still before an instruction.
enum class WaitReason : uint8_t {
  /// It did not: the instruction started as soon as its queue was free.
  None,
  /// An operand was not yet written.
  Data,
  /// The region that it overwrites in SBUF or HBM was still in use.
  Buffer,
  /// The region that it overwrites in PSUM was still in use.
  Bank,
  /// The hazard was past, but the other engine's semaphore was under way.
  Semaphore,
  /// Another engine held the port to SBUF or PSUM.
  Port,
  /// DMA only: its latency, or the DMA engines were busy with the other queue.
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
  /// The queue is occupied in [start, end); `done` is when readers may start.
  int64_t start;
  int64_t end;
  int64_t done;
  /// The part of [start, end) that it lost: on the tensor engine what full
  /// speed would have saved, on ScalarE, at its beginning, the load of another
  /// table of functions.
  int64_t lost;
  /// How long the queue stood still before `start`, and mostly why.
  int64_t waited;
  WaitReason reason;
};

/// The time between the first and the last use of one slot of an on-chip
/// buffer, from an execution of its alloc to the next one of the same slot.
struct SlotLifetime {
  int32_t buffer;
  int64_t slot;
  int64_t begin;
  int64_t end;
};

/// Receives a timeline: instructions in program order, so that the events of
/// one engine come sorted by time, those of different engines interleaved.
class TimelineSink {
public:
  virtual ~TimelineSink();
  virtual void instruction(const TimelineEvent &event) = 0;
  virtual void lifetime(const SlotLifetime &lifetime) {}
};

} // namespace mlir::trn

#endif // TRN_SIMULATOR_TIMELINE_H
