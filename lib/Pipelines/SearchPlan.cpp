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
#include <map>

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

  /// `start`, or what needs less of SBUF and fits.
  std::optional<Found> timeStart(const Candidate &start);
  /// Whether one of `candidates` is faster; the fastest becomes `current`.
  bool improve(Found &current, const std::vector<Candidate> &candidates);
  /// The same along one axis after the other, once or as long as something is.
  bool improveAlongAxes(Found &current);
  void descend(Found current);
  void descendFromStarts();
  /// From the best of those that need little of SBUF: of each way to have only
  /// a part on chip, the first that fits.
  void descendFromTight();
  /// From the best on, two axes at once.
  void improvePairs();
  /// In small steps from the fastest ends of descents, and then from all that
  /// is near the best, the fastest first.
  void refine();
  void visit(Schedule current, int64_t latency);

  /// The latency of a candidate or schedule that was not timed before, if it
  /// is below `limit`.
  std::optional<int64_t> time(const Candidate &candidate, int64_t limit);
  std::optional<int64_t> time(const Schedule &schedule, int64_t limit);
  bool isSpent() const {
    return (best && int64_t(timed.size()) >= allowed) || timer.isSpent() ||
           isInterrupted();
  }
  /// What is not much slower than the best may lead to what is faster.
  int64_t nearBest() const { return best->latency + best->latency / 32; }

  static constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();

  const PlanSpace &space;
  ScheduleTimer timer;
  int64_t effort;
  int64_t allowed; // of the effort, until now
  std::vector<Schedule> timed;
  /// By latency, as what takes equally long is much the same; none if it was
  /// visited.
  std::map<int64_t, std::optional<Schedule>> found;
  std::vector<Found> ends; // of descents, the fastest first
  std::optional<Found> bestCandidate;
  std::optional<FoundPlan> best;
};
} // namespace

std::optional<int64_t> PlanSearch::time(const Schedule &schedule,
                                        int64_t limit) {
  if (isSpent() || llvm::is_contained(timed, schedule))
    return std::nullopt;
  std::optional<int64_t> latency = timer.time(schedule, limit - 1);
  if (!latency && !best)
    return std::nullopt;
  timed.push_back(schedule);
  if (!latency)
    return std::nullopt;
  found.emplace(*latency, schedule);
  if (!best || *latency < best->latency)
    best = FoundPlan{schedule, *latency};
  return latency;
}

std::optional<int64_t> PlanSearch::time(const Candidate &candidate,
                                        int64_t limit) {
  if (isSpent())
    return std::nullopt;
  std::optional<Schedule> schedule = space.build(candidate);
  std::optional<int64_t> latency;
  if (schedule)
    latency = time(*schedule, limit);
  if (latency && (!bestCandidate || *latency < bestCandidate->first))
    bestCandidate = Found(*latency, candidate);
  return latency;
}

bool PlanSearch::improve(Found &current,
                         const std::vector<Candidate> &candidates) {
  bool improved = false;
  for (const Candidate &candidate : candidates)
    if (std::optional<int64_t> less = time(candidate, current.first)) {
      current = {*less, candidate};
      improved = true;
    }
  return improved;
}

bool PlanSearch::improveAlongAxes(Found &current) {
  bool improved = false;
  for (unsigned axis = 0; axis < space.numAxes(); ++axis)
    improved |= improve(current, space.along(axis, current.second));
  return improved;
}

void PlanSearch::descend(Found current) {
  while (improveAlongAxes(current)) {
  }
}

std::optional<PlanSearch::Found> PlanSearch::timeStart(const Candidate &start) {
  for (const Candidate &smaller : space.withLessOfX(start))
    if (std::optional<int64_t> latency = time(smaller, unlimited))
      return Found(*latency, smaller);
  return std::nullopt;
}

void PlanSearch::descendFromStarts() {
  std::optional<Found> first;
  std::multimap<int64_t, Candidate> open;
  for (const Candidate &start : space.starts())
    if (std::optional<Found> found = timeStart(start); found && !first)
      first = found;
    else if (found)
      open.insert(*found);
  // What promises most, then whatever is fastest and may still get faster: work
  // may be spent before the last.
  if (first && improveAlongAxes(*first))
    open.insert(*first);
  while (!open.empty() && !isSpent()) {
    auto next = open.extract(open.begin());
    Found current(next.key(), next.mapped());
    if (improveAlongAxes(current))
      open.insert(current);
    else
      ends.insert(llvm::upper_bound(ends, current, llvm::less_first()),
                  current);
  }
}

void PlanSearch::descendFromTight() {
  std::vector<Candidate> kinds;
  for (const Candidate &start : space.tightStarts()) {
    bool isKnown = llvm::any_of(kinds, [&](const Candidate &kind) {
      return kind.keepsAsMuchAs(start);
    });
    bool isWorse = bestCandidate && space.roundsOften(start) &&
                   !space.roundsOften(bestCandidate->second);
    if (isKnown || isWorse || !space.build(start))
      continue;
    kinds.push_back(start);
    time(start, bestCandidate ? bestCandidate->first : unlimited);
  }
  if (bestCandidate)
    descend(*bestCandidate);
}

void PlanSearch::improvePairs() {
  Found current = *bestCandidate;
  if (improve(current, space.pairs(current.second)))
    descend(current);
}

void PlanSearch::refine() {
  const size_t mostEnds = 5;
  ends.resize(std::min(ends.size(), mostEnds));
  for (const auto &[latency, end] : ends)
    visit(*space.build(end), latency);
  while (!isSpent()) {
    auto next = llvm::find_if(
        found, [](const auto &entry) { return entry.second.has_value(); });
    if (next == found.end() || next->first > nearBest())
      return;
    auto &[latency, schedule] = *next;
    visit(*std::exchange(schedule, std::nullopt), latency);
  }
}

void PlanSearch::visit(Schedule current, int64_t latency) {
  unsigned step = 0, tried = 0;
  while (tried < space.numSteps(current) && !isSpent()) {
    step = (step + 1) % space.numSteps(current);
    ++tried;
    for (const Schedule &other : space.neighbors(current, step)) {
      std::optional<int64_t> next = time(other, std::max(latency, nearBest()));
      if (!next || *next >= latency)
        continue;
      latency = *next;
      current = other;
      found[latency].reset();
      tried = 0;
    }
  }
}

std::optional<FoundPlan> PlanSearch::run() {
  descendFromStarts();
  if (!best)
    descendFromTight();
  if (!best)
    return std::nullopt;
  allowed = effort;
  timer.allowRest();
  improvePairs();
  refine();
  best->timed = timed.size();
  best->isSimulated = timer.isSimulating();
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
  if (!found)
    return std::nullopt;
  for (auto [dim, all] :
       llvm::zip_first(source.dims, found->schedule.graph.dims))
    all.size = dim.size;
  if (!space.fits(found->schedule))
    return std::nullopt;
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
