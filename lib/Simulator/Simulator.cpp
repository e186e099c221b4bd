//===- Simulator.cpp - How long a program takes ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Queues are in order and hazards point backwards in the program, so the time
// of every event follows from events of earlier instructions: one pass in
// program order computes all of them, and no time has to be kept for an
// instruction that was passed. (Following the critical path back takes more:
// see PathTracker.h.)
//
//===----------------------------------------------------------------------===//

#include "trn/Simulator/Simulator.h"

#include "DmaEngines.h"
#include "Hazards.h"
#include "PathTracker.h"
#include "Ports.h"
#include "States.h"
#include "Summary.h"
#include "Throttle.h"
#include "trn/Machine/Machine.h"
#include "trn/Program/CountSteps.h"
#include "trn/Program/Walker.h"
#include "trn/Simulator/Cost.h"
#include "trn/Support/Interrupt.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <deque>

using namespace mlir::trn;

namespace {
class Simulation {
public:
  Simulation(const Program &program, const Machine &machine,
             const SimulationOptions &options, PartStates *states = nullptr)
      : program(program), walker(program), costs(machine),
        timeline(options.timeline), limit(options.limit), parts(options.parts),
        states(states), hazards(program, machine, costs.semaphore, timeline),
        ports(program, machine.portLocks), throttle(costs.tensorThrottle),
        dma(program, costs) {
    if (options.criticalPath)
      path.emplace(program, costs, dma.numGroups(), options.pathWindow,
                   options.pathLimit, options.pathSteps);
    result.totals.resize(program.instructions.size());
    for (const Instruction &instruction : program.instructions)
      if (isDma(instruction.engine))
        durations.push_back({});
      else
        durations.push_back({costs.occupied(instruction),
                             costs.visible(instruction),
                             costs.tableOf(instruction)});
    free.fill(costs.kernelOverhead);
    loaded = stored = latest = costs.kernelOverhead;
    if (limit < unlimited)
      countRemaining();
  }

  /// Runs until the core meets another one, or to the end; returns when it
  /// comes to the meeting.
  std::optional<int64_t> advance() {
    const int64_t interruptInterval = 4096;
    while (const Step *step = walker.next()) {
      if (std::max(latest, least) > limit ||
          (++steps % interruptInterval == 0 && isInterrupted()))
        break;
      if (step->kind == Step::Kind::Alloc)
        hazards.alloc(step->index, walker.slot(step->index));
      else if (step->kind == Step::Kind::Execute &&
               isMeeting(program.instructions[step->index].semantics))
        return come(step->index);
      else if (step->kind == Step::Kind::Execute)
        execute(step->index, walker.counters());
    }
    return std::nullopt;
  }

  /// Both cores are at a meeting, the later one at `time`. The queue of the
  /// earlier one waits in it.
  void meet(int64_t time) {
    if (!meeting) // it has stopped before
      return;
    TimelineEvent event = meeting->event;
    event.start = arrival();
    event.end = event.done = time + durations[event.instruction].occupied;
    if (path)
      followMeeting(event);
    complete(event, meeting->ready);
    meeting.reset();
  }

  SimulationResult finish(const Machine &machine) {
    hazards.finish();
    while (result.parts.size() < parts.size())
      endPart();
    result.latency = result.end = std::max(latest, least);
    result.dmaBusy = dma.busy();
    if (path)
      result.criticalPath = path->finish();
    if (path && states)
      states->pathTracks = path->takeTracks();
    summarize(program, machine, result);
    return std::move(result);
  }

private:
  static constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();

  struct Duration {
    int64_t occupied = 0;
    int64_t visible = 0;
    /// The table of functions that it needs; 0 for none.
    int64_t table = 0;
  };

  void countRemaining() {
    // One more than the limit is enough to end at once.
    const uint64_t most = uint64_t(std::min(limit, unlimited / 2)) + 1;
    std::vector<int64_t> executions = countExecutions(program);
    for (auto [instruction, duration, count] :
         llvm::zip_equal(program.instructions, durations, executions)) {
      int64_t &sum = remaining[static_cast<int>(instruction.engine)];
      sum = std::min(most, llvm::SaturatingMultiplyAdd<uint64_t>(
                               duration.occupied, count, sum));
    }
  }

  /// A meeting that the core has come to.
  struct Meeting {
    TimelineEvent event = {};
    Hazards::Ready ready;
  };

  int64_t come(int32_t index) {
    const Engine engine = program.instructions[index].engine;
    meeting = Meeting{{index, engine, 0, 0, 0, 0, 0, WaitReason::None},
                      hazards.ready(index, engine, walker.counters())};
    return arrival();
  }

  int64_t arrival() const {
    return std::max({free[static_cast<int>(meeting->event.engine)],
                     meeting->ready.data, meeting->ready.overwrite});
  }

  void followMeeting(const TimelineEvent &event) {
    const Hazards::Ready &ready = meeting->ready;
    if (event.start == free[static_cast<int>(event.engine)])
      path->compute(event);
    else
      path->compute(event, ready.data >= ready.overwrite
                               ? hazards.dataCause(event.engine, ready)
                               : hazards.overwriteCause(event.engine, ready));
  }

