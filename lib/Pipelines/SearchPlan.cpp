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
#include "trn/Support/Interrupt.h"

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
      : space(space), timer(machine), effort(effort),
        allowed(std::max<int64_t>(1, effort / 5 * 4)) {}

  std::optional<FoundPlan> run();

private:
  using Found = std::pair<int64_t, Candidate>;
  /// Keeps `list` in the order of latencies.
  static void insert(std::vector<Found> &list, Found found);
  /// From `current` on, whatever is faster along one axis after the other, as
  /// long as something is.
  void descend(Candidate current, int64_t latency);
  /// Whether one of `candidates` is faster; the fastest becomes `current`.
  bool improve(Candidate &current, int64_t &latency,
               const std::vector<Candidate> &candidates);
  /// The same from the best of those that need little of SBUF: of each way to
  /// have only a part on chip, the first that fits.
  void descendFromTight();
  /// `start`, or what needs less of SBUF and fits.
  std::optional<Found> timeStart(const Candidate &start);
  /// From the best on, two axes at once.
  void improvePairs();
  /// From the best on and what else descents ended in, along finer axes, too.
  void refine();
  /// The latency of a schedule that was not timed before, if it is below
  /// `limit`.
  std::optional<int64_t> time(const Candidate &candidate, int64_t limit);

  static constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();

  const PlanSpace &space;
  ScheduleTimer timer;
  int64_t effort;
  int64_t allowed; // of the effort, until now
  bool isFine = false;
  std::vector<Schedule> timed;
  std::vector<Found> ends; // of descents
  std::optional<FoundPlan> best;
};
} // namespace

std::optional<int64_t> PlanSearch::time(const Candidate &candidate,
                                        int64_t limit) {
  if ((best && int64_t(timed.size()) >= allowed) || isInterrupted())
    return std::nullopt;
  std::optional<Schedule> schedule = space.build(candidate);
  if (!schedule || llvm::is_contained(timed, *schedule))
    return std::nullopt;
  std::optional<int64_t> latency = timer.time(*schedule, limit - 1);
  if (!latency && !best)
    return std::nullopt;
  timed.push_back(*schedule);
  if (latency && (!best || *latency < best->latency))
    best = FoundPlan{*schedule, candidate, *latency};
  return latency;
}

void PlanSearch::insert(std::vector<Found> &list, Found found) {
  list.insert(llvm::upper_bound(list, found, llvm::less_first()), found);
}

bool PlanSearch::improve(Candidate &current, int64_t &latency,
                         const std::vector<Candidate> &candidates) {
  bool improved = false;
  for (const Candidate &candidate : candidates)
    if (std::optional<int64_t> less = time(candidate, latency)) {
      current = candidate;
      latency = *less;
      improved = true;
    }
  return improved;
}

void PlanSearch::descend(Candidate current, int64_t latency) {
  for (bool improved = true; improved;) {
    improved = false;
    for (unsigned axis = 0; isFine && axis < space.numFineAxes(); ++axis)
      improved |= improve(current, latency, space.alongFine(axis, current));
    for (unsigned axis = 0; axis < space.numAxes(); ++axis)
      improved |= improve(current, latency, space.along(axis, current));
  }
  insert(ends, {latency, current});
}

void PlanSearch::descendFromTight() {
  std::vector<Candidate> kinds;
  for (const Candidate &start : space.tightStarts()) {
    bool isKnown = llvm::any_of(kinds, [&](const Candidate &kind) {
      return kind.keepsAsMuchAs(start);
    });
    bool isWorse =
        best && space.roundsOften(start) && !space.roundsOften(best->candidate);
    if (isKnown || isWorse || !space.build(start))
      continue;
    kinds.push_back(start);
    time(start, best ? best->latency : unlimited);
  }
  if (best)
    descend(best->candidate, best->latency);
}

void PlanSearch::improvePairs() {
  int64_t before = best->latency;
  for (const Candidate &pair : space.pairs(best->candidate))
    time(pair, best->latency);
  if (best->latency < before)
    descend(best->candidate, best->latency);
}

