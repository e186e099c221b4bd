//===- SimulateCalls.cpp - Launches of calls that repeat ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch of L rounds is stepped through with few of them. Let round c begin
// and end in the same state. Then so does each round that is put in behind it,
// and what follows finds the state that it finds now: nothing but times, which
// are later by a round's. The critical path is followed backwards: if it comes
// into round c where it leaves it, it crosses the other rounds alike.
//
//===----------------------------------------------------------------------===//

#include "trn/Simulator/SimulateCalls.h"

#include "SplitParts.h"
#include "States.h"
#include "trn/Program/CountSteps.h"
#include "trn/Program/Repetition.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;

/// Where the critical path comes over the boundary before `part`: its last step
/// before that, with times as seen from there.
static std::vector<int64_t> findCrossing(const SimulationResult &whole,
                                         const PartStates &states,
                                         size_t part) {
  const std::vector<PathStep> &steps = whole.criticalPath->steps;
  auto next = llvm::partition_point(steps, [&](const PathStep &step) {
    return states.partOf(step.instruction) < part;
  });
  if (next == steps.begin() || next == steps.end())
    return {};
  size_t number = next - steps.begin() - 1;
  const PathStep &step = steps[number];
  StateWriter writer(whole.parts[part - 1].time, 0, 0);
  states.addInstruction(step.instruction, part, writer);
  writer.add(states.pathTracks[number]);
  for (int64_t time : {step.released, step.start, step.end})
    writer.addExact(time);
  return std::move(writer.state);
}

/// The first round that begins and ends in the same state, by the number of the
/// state at its end.
static std::optional<size_t> findSteady(const Launch &launch,
                                        const SimulationResult &whole,
                                        const PartStates &states,
                                        llvm::ArrayRef<int32_t> boundaries) {
  if (whole.criticalPath && whole.criticalPath->notFollowed != 0)
    return std::nullopt;
  for (size_t end = 1; end < states.states.size(); ++end) {
    if (states.states[end - 1] != states.states[end] ||
        launch.sbufAges[boundaries[end - 1]] !=
            launch.sbufAges[boundaries[end]])
      continue;
    if (!whole.criticalPath)
      return end;
    std::vector<int64_t> from =
        findCrossing(whole, states, boundaries[end - 1]);
    if (!from.empty() && from == findCrossing(whole, states, boundaries[end]))
      return end;
  }
  return std::nullopt;
}

/// The result of all calls, of one without `dropped` calls, which are like the
/// round that ends before call `end`.
static CallsResult insertRounds(LaunchResult fewer, size_t end, size_t period,
                                size_t dropped) {
  CallsResult all;
  all.stepped = fewer.whole.instructions;
  all.results = std::move(fewer.calls);
  all.repeated = dropped;
  for (size_t call = 0; call < all.results.size(); ++call) {
    if (call == end)
      for (size_t i = 0; i < dropped; ++i)
        all.resultOf.push_back(end - period + i % period);
    all.resultOf.push_back(call);
  }
  return all;
}

/// Steps through `rounds` rounds, and what comes before and after the others.
static std::optional<CallsResult>
simulateFewer(llvm::ArrayRef<LaunchCall> calls, const Repetition &repetition,
              size_t rounds, size_t dropped, const Machine &machine,
              const SimulationOptions &options) {
  std::vector<int32_t> boundaries;
  for (size_t round = 0; round <= rounds; ++round)
    boundaries.push_back(int32_t(repetition.first + round * repetition.period));
  std::optional<OwnedCalls> kept = dropCalls(calls, boundaries.back(), dropped);
  if (!kept)
    return std::nullopt;
  Launch launch = joinCalls(kept->calls, machine);
  std::vector<int32_t> begins = launch.begins();
  SimulationOptions own = options;
  own.parts = begins;
  own.pathSteps = options.criticalPath;
  PartStates states(launch.program, begins, boundaries, repetition.distance);
  SimulationResult whole = simulateParts(launch.program, machine, own, states);
  std::optional<size_t> steady = findSteady(launch, whole, states, boundaries);
  if (!steady)
    return std::nullopt;
  return insertRounds(splitParts(launch, machine, std::move(whole)),
                      boundaries[*steady], repetition.period, dropped);
}

/// What is in step at all is so after a few rounds. Until then the states, and
/// all steps that the critical path may go through, are kept.
static constexpr size_t mostRounds = 16;
static constexpr int64_t mostSteps = 1 << 22;

/// What is executed of `calls` without `dropped` ones from `first` on, up to
/// the limit for each call.
static int64_t countKept(llvm::ArrayRef<LaunchCall> calls, size_t first,
                         size_t dropped) {
  int64_t steps = 0;
  llvm::DenseMap<const Program *, int64_t> known;
  for (auto [index, call] : llvm::enumerate(calls)) {
    if (index >= first && index < first + dropped)
      continue;
    auto [own, isNew] = known.try_emplace(call.program, 0);
    if (isNew)
      own->second = countSteps(*call.program);
    steps += std::min(own->second, mostSteps);
  }
  return steps;
}

CallsResult mlir::trn::simulateCalls(llvm::ArrayRef<LaunchCall> calls,
                                     const Machine &machine,
                                     const SimulationOptions &options) {
  if (std::optional<Repetition> found = findRepetition(calls))
    for (size_t rounds = 1; rounds <= mostRounds; rounds *= 2) {
      // Until here, and for what follows the others.
      size_t kept = rounds * found->period + found->reach,
             length = found->end - found->first;
      size_t dropped =
          length < kept ? 0 : (length - kept) / found->period * found->period;
      // Otherwise it is not worth the risk to step in vain.
      if (4 * dropped < calls.size() ||
          countKept(calls, found->first, dropped) > mostSteps)
        break;
      if (std::optional<CallsResult> result =
              simulateFewer(calls, *found, rounds, dropped, machine, options))
        return std::move(*result);
    }
  LaunchResult all =
      simulateLaunch(joinCalls(calls, machine), machine, options);
  return insertRounds(std::move(all), calls.size(), /*period=*/0,
                      /*dropped=*/0);
}