  void endPart() {
    result.parts.push_back({latest, dma.busy()});
    if (states && states->isNext(result.parts.size()))
      states->states.push_back(describe(result.parts.size()));
  }

  int64_t triggerOf(Engine queue) const {
    return queue == Engine::Load ? loaded : stored;
  }
  int64_t oldestStart(size_t part) const;
  State describe(size_t part) const;

  void execute(int32_t index, llvm::ArrayRef<int64_t> counters) {
    while (result.parts.size() + 1 < parts.size() &&
           index >= parts[result.parts.size() + 1])
      endPart();
    const Instruction &instruction = program.instructions[index];
    Engine engine = instruction.engine;
    Hazards::Ready ready = hazards.ready(index, engine, counters);
    TimelineEvent event{index, engine, 0, 0, 0, 0, 0, WaitReason::None};
    if (isDma(engine))
      move(event, ready, counters);
    else
      compute(event, ready, free[static_cast<int>(engine)]);
    complete(event, ready);
  }

  void complete(TimelineEvent &event, const Hazards::Ready &ready) {
    const Engine engine = event.engine;
    int64_t &queueFree = free[static_cast<int>(engine)];
    // A transfer reads until it tells that it is complete.
    bool isTransfer = isDma(engine) || engine == Engine::Collective;
    hazards.record(engine, event.start, isTransfer ? event.done : event.end,
                   event.done);
    account(event, ready, queueFree);
    queueFree = std::max(queueFree, event.end);
    latest = std::max(latest, event.done);
    int64_t &rest = remaining[static_cast<int>(engine)];
    rest -= durations[event.instruction].occupied;
    least = std::max(least, queueFree + rest);
    if (timeline)
      timeline->instruction(event);
  }

  void compute(TimelineEvent &event, const Hazards::Ready &ready,
               int64_t queueFree) {
    const Duration &duration = durations[event.instruction];
    // A table is loaded as soon as the engine is free, whatever comes next.
    int64_t able = queueFree + loadTable(event.instruction, duration.table);
    event.start = std::max({able, ready.data, ready.overwrite});
    bool hasWaited = event.start > able;
    if (ports.isLocked(event.instruction))
      event.start = ports.take(event.instruction, event.engine, event.start,
                               duration.occupied);
    if (event.engine == Engine::Tensor)
      event.lost = throttle.run(event.start, duration.occupied);
    else if (event.start == able)
      event.lost = able - queueFree;
    event.end = event.start + duration.occupied;
    event.done = event.start + duration.visible;
    if (event.engine == Engine::Tensor) {
      event.end += event.lost;
      event.done += event.lost;
    } else {
      event.start -= event.lost;
    }
    if (!path)
      return;
    if (!hasWaited)
      path->compute(event);
    else
      path->compute(event, ready.data >= ready.overwrite
                               ? hazards.dataCause(event.engine, ready)
                               : hazards.overwriteCause(event.engine, ready));
  }

  /// How long ScalarE loads a table for before it executes an instruction.
  int64_t loadTable(int32_t index, int64_t table) {
    if (table == 0 || table == loadedTable)
      return 0;
    loadedTable = table;
    ++result.totals[index].swaps;
    return costs.functionSwap;
  }

  void move(TimelineEvent &event, const Hazards::Ready &ready,
            llvm::ArrayRef<int64_t> counters) {
    // A queue triggers its transfers in order, each once its source is visible,
    // and runs ahead of the engines: the latency passes while earlier transfers
    // move or the destination is still in use.
    int64_t &triggered = event.engine == Engine::Load ? loaded : stored;
    if (ready.data > triggered) {
      triggered = ready.data;
      // A queue that leaves some engines alone would never forget there.
      dma.forgetUntil(event.engine, triggered + costs.dmaLatency);
      if (path)
        path->trigger(event.engine, hazards.dataCause(event.engine, ready));
    }
    int64_t movable = triggered + costs.dmaLatency;
    DmaEngines::Transfer transfer =
        dma.move(event.instruction, program.instructions[event.instruction],
                 std::max(movable, ready.overwrite), counters);
    event.start = transfer.start;
    event.end = transfer.end;
    event.done = transfer.done;
    if (!path)
      return;
    if (ready.overwrite <= movable)
      path->transfer(event, dma.latestShares());
    else
      path->transfer(event, dma.latestShares(),
                     hazards.overwriteCause(event.engine, ready));
  }

  void account(TimelineEvent &event, const Hazards::Ready &ready,
               int64_t queueFree);

  const Program &program;
  Walker walker;
  int64_t steps = 0;
  /// Where it waits.
  std::optional<Meeting> meeting;
  Costs costs;
  TimelineSink *timeline;
  int64_t limit;
  llvm::ArrayRef<int32_t> parts;
  PartStates *states;
  Hazards hazards;
  Ports ports;
  Throttle throttle;
  DmaEngines dma;
  std::optional<PathTracker> path;
  std::vector<Duration> durations;
  /// By engine: from when its queue has nothing left to do.
  std::array<int64_t, numEngines> free;
  /// When the DMA queues triggered their latest transfers.
  int64_t loaded, stored;
  /// The table of functions that ScalarE holds.
  int64_t loadedTable = 0;
  int64_t latest;
  /// By engine but those of DMA: how long it is occupied by what is not
  /// executed yet, and the least latency that follows. Only with a limit.
  std::array<int64_t, numEngines> remaining = {};
  int64_t least = 0;
  SimulationResult result;
};
} // namespace

