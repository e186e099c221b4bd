//===- TimeSchedule.h - Latency of a schedule -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SEARCH_TIMESCHEDULE_H
#define TRN_SEARCH_TIMESCHEDULE_H

#include "trn/Machine/Machine.h"
#include "trn/Planning/PlanCost.h"
#include <algorithm>
#include <unordered_set>

namespace mlir::trn::search {

/// The cost of `schedule`, if its loops can be made and its buffers fit.
std::optional<planning::PlanCost> costIfFits(const planning::Schedule &schedule,
                                             const Machine &machine);
/// The same in a fraction of the time, but buffers of a scheduled plan may
/// turn out not to fit when the program is written.
std::optional<planning::PlanCost>
costIfMayFit(const planning::Schedule &schedule, const Machine &machine);

/// Writes the programs of schedules, and simulates them.
class ScheduleTimer {
public:
  /// Times at most `programs` different ones, with `share` of the usual work.
  ScheduleTimer(const Machine &machine, int64_t programs, double share = 1)
      : machine(machine), programsLeft(programs),
        allWork(int64_t(double(usualWork / usualPrograms) * share) *
                std::clamp(programs, usualPrograms, mostPrograms)) {}

  /// Latency of a kernel compiled by `schedule`, in picoseconds. `busyNs` is
  /// the busy time of its busiest engine. None if it exceeds `limit`, if its
  /// program was timed before, if its buffers have no place, or if all work is
  /// spent. If the first program is too long to simulate, all are judged by
  /// busy time.
  std::optional<int64_t> time(const planning::Schedule &schedule, double busyNs,
                              int64_t limit);
  /// Picoseconds of a program that was timed, with a DMA so much slower. Costs
  /// work, but does not count as a program.
  int64_t timeWithDma(const planning::Schedule &schedule, double rate);

  /// Programs that were timed, or known to exceed the limit.
  int64_t timed() const { return count; }
  /// Whether nothing more can be timed.
  bool isSpent() const { return workLeft < 0 || count >= programsLeft; }
  /// The share of all work that is left.
  double workLeftShare() const { return double(workLeft) / double(allWork); }
  bool isSimulating() const { return simulates.value_or(true); }

private:
  /// About the default effort, and its work in simulated steps: half a second
  /// or so. More effort may take more.
  static constexpr int64_t usualPrograms = 4096, usualWork = int64_t(16) << 20;
  static constexpr int64_t mostPrograms = int64_t(1) << 40;

  Machine machine;
  int64_t programsLeft, count = 0;
  int64_t allWork, workLeft = allWork;
  std::optional<bool> simulates = std::nullopt;
  std::unordered_set<uint64_t> programs; // their hashes
};

} // namespace mlir::trn::search

#endif // TRN_SEARCH_TIMESCHEDULE_H
