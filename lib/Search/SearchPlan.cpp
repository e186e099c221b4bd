//===- SearchPlan.cpp - The best plan by simulation -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Search/SearchPlan.h"

#include "PlanSearch.h"
#include "ShrinkGraph.h"
#include "trn/Machine/Machine.h"
#include "trn/Planning/TileLimits.h"
#include "trn/Search/Obstacles.h"
#include "trn/Search/TimeSchedule.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;

/// The plan of fewer rows and batches, for all of those that `source` has.
static Schedule enlarge(Schedule schedule, const Graph &source) {
  for (auto [dim, all] : llvm::zip_first(source.dims, schedule.graph.dims))
    all.size = dim.size;
  return schedule;
}

/// The same with its latency; none if it does not fit.
static std::optional<FoundPlan> enlarge(FoundPlan found, const Graph &source,
                                        const SmallerGraph &smaller,
                                        const Machine &machine) {
  found.schedule = enlarge(std::move(found.schedule), source);
  std::optional<PlanCost> cost = costIfFits(found.schedule, machine);
  if (!cost)
    return std::nullopt;
  double scale = 1;
  for (auto [all, some] : llvm::zip_equal(source.dims, smaller.graph.dims))
    scale *= double(all.size) / double(some.size);
  // All of it is simulated once, if that is not too long.
  ScheduleTimer timer(machine, /*programs=*/1);
  auto latency = timer.time(found.schedule, cost->busiestNs(),
                            std::numeric_limits<int64_t>::max());
  if (latency && found.isSimulated && timer.isSimulating())
    scale = double(*latency) / double(found.latency);
  for (int64_t *time : {&found.latency, &found.fastest})
    *time = int64_t(std::min(double(*time) * scale, 0x1p62));
  found.fewerRows = smaller.rows;
  found.fewerBatches = smaller.batches;
  return found;
}

/// Twice as many staggered batches, and more: engines run dry behind the last.
/// They take room that the next kernel may use, so they must gain 5 %.
static FoundPlan jamMore(FoundPlan found, const Machine &machine) {
  if (!found.isSimulated || !found.schedule.plan.staggered)
    return found;
  ScheduleTimer timer(machine, /*programs=*/8);
  FoundPlan more = found;
  Schedule wider = more.schedule;
  for (wider.plan.jam *= 2; auto cost = costIfFits(wider, machine);
       wider.plan.jam *= 2) {
    auto latency = timer.time(wider, cost->busiestNs(), more.latency - 1);
    if (!timer.isSimulating())
      break;
    if (!latency)
      continue; // a few do not pay, but more may
    more.schedule = wider;
    more.latency = more.fastest = *latency;
  }
  return double(more.latency) < 0.95 * double(found.latency) ? more : found;
}

/// Batches that are staggered come as they ask, or as engines can start them:
/// the best plan of each order, if there is any use for several batches at
/// once.
static llvm::SmallVector<SearchResult, 2>
searchOrders(const Graph &source, const Demands &demands,
             const Machine &machine, int64_t effort,
             DemandChecker::Predicate other = nullptr) {
  llvm::SmallVector<SearchResult, 2> found;
  SearchResult asked =
      searchPlans(source, demands, machine, effort, /*seeds=*/{}, other);
  if (!asked.best)
    return found;
  found.push_back(asked);
  auto isStaggered = [](const Schedule &schedule) {
    return schedule.plan.staggered != 0;
  };
  if (asked.best->schedule.plan.jam == 1 &&
      llvm::none_of(asked.promising, isStaggered))
    return found;
  SearchResult scheduled =
      searchPlans(source, demands, machine, effort, asked.promising, other);
  if (scheduled.best)
    found.push_back(std::move(scheduled));
  return found;
}

/// Most of many batches hide what the first ones wait for, which few do not
/// show: `others` were not as fast for those.
static FoundPlan improve(FoundPlan found, std::vector<Schedule> others,
                         const Graph &source, const Demands &demands,
                         const Machine &machine, int64_t effort) {
  const int64_t most = 64;
  others.insert(others.begin(), found.schedule);
  auto better =
      improvePlan(source, demands, machine, std::min(effort, most), others);
  if (!better || better->latency >= found.latency)
    return found;
  found.schedule = better->schedule;
  found.latency = better->latency;
  found.fastest = better->fastest;
  return jamMore(std::move(found), machine);
}

/// The best plan, found with fewer rows and batches if those are many and it
/// fits then.
static std::optional<FoundPlan> searchSizes(const Graph &source,
                                            const Demands &demands,
                                            const Machine &machine,
                                            int64_t effort) {
  std::optional<FoundPlan> best;
  auto take = [&](const FoundPlan &found) {
    FoundPlan more = jamMore(found, machine);
    if (!best || more.latency < best->latency)
      best = more;
  };
  if (auto smaller = shrinkGraph(source, demands, machine)) {
    Machine less = machine;
    less.sbufPartitionBytes =
        int64_t(double(machine.sbufPartitionBytes) * smaller->shareOfBuffers);
    // What is whole is there for all batches.
    auto fitsAll = [&](const Schedule &schedule) {
      return llvm::none_of(schedule.plan.homes,
                           [](const Home &home) { return home.whole; }) ||
             costIfMayFit(enlarge(schedule, source), machine);
    };
    std::vector<Schedule> others;
    for (const SearchResult &found :
         searchOrders(smaller->graph, demands, less, effort, fitsAll)) {
      if (auto enlarged = enlarge(*found.best, source, *smaller, machine))
        take(*enlarged);
      // Those of the last search first.
      for (const Schedule &promising : llvm::reverse(found.promising))
        others.insert(others.begin(), enlarge(promising, source));
    }
    if (best)
      best = improve(*best, others, source, demands, machine, effort);
  }
  if (!best)
    for (const SearchResult &found :
         searchOrders(source, demands, machine, effort))
      take(*found.best);
  return best;
}

llvm::Expected<FoundPlan> search::searchPlan(const Graph &source,
                                             const Demands &demands,
                                             const Machine &machine,
                                             int64_t effort) {
  llvm::Expected<Machine> limited = limitTiles(machine);
  if (!limited)
    return limited.takeError();
  if (llvm::Error error = demands.check(source, *limited))
    return error;
  if (auto found = searchSizes(source, demands, *limited, effort))
    return *found;
  return llvm::createStringError(
      findObstacle(source, demands, *limited).value_or("no plan fits"));
}
