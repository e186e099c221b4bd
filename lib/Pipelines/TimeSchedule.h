//===- TimeSchedule.h - How long a schedule takes ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PIPELINES_TIMESCHEDULE_H
#define TRN_LIB_PIPELINES_TIMESCHEDULE_H

#include "trn/Machine/Machine.h"
#include "trn/Planning/PlanSpace.h"

#include <optional>

namespace mlir::trn {

/// Writes the programs of schedules, and simulates them.
class ScheduleTimer {
public:
  explicit ScheduleTimer(const Machine &machine) : machine(machine) {}

  /// Picoseconds that a kernel takes which is compiled by `schedule`, which
  /// passes its checks; none if its buffers cannot be placed, if it takes more
  /// than `limit`, or if a second or so of work was spent. If the first program
  /// is too long to be simulated, all are judged by how long their
  /// engines are busy.
  std::optional<int64_t> time(const planning::FittingSchedule &schedule,
                              int64_t limit);
  /// Allows the work that was kept back.
  void allowRest() {
    workLeft = std::max<int64_t>(workLeft, 0) + std::exchange(rest, 0);
  }
  /// Whether nothing more can be timed, for now.
  bool isSpent() const { return workLeft < 0; }
  bool isSimulating() const { return simulates.value_or(true); }

private:
  Machine machine;
  std::optional<bool> simulates = std::nullopt;
  // In simulated steps.
  int64_t workLeft = int64_t(12) << 20, rest = workLeft;
};

} // namespace mlir::trn

#endif // TRN_LIB_PIPELINES_TIMESCHEDULE_H
