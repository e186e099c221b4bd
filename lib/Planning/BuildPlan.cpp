//===- BuildPlan.cpp - The schedule of a candidate ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StripPlan.h"
#include "trn/Placement/Solvers.h"
#include "trn/Planning/PlanCost.h"
#include "trn/Planning/PlanSpace.h"
#include "trn/Planning/PrintSchedule.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

/// The homes of what `keep` calls `matrix`. The name of a matrix of the source
/// stands for what it becomes if there is none of that name.
llvm::SmallVector<Home *> PlanSpace::homesOf(llvm::StringRef matrix,
                                             Schedule &schedule) const {
  llvm::SmallVector<Home *> named, derived;
  llvm::SmallVector<unsigned> origins = originsOf(schedule.graph, source);
  for (Home &home : schedule.plan.homes) {
    if (schedule.graph.matrices[home.matrix].name == matrix)
      named.push_back(&home);
    if (source.matrices[origins[home.matrix]].name == matrix)
      derived.push_back(&home);
  }
  return named.empty() ? derived : named;
}

/// Moves the homes of `matrix` into `loop`, and says whether there is one and
/// all could be; whether that makes a plan is for its check.
bool PlanSpace::keepAt(llvm::StringRef matrix, llvm::StringRef loop,
                       Schedule &schedule) const {
  llvm::SmallVector<Home *> homes = homesOf(matrix, schedule);
  for (Home *home : homes) {
    std::optional<unsigned> level = findLevel(
        schedule.graph, schedule.plan.nests[home->nests.front()], loop);
    if (!level)
      return false;
    if (*level != home->level)
      home->moveTo(*level);
  }
  return !homes.empty();
}

bool PlanSpace::keepAsDemanded(Schedule &schedule) const {
  return llvm::all_of(constraints.keep, [&](const auto &demand) {
    return keepAt(demand.first, demand.second, schedule);
  });
}

/// The schedule of a candidate, if it is as demanded.
std::optional<Schedule> PlanSpace::assemble(const Candidate &candidate) const {
  Schedule schedule;
  schedule.graph = legalize(source, candidate.transpose);
  bool turns = constraints.transpose && source.stages.size() > 1;
  if (turns && !(legalize(source, *constraints.transpose) == schedule.graph))
    return std::nullopt;
  schedule.plan =
      planStrips(schedule.graph, strip, candidate, constraints.recompute);
  if (!keepAsDemanded(schedule))
    return std::nullopt;
  return schedule;
}

std::optional<FittingSchedule> PlanSpace::fit(Schedule schedule) const {
  if (llvm::Error error = schedule.plan.check(schedule.graph, machine)) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  PlanCost cost = computeCost(schedule, machine);
  if (!placement::isSolvable(cost.psum) || !placement::isSolvable(cost.sbuf))
    return std::nullopt;
  return FittingSchedule{std::move(schedule), cost.busiestNs()};
}

std::optional<FittingSchedule>
PlanSpace::build(const Candidate &candidate) const {
  std::optional<Schedule> schedule = assemble(candidate);
  return schedule ? fit(std::move(*schedule)) : std::nullopt;
}
