//===- PathTracker.h - Follows the critical path ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SIMULATOR_PATHTRACKER_H
#define TRN_LIB_SIMULATOR_PATHTRACKER_H

#include "DmaEngines.h"
#include "Hazards.h"
#include "trn/Simulator/CriticalPath.h"
#include <optional>

namespace mlir::trn {

class PartStates;
class StateWriter;

/// Keeps, for every instruction that may still matter, which earlier one let it
/// go: a tree whose root is the start of the kernel. When the end is known the
/// path from the latest instruction to the root is the critical one.
///
/// Memory stays constant as in a Viterbi decoder. When the window is full, only
/// instructions stay that can still let another one go (they are not older than
/// the engine that is furthest behind) and their ancestors. What all of these
/// have in common is added up and dropped.
class PathTracker {
public:
  PathTracker(const Program &program, const Costs &costs, size_t groups,
              int64_t window, int64_t limit, bool keepsSteps);

  /// Instruction `event` of a compute engine could start when its queue was
  /// free or, if there is one, when `cause` was past.
  void compute(const TimelineEvent &event,
               std::optional<Hazards::Cause> cause = std::nullopt);

  /// The transfers of `queue` from now on wait for `cause` to be triggered.
  void trigger(Engine queue, const Hazards::Cause &cause);
  /// Transfer `event` could move when it was triggered or, if there is one,
  /// when `cause` was past.
  void transfer(const TimelineEvent &event,
                llvm::ArrayRef<DmaEngines::Share> shares,
                std::optional<Hazards::Cause> cause = std::nullopt);

  /// Once, after all instructions.
  CriticalPath finish();
  /// Of the steps of the path: the engine, or queue and group of DMA engines.
  std::vector<int16_t> takeTracks() { return std::move(foldedTracks); }

  /// Writes down what the path depends on from `part` on.
  void describe(const PartStates &states, size_t part,
                StateWriter &writer) const;

private:
  /// Who let go of an instruction, and when: a record, the start of the kernel,
  /// or what is not known any more.
  struct Release {
    int32_t from;
    int64_t time;
    bool bySemaphore = false;
  };
  static constexpr int32_t root = 0, start = -1, lost = -2;

  /// [released, end) is split into the semaphore, the DMA latency, a wait for
  /// the port or the other DMA queue, and `busy`, in this order. `lostTime` is
  /// a part of `busy`.
  struct Record {
    int64_t released;
    int64_t busy;
    int64_t end;
    /// As `Release::from`.
    int32_t parent;
    int32_t instruction;
    /// Half of the throttle's window, or a swap of tables: 1 ms at most.
    int32_t lostTime;
    bool bySemaphore, isTriggered;
    /// Where it was executed.
    int16_t track;
  };
  /// What an engine executed, in the order of its times. The queues of
  /// transfers have one of these for each group of DMA engines.
  struct Entry {
    int64_t end, done;
    int32_t record;
  };

  size_t track(Engine engine, size_t group) const;
  Release find(const Hazards::Cause &cause) const;
  int32_t add(size_t track, int32_t instruction, const Release &release,
              bool isTriggered, int64_t busy, int64_t lostTime, int64_t end);
  void enter(size_t track, int32_t record, int64_t end, int64_t done);
  void account(int32_t record, CriticalPath &path) const;
  CriticalPath follow(int32_t record) const;
  void addSteps(int32_t record);

  void fold();
  void mark(int32_t record);
  /// What was past before this time cannot let go of an instruction any more.
  int64_t oldestCause() const;
  int32_t markLive();
  int32_t markLatest();
  void compact(int32_t newRoot);

  const Program &program;
  int64_t semaphore, dmaLatency;
  size_t groups, window, limit;
  bool keepsSteps;
  /// What lies before the root.
  CriticalPath folded;
  std::vector<PathStep> foldedSteps;
  std::vector<int16_t> foldedTracks;
  std::vector<Record> records;
  std::vector<std::vector<Entry>> tracks;
  /// The latest record of each track; `start` if it has none.
  std::vector<int32_t> last;
  std::vector<Engine> engineOfTrack;
  /// Of loads and stores: what triggers their next transfer.
  Release triggers[2];
  /// By engine: until when its queue is occupied, or, for transfers, when the
  /// latest one was triggered.
  std::array<int64_t, numEngines> progress;
  /// By engine: executions to come.
  std::array<int64_t, numEngines> remaining = {};
  /// What ends last so far.
  int32_t latest = root;
  int64_t latestDone;
  /// While folding, by record: whether it stays, then its new index.
  std::vector<int32_t> kept;
};

} // namespace mlir::trn

#endif // TRN_LIB_SIMULATOR_PATHTRACKER_H
