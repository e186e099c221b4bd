//===- Starts.cpp - Plans that a search begins with -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Search/Starts.h"

#include "RowVariants.h"
#include "StartVariants.h"
#include "trn/Machine/Machine.h"
#include "trn/Planning/TurnSoftmax.h"
#include "trn/Search/SmallestPlans.h"
#include "trn/Search/TimeSchedule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;

static std::vector<int64_t> stripSizes(const Graph &source,
                                       const DemandChecker &demands,
                                       const Machine &machine) {
  unsigned strip = stripOf(source);
  int64_t size = source.sizeOf(strip), tile = machine.partitions;
  if (int64_t forced = demands.forced(strip))
    return {forced};
  std::vector<int64_t> sizes;
  auto add = [&](int64_t rows) {
    rows = std::min<int64_t>(llvm::alignTo(rows, tile), size);
    if (!llvm::is_contained(sizes, rows))
      sizes.push_back(rows);
  };
  for (int64_t tiles : {4, 8, 6, 5, 3, 2, 7, 12, 16, 1})
    add(tiles * tile);
  // Strips of one size.
  for (int64_t count : {2, 3})
    if (int64_t rows = llvm::divideCeil(size, count); rows <= 16 * tile)
      add(rows);
  // All of X^T is on chip, and weights pass by once.
  add(size);
  return sizes;
}

//===----------------------------------------------------------------------===//
// What fits
//===----------------------------------------------------------------------===//

/// Narrower blocks of weights that come with their whole contraction.
static void limitColumns(Schedule &schedule, int64_t columns, unsigned strip,
                         const DemandChecker &demands) {
  for (auto [nest, stage] : llvm::enumerate(schedule.graph.stages)) {
    const Home *home = schedule.plan.homeOf(stage.result, nest);
    auto &loops = schedule.plan.nests[nest].loops;
    if (!stage.terms.empty() && home && !home->sums && !loops.empty() &&
        loops.back().dim != strip &&
        !demands.forced(schedule.graph.wholeOf(loops.back().dim)))
      loops.back().block = std::min(loops.back().block, columns);
  }
}

/// Limits the slots of each home, and those of homes that are filled ahead.
static void limitSlots(Schedule &schedule, int64_t slots, int64_t ahead) {
  for (Home &home : schedule.plan.homes) {
    home.slots = std::min(home.slots, slots);
    if (home.ahead)
      home.slots = std::max<int64_t>(1, std::min(home.slots, ahead));
    if (!ahead)
      home.ahead = 0;
  }
}

/// Sums in SBUF are rounded to the type of their matrix each time, and lie in
/// its home.
static void roundSums(Schedule &schedule) {
  for (Home &home : schedule.plan.homes)
    if (home.sums && home.sums->store == Store::Sbuf)
      home.sums->type = schedule.graph.matrices[home.matrix].type;
}

/// Less of X at a time, for the first product.
static std::vector<Schedule> lessOfX(const Schedule &start,
                                     const DemandChecker &demands,
                                     const Machine &machine) {
  const auto &stages = start.graph.stages;
  unsigned nest = 0;
  while (nest < stages.size() && stages[nest].terms.empty())
    ++nest;
  if (nest == stages.size())
    return {};
  int64_t size = start.graph.sizeOf(stages[nest].terms.front().over);
  std::vector<Schedule> less;
  int64_t tile = machine.partitions;
  for (int64_t parts : {int64_t(2), int64_t(4), int64_t(8),
                        llvm::divideCeilSigned(size, 4 * tile)})
    if (std::optional<Schedule> blocked = blockContraction(
            start, nest, llvm::alignTo(llvm::divideCeil(size, parts), tile),
            demands))
      less.push_back(*blocked);
  return less;
}

