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
#include <list>
#include <map>
#include <unordered_map>
#include <unordered_set>

using namespace mlir;
using namespace mlir::trn;
using planning::Candidate;
using planning::FittingSchedule;
using planning::PlanSpace;
using planning::Schedule;

namespace {
struct HashSchedule {
  size_t operator()(const Schedule &schedule) const {
    return hash_value(schedule);
  }
};

class PlanSearch {
public:
  PlanSearch(const PlanSpace &space, const Machine &machine, int64_t effort)
      : space(space), timer(machine), effort(effort),
        allowed(std::max<int64_t>(1, effort / 5 * 4)) {}

  std::optional<FoundPlan> run();

private:
  using Found = std::pair<int64_t, Candidate>;
  using ByLatency = std::multimap<int64_t, Candidate>;

  /// Starts with strips of each size, which lead to different plans: the
  /// fastest of each size go through all axes once, then the second ones.
  void descendFromStarts();
  /// `start`, or what needs less of SBUF and fits, if it is not far behind.
  std::optional<Found> timeStart(const Candidate &start);
  /// From the best of those that need little of SBUF: of each way to have only
  /// a part on chip, the first that fits.
  void descendFromTight();
  /// Varies one axis after the other, and goes on with what is faster. Whether
  /// anything was.
  bool descend(Found &current, bool alsoOtherStrips);
  bool improve(Found &current, llvm::ArrayRef<Candidate> candidates);

  /// From the fastest end of a descent, two axes at once.
  void improvePairs();

  /// A plan on its way to a faster one, in small steps.
  struct Climber {
    Schedule current;
    int64_t latency;
    unsigned step = 0, tried = 0; // since it was faster

    bool isOnTop(const PlanSpace &space) const {
      return tried >= space.numSteps(current);
    }
  };
  /// All ends of descents climb a little, then the faster half goes on.
  void climbFromEnds();
  /// By turns from a kind of plan and from a plan, those that are near the
  /// best.
  void climbFromOrigins();
  void climb(Climber &climber, size_t plans);

  /// The latency of a schedule that was not timed before, if it is below
  /// `limit`.
  std::optional<int64_t> time(const FittingSchedule &schedule, int64_t limit);
  std::optional<int64_t> time(const Candidate &candidate, int64_t limit);
  /// `schedule` is one of `timed`.
  void remember(const Schedule &schedule, int64_t latency);
  bool isSpent() const {
    return (best && int64_t(timed.size()) >= allowed) || timer.isSpent() ||
           isInterrupted();
  }
  /// So many percent behind the best.
  int64_t behindBest(int64_t percent) const {
    return best->latency + best->latency / 100 * percent;
  }

  static constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();
  // In percent. A start may get much faster, and what is near the best may lead
  // to what is faster.
  static constexpr int64_t farStart = 50, farDescent = 30, near = 10;

  static constexpr size_t mostDescents = 16;

  const PlanSpace &space;
  ScheduleTimer timer;
  int64_t effort;
  int64_t allowed; // of the effort, until now
  std::unordered_set<Schedule, HashSchedule> timed;
  /// By a step, whether it fits or not.
  std::unordered_set<Schedule, HashSchedule> reached;
  std::vector<Found> ends; // of descents
  std::optional<FoundPlan> best;

  /// A plan that one may climb from.
  struct Origin {
    const Schedule *schedule; // one of `timed`
    int64_t latency;
    bool isVisited = false;
  };
  struct Origins {
    std::vector<Origin> all;
    std::unordered_set<int64_t> latencies; // of those that were visited

    /// Visits the fastest that takes no longer than `limit`. Those that are
    /// equally fast, to the picosecond, mostly differ in nothing that matters:
    /// one of them goes first.
    std::optional<Climber> visitNext(int64_t limit);
  };
  /// The fastest plan of each kind. Plans of a kind are alike but for blocks
  /// and slots, and have strips of one size: what leads from one to another is
  /// short steps.
  Origins kinds;
  std::unordered_map<Schedule, size_t, HashSchedule> numberOfKind;
  /// All plans: what is near a fast one may be slower, and lead on.
  Origins plans;
};
} // namespace

