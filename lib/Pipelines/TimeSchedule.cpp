//===- TimeSchedule.cpp - How long a schedule takes -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimeSchedule.h"

#include "trn/Planning/WriteProgram.h"
#include "trn/Program/CountSteps.h"
#include "trn/Simulator/Simulator.h"

using namespace mlir;
using namespace mlir::trn;

/// How many steps are simulated while one is written, twice, and prepared for
/// that: 1.7 us to 34 ns, fitted to the searches for 48 kernels of one product
/// or two.
static constexpr int64_t stepsPerWritten = 50;

/// At most what the numbers hold.
static int64_t toPicoseconds(double time) {
  return int64_t(std::min(time, 0x1p62));
}

std::optional<int64_t>
ScheduleTimer::time(const planning::FittingSchedule &schedule, int64_t limit) {
  int64_t busy = toPicoseconds(schedule.busyNs * 1e3);
  // A kernel starts, and a transfer takes its time, while no engine works.
  int64_t outside =
      toPicoseconds((machine.kernelOverheadNs + machine.dmaLatencyNs) * 1e3);
  int64_t least = isSimulating() ? busy + outside : busy;
  if (least > limit || workLeft < 0)
    return std::nullopt;
  std::optional<Program> program = planning::writeProgram(schedule, machine);
  if (!program)
    return std::nullopt;
  int64_t steps = countSteps(*program);
  if (!simulates)
    simulates = steps <= workLeft / 16;
  if (!*simulates)
    return busy;
  workLeft -= steps + stepsPerWritten * int64_t(program->steps.size());
  if (workLeft < 0)
    return std::nullopt;
  SimulationOptions options;
  options.limit = limit;
  int64_t latency = simulate(*program, machine, options).latency;
  return latency <= limit ? std::optional(latency) : std::nullopt;
}