/// Offers what is less of a start if all of it does not fit, the most first,
/// until one is taken. Sums are rounded only where they do not fit otherwise.
static void offerLess(const Schedule &start, unsigned strip,
                      const DemandChecker &demands, const Machine &machine,
                      llvm::function_ref<bool(Schedule)> isTaken) {
  int64_t tile = machine.partitions;
  for (int64_t columns : {machine.movingFreeMax, 2 * tile, tile})
    for (int64_t slots : {8, 4, 2})
      for (int64_t ahead : {2, 1, 0}) {
        Schedule less = start;
        limitColumns(less, columns, strip, demands);
        limitSlots(less, slots, ahead);
        if (isTaken(std::move(less)))
          return;
      }
  std::vector<Schedule> blocked = lessOfX(start, demands, machine);
  for (bool rounds : {false, true})
    for (const Schedule &block : blocked)
      for (int64_t columns : {machine.movingFreeMax, tile})
        for (int64_t slots : {4, 2, 1}) {
          Schedule less = block;
          limitColumns(less, columns, strip, demands);
          limitSlots(less, slots, slots);
          if (rounds)
            roundSums(less);
          if (isTaken(std::move(less)))
            return;
        }
  for (int64_t slots : {2, 1}) {
    Schedule less = start;
    limitSlots(less, slots, slots);
    roundSums(less);
    if (isTaken(std::move(less)))
      return;
  }
}

/// Each batch has its own rows again.
static bool bringByBatch(Schedule &schedule) {
  bool isChanged = false;
  for (Home &home : schedule.plan.homes)
    isChanged |= std::exchange(home.whole, false);
  return isChanged;
}

/// `schedule`, or the first of what is less that fits.
static std::optional<Start> makeFit(const Schedule &schedule, unsigned strip,
                                    const DemandChecker &demands,
                                    const Machine &machine) {
  const double little = 0.05;
  std::optional<Start> start;
  std::vector<Schedule> tried;
  auto take = [&](Schedule less) {
    if (llvm::is_contained(tried, less))
      return false;
    tried.push_back(less);
    if (!demands.moveHomes(less) || !demands.allows(less))
      return false;
    std::optional<PlanCost> cost = costIfMayFit(less, machine);
    if (!cost)
      return false;
    double busy = cost->busiestNs(),
           all = cost->tensorNs + cost->dmaNs + cost->vectorNs;
    start = Start{std::move(less), busy, busy + little * all};
    return true;
  };
  offerLess(schedule, strip, demands, machine, take);
  if (Schedule byBatch = schedule; !start && bringByBatch(byBatch))
    offerLess(byBatch, strip, demands, machine, take);
  return start;
}

/// `starts`, and behind the first ones of attention the same for several heads.
/// They promise as much, but take long to write, so that there are no more.
static std::vector<Start> withSeveralHeads(llvm::ArrayRef<Start> starts,
                                           unsigned strip,
                                           const DemandChecker &demands,
                                           const Machine &machine) {
  int64_t most = 40;
  std::vector<Start> all;
  for (const Start &start : starts) {
    all.push_back(start);
    if (!isTurned(start.schedule.graph) || most-- <= 0)
      continue;
    for (const Schedule &several : jamHeads(start.schedule))
      if (auto fitting = makeFit(several, strip, demands, machine))
        all.push_back(std::move(*fitting));
  }
  return all;
}

std::vector<Start> search::findStarts(const Graph &source,
                                      const DemandChecker &demands,
                                      const Machine &machine, size_t most) {
  std::vector<Start> starts;
  unsigned strip = stripOf(source);
  auto add = [&](const Schedule &schedule) {
    if (starts.size() == most)
      return;
    std::optional<Start> start = makeFit(schedule, strip, demands, machine);
    if (start && llvm::none_of(starts, [&](const Start &other) {
          return other.schedule == start->schedule;
        }))
      starts.push_back(std::move(*start));
  };
  for (const Graph &graph : demands.forms())
    for (int64_t rows : stripSizes(source, demands, machine)) {
      if (starts.size() == most)
        break;
      for (const Schedule &variant :
           variantsOf(graph, strip, rows, demands, machine))
        add(variant);
    }
  if (starts.empty())
    for (const Schedule &smallest : smallestPlans(source, demands, machine))
      add(smallest);
  std::multimap<double, Start> sorted;
  for (Start &start : starts)
    sorted.emplace(start.promise, std::move(start));
  starts.clear();
  for (auto &[promise, start] : sorted)
    starts.push_back(std::move(start));
  return withSeveralHeads(starts, strip, demands, machine);
}

bool search::hasStart(const Graph &source, const DemandChecker &demands,
                      const Machine &machine) {
  const unsigned strip = stripOf(source);
  return llvm::any_of(
             smallestPlans(source, demands, machine),
             [&](const Schedule &smallest) {
               return makeFit(smallest, strip, demands, machine).has_value();
             }) ||
         !findStarts(source, demands, machine, /*most=*/1).empty();
}