//===----------------------------------------------------------------------===//
// Timing
//===----------------------------------------------------------------------===//

/// What plans of its kind have in common.
static Schedule kindOf(Schedule schedule, unsigned strip) {
  for (planning::Nest &nest : schedule.plan.nests)
    for (planning::Loop &loop : nest.loops)
      if (loop.dim != strip)
        loop.block = 1;
  for (planning::Home &home : schedule.plan.homes)
    home.slots = 1;
  return schedule;
}

void PlanSearch::remember(const Schedule &schedule, int64_t latency) {
  if (!best || latency < best->latency)
    best = FoundPlan{schedule, latency};
  plans.all.push_back({&schedule, latency});
  auto [known, isNew] = numberOfKind.try_emplace(
      kindOf(schedule, space.stripDim()), kinds.all.size());
  if (isNew)
    kinds.all.push_back({&schedule, latency});
  else if (Origin &kind = kinds.all[known->second]; latency < kind.latency)
    kind = {&schedule, latency};
}

std::optional<int64_t> PlanSearch::time(const FittingSchedule &schedule,
                                        int64_t limit) {
  if (isSpent() || timed.count(schedule))
    return std::nullopt;
  std::optional<int64_t> latency = timer.time(schedule, limit - 1);
  if (!latency && !best)
    return std::nullopt;
  const Schedule &known = *timed.insert(schedule).first;
  if (latency)
    remember(known, *latency);
  return latency;
}

