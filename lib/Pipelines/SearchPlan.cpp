//===- SearchPlan.cpp - The fastest plan by simulation --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchPlan.h"

#include "TimeSchedule.h"
#include "trn/Planning/TileLimits.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::trn;
using planning::Candidate;
using planning::PlanSpace;
using planning::Schedule;

namespace {
class PlanSearch {
public:
  PlanSearch(const PlanSpace &space, const Machine &machine, int64_t effort)
      : space(space), timer(machine), effort(effort) {}

  std::optional<FoundPlan> run();

private:
  /// Whether `candidate` is faster than all before.
  bool isBetter(const Candidate &candidate);

  const PlanSpace &space;
  ScheduleTimer timer;
  int64_t effort;
  std::vector<Schedule> seen;
  std::optional<FoundPlan> best;
  Candidate current;
};
} // namespace

bool PlanSearch::isBetter(const Candidate &candidate) {
  if (int64_t(seen.size()) >= effort)
    return false;
  std::optional<Schedule> schedule = space.build(candidate);
  if (!schedule || llvm::is_contained(seen, *schedule))
    return false;
  int64_t limit =
      best ? best->latency - 1 : std::numeric_limits<int64_t>::max();
  seen.push_back(*schedule);
  std::optional<int64_t> latency = timer.time(*schedule, limit);
  if (!latency)
    return false;
  best = FoundPlan{*schedule, *latency};
  return true;
}

std::optional<FoundPlan> PlanSearch::run() {
  for (const Candidate &start : space.starts())
    if (isBetter(start)) {
      current = start;
      break;
    }
  if (!best)
    return std::nullopt;
  for (bool improved = true; improved;) {
    improved = false;
    for (unsigned axis = 0; axis < space.numAxes(); ++axis)
      for (const Candidate &candidate : space.along(axis, current))
        if (isBetter(candidate)) {
          current = candidate;
          improved = true;
        }
  }
  best->timed = seen.size();
  return best;
}

llvm::Expected<FoundPlan>
mlir::trn::searchPlan(const planning::Graph &source,
                      const planning::Constraints &constraints,
                      const Machine &machine, int64_t effort) {
  llvm::Expected<Machine> limited = limitTiles(machine);
  if (!limited)
    return limited.takeError();
  PlanSpace space(source, constraints, *limited);
  if (std::optional<FoundPlan> found =
          PlanSearch(space, *limited, effort).run())
    return *found;
  return llvm::createStringError(space.findObstacle());
}
