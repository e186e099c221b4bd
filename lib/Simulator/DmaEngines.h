//===- DmaEngines.h - Transfers on the DMA engines --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SIMULATOR_DMAENGINES_H
#define TRN_LIB_SIMULATOR_DMAENGINES_H

#include "BusyIntervals.h"
#include "trn/Program/Program.h"
#include "trn/Simulator/Cost.h"
#include <tuple>

namespace mlir::trn {

/// The DMA engines of one core and their two queues. On each engine the parts
/// of one queue's transfers follow each other; the queues share the engine, and
/// what comes first in the program goes first.
///
/// Engines that take the same part in every transfer of the program behave
/// alike, so one calendar stands for all of them.
class DmaEngines {
public:
  DmaEngines(const Program &program, const Costs &costs);

  struct Transfer {
    int64_t start; // the first engine begins
    int64_t end;   // the last one is free again
    int64_t done;  // the last one has completed its part
  };
  /// Moves what `instruction`, of index `index`, asks for, not before `ready`.
  Transfer move(int32_t index, const Instruction &instruction, int64_t ready,
                llvm::ArrayRef<int64_t> counters);

  /// No transfer of `queue` is ready before `time` from now on.
  void forgetUntil(Engine queue, int64_t time);

  /// What the latest transfer does on one group of engines: behind the previous
  /// one of its queue, which ends at `queueEnd`, and not before `ready`, it
  /// moves for `time` until `end` and has completed at `done`.
  struct Share {
    int32_t group;
    int64_t queueEnd, ready, time, end, done;
  };
  llvm::ArrayRef<Share> latestShares() const { return shares; }
  size_t numGroups() const { return groups.size(); }

  /// Until when all engines are taken by a queue.
  int64_t queueEnd(Engine queue) const;
  /// Writes down what is taken from now on, as far as a queue `isUsed` again.
  template <typename Writer, typename IsUsed>
  void describe(IsUsed isUsed, Writer &writer) const {
    for (const Group &group : groups)
      for (int own : {0, 1}) {
        const Queue &queue = group.queues[own];
        writer.addTime(queue.end);
        writer.addTime(queue.done);
        if (isUsed(own == 0 ? Engine::Store : Engine::Load))
          queue.intervals.describe(writer);
      }
  }

  /// Busy time of each engine.
  std::vector<int64_t> busy() const;

private:
  struct Queue {
    int64_t end = 0, done = 0;
    BusyIntervals intervals;
  };
  struct Group {
    Queue queues[2];
    int64_t busy = 0;
  };

  /// How long a share occupies its engine, and how long it takes at least.
  struct Time {
    int64_t moved, completed;
    bool operator<(const Time &other) const {
      return std::tie(moved, completed) <
             std::tie(other.moved, other.completed);
    }
  };
  Time engineTime(const Instruction &instruction, int64_t engine,
                  llvm::ArrayRef<int64_t> counters) const;

  const Program &program;
  const Costs &costs;
  /// By engine: its group. One representative engine of each group.
  std::vector<int32_t> groupOfEngine, representative;
  std::vector<Group> groups;
  /// By instruction: where its times for each group start in `times`, or -1 if
  /// they depend on loop counters.
  std::vector<int32_t> timesBegin;
  std::vector<Time> times;
  llvm::SmallVector<Share, 16> shares;
};

} // namespace mlir::trn

#endif // TRN_LIB_SIMULATOR_DMAENGINES_H