std::optional<int64_t> PlanSearch::time(const Candidate &candidate,
                                        int64_t limit) {
  if (isSpent())
    return std::nullopt;
  std::optional<FittingSchedule> schedule = space.build(candidate);
  return schedule ? time(*schedule, limit) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Descents along axes
//===----------------------------------------------------------------------===//

bool PlanSearch::improve(Found &current, llvm::ArrayRef<Candidate> candidates) {
  bool isFaster = false;
  for (const Candidate &candidate : candidates)
    if (std::optional<int64_t> less = time(candidate, current.first)) {
      current = {*less, candidate};
      isFaster = true;
    }
  return isFaster;
}

bool PlanSearch::descend(Found &current, bool alsoOtherStrips) {
  bool isFaster = false;
  for (unsigned axis = 0; axis < space.numAxes(); ++axis)
    if (axis != space.stripAxis() || alsoOtherStrips)
      isFaster |= improve(current, space.along(axis, current.second));
  return isFaster;
}

std::optional<PlanSearch::Found> PlanSearch::timeStart(const Candidate &start) {
  for (const Candidate &smaller : space.withLessOfX(start))
    if (std::optional<FittingSchedule> schedule = space.build(smaller)) {
      int64_t limit = best ? behindBest(farStart) : unlimited;
      if (std::optional<int64_t> latency = time(*schedule, limit))
        return Found(*latency, smaller);
      if (best)
        return std::nullopt;
    }
  return std::nullopt;
}

void PlanSearch::descendFromStarts() {
  std::vector<ByLatency> starts; // by size of strips
  for (int64_t rows : space.strips()) {
    ByLatency &own = starts.emplace_back();
    for (const Candidate &start : space.starts(rows))
      if (std::optional<Found> found = timeStart(start))
        own.insert(*found);
  }
  while (ends.size() < mostDescents && !isSpent()) {
    ByLatency next; // of each size the fastest that is left
    for (ByLatency &own : starts)
      if (!own.empty())
        next.insert(own.extract(own.begin()));
    if (next.empty())
      break;
    for (Found current : next) {
      if (isSpent() || current.first > behindBest(farDescent))
        break;
      descend(current, /*alsoOtherStrips=*/false);
      ends.push_back(current);
    }
  }
}

void PlanSearch::improvePairs() {
  Found &fastest = *llvm::min_element(ends, llvm::less_first());
  improve(fastest, space.pairs(fastest.second));
}

void PlanSearch::descendFromTight() {
  std::optional<Found> fastest;
  std::vector<Candidate> kinds;
  for (const Candidate &start : space.tightStarts()) {
    bool isKnown = llvm::any_of(kinds, [&](const Candidate &kind) {
      return kind.keepsAsMuchAs(start);
    });
    bool isWorse = fastest && space.roundsOften(start) &&
                   !space.roundsOften(fastest->second);
    if (isKnown || isWorse || !space.build(start))
      continue;
    kinds.push_back(start);
    if (std::optional<int64_t> less =
            time(start, fastest ? fastest->first : unlimited))
      fastest = {*less, start};
  }
  if (!fastest || fastest->first > behindBest(farDescent))
    return;
  while (descend(*fastest, /*alsoOtherStrips=*/true)) {
  }
  ends.push_back(*fastest);
}

//===----------------------------------------------------------------------===//
// Small steps
//===----------------------------------------------------------------------===//

void PlanSearch::climb(Climber &climber, size_t plans) {
  size_t enough = timed.size() + plans;
  auto isNew = [&](const Schedule &other) {
    return reached.insert(other).second;
  };
  while (!climber.isOnTop(space) && timed.size() < enough && !isSpent()) {
    climber.step = (climber.step + 1) % space.numSteps(climber.current);
    ++climber.tried;
    for (const FittingSchedule &other :
         space.neighbors(climber.current, climber.step, isNew)) {
      std::optional<int64_t> next =
          time(other, std::max(climber.latency, behindBest(near)));
      if (!next || *next >= climber.latency)
        continue;
      climber.current = other;
      climber.latency = *next;
      climber.tried = 0;
    }
  }
}

void PlanSearch::climbFromEnds() {
  std::list<Climber> climbers;
  for (const auto &[latency, end] : ends)
    climbers.push_back({*space.build(end), latency});
  for (size_t plans = 60; !climbers.empty() && !isSpent(); plans += plans / 2) {
    for (Climber &climber : climbers)
      climb(climber, plans);
    climbers.sort([](const Climber &a, const Climber &b) {
      return a.latency < b.latency;
    });
    size_t half = (climbers.size() + 1) / 2;
    climbers.erase(std::next(climbers.begin(), half), climbers.end());
    climbers.remove_if(
        [&](const Climber &climber) { return climber.isOnTop(space); });
  }
}

std::optional<PlanSearch::Climber>
PlanSearch::Origins::visitNext(int64_t limit) {
  Origin *next = nullptr;
  auto rank = [&](const Origin &origin) {
    return std::pair(latencies.count(origin.latency), origin.latency);
  };
  for (Origin &origin : all)
    if (!origin.isVisited && origin.latency <= limit &&
        (!next || rank(origin) < rank(*next)))
      next = &origin;
  if (!next)
    return std::nullopt;
  next->isVisited = true;
  latencies.insert(next->latency);
  return Climber{*next->schedule, next->latency};
}

void PlanSearch::climbFromOrigins() {
  for (bool isAny = true; isAny && !isSpent();) {
    isAny = false;
    for (Origins *origins : {&kinds, &plans})
      if (std::optional<Climber> next = origins->visitNext(behindBest(near))) {
        climb(*next, /*plans=*/effort);
        isAny = true;
      }
  }
}

std::optional<FoundPlan> PlanSearch::run() {
  descendFromStarts();
  descendFromTight();
  if (!best)
    return std::nullopt;
  allowed = effort;
  timer.allowRest();
  if (!ends.empty())
    improvePairs();
  climbFromEnds();
  climbFromOrigins();
  best->timed = timed.size();
  best->isSimulated = timer.isSimulating();
  return best;
}

/// Leaves at most `most` indices of all `dims` together, the outermost first;
/// returns how many, or 0 if there are no more.
static int64_t shrink(planning::Graph &graph, llvm::ArrayRef<unsigned> dims,
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
  if (!space.fit(found->schedule))
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