std::optional<PlanSearch::Found> PlanSearch::timeStart(const Candidate &start) {
  for (const Candidate &smaller : space.withLessOfX(start))
    if (std::optional<int64_t> latency = time(smaller, unlimited))
      return Found(*latency, smaller);
  return std::nullopt;
}

void PlanSearch::refine() {
  const size_t mostEnds = 3;
  allowed = effort;
  isFine = true;
  timer.allowRest();
  std::vector<Found> others = std::move(ends);
  llvm::erase_if(others,
                 [&](const Found &end) { return end.first == best->latency; });
  others.resize(std::min(others.size(), mostEnds));
  descend(best->candidate, best->latency);
  // What the other way takes of SBUF is not what suits this one.
  for (const Candidate &turned : space.turned(best->candidate))
    descend(turned, unlimited);
  for (const auto &[latency, candidate] : others)
    descend(candidate, latency);
}

std::optional<FoundPlan> PlanSearch::run() {
  std::optional<Found> first;
  std::vector<Found> starts;
  for (const Candidate &start : space.starts())
    if (std::optional<Found> found = timeStart(start); found && !first)
      first = found;
    else if (found)
      insert(starts, *found);
  // What promises most, then the fastest: work may be spent before the last.
  if (first)
    descend(first->second, first->first);
  for (const auto &[latency, start] : starts)
    descend(start, latency);
  if (!best)
    descendFromTight();
  if (best) {
    improvePairs();
    refine();
  }
  if (best) {
    best->timed = timed.size();
    best->isSimulated = timer.isSimulating();
  }
  return best;
}

/// Leaves at most `most` indices of all `dims` together, the outermost first;
/// returns how many, or 0 if there are no more.
static int64_t shrink(planning::Graph &graph, ArrayRef<unsigned> dims,
                      int64_t most) {
  int64_t count = 1;
  bool isLess = false;
  for (unsigned dim : dims) {
    int64_t &size = graph.dims[dim].size, all = size;
    size = std::min(size, most / count);
    count *= size;
    isLess |= size < all;
  }
  return isLess ? count : 0;
}

/// The plan for fewer rows and batches, for all of those that `space` has; none
/// if they are not many or it does not fit.
static std::optional<FoundPlan>
searchSmaller(const planning::Graph &source,
              const planning::Constraints &constraints, const PlanSpace &space,
              const Machine &machine, int64_t effort) {
  const int64_t maxRows = 8192, maxBatches = 8;
  const planning::Dim &strip = source.dims[space.stripDim()];
  planning::Graph smaller = source;
  int64_t batches = shrink(smaller, source.batches(), maxBatches), rows = 0;
  if (strip.size > maxRows && constraints.blockOf(strip.name) <= maxRows)
    rows = shrink(smaller, space.stripDim(), maxRows);
  if (smaller == source)
    return std::nullopt;
  PlanSpace fewer(smaller, constraints, machine);
  std::optional<FoundPlan> found = PlanSearch(fewer, machine, effort).run();
  std::optional<Schedule> schedule =
      found ? space.build(found->candidate) : std::nullopt;
  if (!schedule)
    return std::nullopt;
  found->schedule = *schedule;
  double latency = double(found->latency);
  for (auto [all, some] : llvm::zip_equal(source.dims, smaller.dims))
    latency *= double(all.size) / double(some.size);
  found->latency = int64_t(std::min(latency, 0x1p62));
  found->fewerRows = rows;
  found->fewerBatches = batches;
  return found;
}

llvm::Expected<FoundPlan>
mlir::trn::searchPlan(const planning::Graph &source,
                      const planning::Constraints &constraints,
                      const Machine &machine, int64_t effort) {
  llvm::Expected<Machine> limited = limitTiles(machine);
  if (!limited)
    return limited.takeError();
  PlanSpace space(source, constraints, *limited);
  if (llvm::Error error = space.checkDemands())
    return error;
  if (std::optional<FoundPlan> found =
          searchSmaller(source, constraints, space, *limited, effort))
    return *found;
  if (std::optional<FoundPlan> found =
          PlanSearch(space, *limited, effort).run())
    return *found;
  return llvm::createStringError(space.findObstacle());
}
