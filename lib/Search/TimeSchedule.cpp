//===- TimeSchedule.cpp - How long a schedule takes -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Search/TimeSchedule.h"

#include "trn/Placement/Solvers.h"
#include "trn/Planning/WriteProgram.h"
#include "trn/Program/CountSteps.h"
#include "trn/Program/HashProgram.h"
#include "trn/Simulator/Simulator.h"

using namespace mlir::trn;
using namespace mlir::trn::search;

/// How many steps are simulated while one is written, twice, and prepared for
/// that: 1.7 us to 34 ns, fitted to the searches for 48 kernels of one product
/// or two.
static constexpr int64_t stepsPerWritten = 50;

/// Those that are list-scheduled take about twice as long.
static int64_t workOfWriting(const planning::Schedule &schedule,
                             const Program &program) {
  return (schedule.plan.scheduled ? 2 : 1) * stepsPerWritten *
         int64_t(program.steps.size());
}

/// At most what the numbers hold.
static int64_t toPicoseconds(double ns) {
  return int64_t(std::min(ns * 1e3, 0x1p62));
}

static std::optional<planning::PlanCost>
costIfFits(const planning::Schedule &schedule, const Machine &machine,
           decltype(planning::computeCost) costOf) {
  if (llvm::Error error = schedule.plan.check(schedule.graph, machine)) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  planning::PlanCost cost = costOf(schedule, machine);
  if (!placement::isSolvable(cost.psum) || !placement::isSolvable(cost.sbuf))
    return std::nullopt;
  return cost;
}

std::optional<planning::PlanCost>
search::costIfFits(const planning::Schedule &schedule, const Machine &machine) {
  return ::costIfFits(schedule, machine, planning::computeCost);
}

std::optional<planning::PlanCost>
search::costIfMayFit(const planning::Schedule &schedule,
                     const Machine &machine) {
  return ::costIfFits(schedule, machine, planning::estimateCost);
}

std::optional<int64_t> ScheduleTimer::time(const planning::Schedule &schedule,
                                           double busyNs, int64_t limit) {
  if (isSpent())
    return std::nullopt;
  int64_t busy = toPicoseconds(busyNs);
  // A kernel starts, and a transfer takes its time, while no engine works.
  int64_t outside =
      toPicoseconds(machine.kernelOverheadNs + machine.dmaLatencyNs);
  if ((isSimulating() ? busy + outside : busy) > limit) {
    ++count;
    return std::nullopt;
  }
  std::optional<Program> program = planning::writeProgram(schedule, machine);
  if (!program || !programs.insert(hashProgram(*program)).second)
    return std::nullopt;
  ++count;
  int64_t steps = countSteps(*program);
  if (!simulates)
    simulates = steps <= workLeft / 16;
  if (!*simulates)
    return busy;
  workLeft -= steps + workOfWriting(schedule, *program);
  SimulationOptions options;
  options.limit = limit;
  int64_t latency = simulate(*program, machine, options).latency;
  return latency <= limit ? std::optional(latency) : std::nullopt;
}

/// `machine` whose DMA moves everything at `rate` of its pace.
static Machine withDma(Machine machine, double rate) {
  machine.dmaGBPerSecondPerEngine *= rate;
  machine.dmaStaticGBPerSecondPerEngine *= rate;
  machine.dmaNsPerDescriptor /= rate;
  machine.dmaMinNsPerDescriptor /= rate;
  machine.dmaStaticNsPerDescriptor /= rate;
  return machine;
}

int64_t ScheduleTimer::timeWithDma(const planning::Schedule &schedule,
                                   double rate) {
  Machine slower = withDma(machine, rate);
  if (!isSimulating())
    return toPicoseconds(planning::estimateCost(schedule, slower).busiestNs());
  std::optional<Program> program = planning::writeProgram(schedule, machine);
  workLeft -= countSteps(*program) + workOfWriting(schedule, *program);
  return simulate(*program, slower, SimulationOptions()).latency;
}