/// Splits the time that the queue stood still by what it waited for.
void Simulation::account(TimelineEvent &event, const Hazards::Ready &ready,
                         int64_t queueFree) {
  InstructionTotals &totals = result.totals[event.instruction];
  int64_t busy = event.end - std::max(event.start, queueFree);
  ++totals.executions;
  totals.busy += std::max<int64_t>(busy, 0);
  totals.lost += event.lost;
  if (event.start <= queueFree)
    return;

  event.waited = event.start - queueFree;
  totals.waited += event.waited;
  bool isData = ready.data >= ready.overwrite;
  int64_t hazardFree = std::max({queueFree, ready.data, ready.overwrite});
  int64_t withoutSemaphore =
      isData ? ready.dataWithoutSemaphore : ready.overwrite - costs.semaphore;
  int64_t onHazard = std::clamp<int64_t>(withoutSemaphore - queueFree, 0,
                                         hazardFree - queueFree);

  std::pair<WaitReason, int64_t> parts[] = {
      {isData                 ? WaitReason::Data
       : ready.overwritesBank ? WaitReason::Bank
                              : WaitReason::Buffer,
       onHazard},
      {WaitReason::Semaphore, hazardFree - queueFree - onHazard},
      {isDma(event.engine) ? WaitReason::Dma : WaitReason::Port,
       event.start - hazardFree}};
  int64_t longest = 0;
  for (auto [reason, time] : parts) {
    totals.waits[static_cast<int>(reason)] += time;
    if (time > longest) {
      longest = time;
      event.reason = reason;
    }
  }
}

/// No instruction from `part` on starts earlier, nor does a transfer wait for
/// what was done before.
int64_t Simulation::oldestStart(size_t part) const {
  int64_t oldest = latest;
  for (int index = 0; index < numEngines; ++index) {
    Engine engine = static_cast<Engine>(index);
    if (!states->isUsed(engine, part))
      continue;
    oldest =
        std::min(oldest, isDma(engine)
                             ? std::max(triggerOf(engine),
                                        dma.queueEnd(engine) - costs.dmaLatency)
                             : free[index]);
  }
  return oldest;
}

/// All that the instructions of `part` and those after it depend on.
State Simulation::describe(size_t part) const {
  StateWriter writer(latest, oldestStart(part), costs.semaphore);
  auto isUsed = [&](Engine engine) { return states->isUsed(engine, part); };
  for (int index = 0; index < numEngines; ++index)
    if (isUsed(static_cast<Engine>(index)))
      writer.addExact(free[index]);
  for (Engine queue : {Engine::Load, Engine::Store})
    writer.addTime(triggerOf(queue));
  writer.add(loadedTable);
  throttle.describe(writer);
  ports.describe(isUsed, writer);
  dma.describe(isUsed, writer);
  hazards.describe(states->memoryBefore(part), states->tilesOf(part), writer);
  if (path)
    path->describe(*states, part, writer);
  return std::move(writer.state);
}

/// Of a logical core, which share the rate of HBM.
static SimulationResult simulateCores(const Program &program,
                                      const Machine &machine,
                                      const SimulationOptions &options) {
  SimulationOptions others = options;
  others.parts = {};
  Simulation core(program, machine, options);
  std::deque<Simulation> rest; // they stay where they are
  for (auto [number, other] : llvm::enumerate(program.others)) {
    others.timeline =
        number < options.others.size() ? options.others[number] : nullptr;
    rest.emplace_back(other, machine, others);
  }
  while (std::optional<int64_t> time = core.advance()) {
    for (Simulation &other : rest)
      time = std::max(*time, other.advance().value_or(0));
    core.meet(*time);
    for (Simulation &other : rest)
      other.meet(*time);
  }
  SimulationResult result = core.finish(machine);
  for (Simulation &other : rest) {
    other.advance(); // to its end
    result.others.push_back(other.finish(machine));
    result.latency = std::max(result.latency, result.others.back().end);
  }
  return result;
}

SimulationResult mlir::trn::simulateParts(const Program &program,
                                          const Machine &machine,
                                          const SimulationOptions &options,
                                          PartStates &states) {
  Simulation core(program, machine, options, &states);
  while (std::optional<int64_t> time = core.advance())
    core.meet(*time); // there is nobody to wait for
  return core.finish(machine);
}

SimulationResult mlir::trn::simulate(const Program &program,
                                     const Machine &machine,
                                     const SimulationOptions &options) {
  if (!program.others.empty())
    return simulateCores(program, machine.ofCores(1 + program.others.size()),
                         options);
  Simulation core(program, machine, options);
  while (std::optional<int64_t> time = core.advance())
    core.meet(*time); // there is nobody to wait for
  return core.finish(machine);
}
