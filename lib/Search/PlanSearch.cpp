//===- PlanSearch.cpp - Edits of plans, best first ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanSearch.h"

#include "EditRates.h"
#include "RowVariants.h"
#include "trn/Machine/Machine.h"
#include "trn/Search/Starts.h"
#include "trn/Search/TimeSchedule.h"
#include "trn/Support/Interrupt.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <unordered_map>
#include <unordered_set>

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;

namespace {
struct HashSchedule {
  size_t operator()(const Schedule &schedule) const {
    return hash_value(schedule);
  }
};

class PlanSearch {
public:
  PlanSearch(const Graph &source, const Demands &demands,
             const Machine &machine, ScheduleTimer timer, bool isScheduled,
             DemandChecker::Predicate other = nullptr)
      : source(source), demands(source, demands, machine, other),
        machine(machine), timer(std::move(timer)), isScheduled(isScheduled) {}

  SearchResult run(llvm::ArrayRef<Schedule> seeds);
  std::optional<FoundPlan> improve(llvm::ArrayRef<Schedule> schedules);

private:
  /// A plan that was timed, and the edits of it that were not tried yet.
  struct Node {
    Schedule schedule;
    int64_t latency;
    size_t skeleton; // hash of what it has in common with its like
    size_t form;     // hash of what edits hardly change
    std::optional<Edit> origin;
    std::optional<std::array<std::vector<Edit>, Edit::numKinds>> edits;

    bool isSpent() const {
      return edits &&
             llvm::all_of(*edits, [](const auto &of) { return of.empty(); });
    }
  };

  void timeStarts();
  /// The same for several heads of attention at once, which are staggered.
  void timeSeeds(llvm::ArrayRef<Schedule> seeds);
  int64_t limitOfStarts() const {
    return best ? int64_t(double(best->latency) * farStart)
                : std::numeric_limits<int64_t>::max();
  }
  /// The most promising node that has edits left; null if there is none.
  Node *nextNode();
  /// Tries edits of `node`, those first that pay most often, until one makes it
  /// faster or some were timed.
  void expand(Node &node);
  std::optional<Edit> nextEdit(Node &node) const;
  /// Tries a few edits at once, from one of the fastest plans.
  void leap();
  std::optional<Edit> anyEdit(const Schedule &schedule);
  /// Its latency if `schedule` is new, as demanded, fits and takes at most
  /// `limit`; it may get fewer slots for that.
  std::optional<int64_t> time(Schedule &schedule, int64_t limit);
  Node &remember(Schedule schedule, int64_t latency,
                 std::optional<Edit> origin = std::nullopt);
  /// Those that take at most `factor` of the time of the best, by latency.
  std::multimap<int64_t, const Node *> nodesWithin(double factor) const;
  /// The fastest of each skeleton.
  std::vector<const Node *> differentWithin(double factor) const;
  FoundPlan choose();

  bool isSpent() const { return best && (timer.isSpent() || isInterrupted()); }
  bool isStuck() const { return timer.timed() - lastGain > patience; }
  double random() {
    return double(generator()) / double(std::minstd_rand::max());
  }

  // Programs.
  static constexpr int64_t mostStarts = 80, perTurn = 40, perForm = 100,
                           patience = 300;
  static constexpr size_t mostPromising = 8;
  // Parts of a latency.
  static constexpr double farStart = 1.25, perVisit = 0.02, nearBest = 1.05;
  /// The work that starts may take.
  static constexpr double startShare = 0.35;
  /// How likely a leap begins at the next skeleton instead.
  static constexpr double passesOver = 0.75;

  const Graph &source;
  DemandChecker demands;
  const Machine &machine;
  ScheduleTimer timer;
  bool isScheduled; // staggered batches are list-scheduled
  /// Whether starts differ much: rows of all heads are stacked, or each head
  /// has its scores transposed.
  const bool hasForms = llvm::any_of(
      source.stages, [](const Stage &stage) { return stage.reduction; });
  EditRates rates;
  std::vector<std::unique_ptr<Node>> nodes; // in the order of their timing
  std::unordered_set<Schedule, HashSchedule> known;
  std::unordered_map<size_t, int64_t> visits; // of plans of a skeleton
  std::unordered_map<size_t, int64_t> tried;  // programs of a form
  const Node *best = nullptr;
  int64_t lastGain = 0;       // programs that were timed until then
  std::minstd_rand generator; // the same in each search
};
} // namespace

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// What differs in banks, slots and blocks, but those of strips, only is alike.
static size_t skeletonOf(Schedule schedule, unsigned strip) {
  for (Nest &nest : schedule.plan.nests) {
    nest.banks = 1;
    for (Loop &loop : nest.loops)
      if (loop.dim != strip)
        loop.block = 1;
  }
  for (Home &home : schedule.plan.homes)
    home.slots = 1;
  return hash_value(schedule);
}

static size_t formOf(const Schedule &schedule) {
  return llvm::hash_combine(hash_value(schedule.graph), schedule.plan.stacked,
                            llvm::ArrayRef(schedule.plan.interleaved));
}

PlanSearch::Node &PlanSearch::remember(Schedule schedule, int64_t latency,
                                       std::optional<Edit> origin) {
  size_t skeleton = skeletonOf(schedule, stripOf(source));
  size_t form = formOf(schedule);
  nodes.push_back(std::make_unique<Node>(Node{
      std::move(schedule), latency, skeleton, form, origin, std::nullopt}));
  Node &node = *nodes.back();
  if (!best || latency < best->latency) {
    best = &node;
    lastGain = timer.timed();
  }
  return node;
}

std::optional<int64_t> PlanSearch::time(Schedule &schedule, int64_t limit) {
  schedule.plan.scheduled = isScheduled && schedule.plan.staggered;
  if (!known.insert(schedule).second || !demands.allows(schedule))
    return std::nullopt;
  std::optional<PlanCost> cost = costIfMayFit(schedule, machine);
  // What has larger blocks may fit with fewer of them.
  for (int64_t most : {4, 2, 1}) {
    bool isFewer = false;
    for (Home &home : schedule.plan.homes)
      if (!cost && home.slots > most) {
        home.slots = most;
        isFewer = true;
      }
    if (isFewer && known.insert(schedule).second)
      cost = costIfMayFit(schedule, machine);
  }
  return cost ? timer.time(schedule, cost->busiestNs(), limit) : std::nullopt;
}

void PlanSearch::timeStarts() {
  for (Start &start : findStarts(source, demands, machine)) {
    if (best && (timer.timed() >= mostStarts || isSpent() ||
                 timer.workLeftShare() < 1 - startShare))
      return;
    start.schedule.plan.scheduled =
        isScheduled && start.schedule.plan.staggered;
    known.insert(start.schedule);
    if (auto latency =
            timer.time(start.schedule, start.busyNs, limitOfStarts()))
      remember(std::move(start.schedule), *latency);
  }
}

void PlanSearch::timeSeeds(llvm::ArrayRef<Schedule> seeds) {
  for (const Schedule &seed : seeds) {
    std::vector<Schedule> several = jamHeads(seed);
    if (seed.plan.staggered)
      several.push_back(seed);
    for (Schedule &schedule : several)
      if (auto latency = time(schedule, limitOfStarts()))
        remember(std::move(schedule), *latency);
  }
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// A plan is the less urgent the more of its like were visited. Each form is
/// tried a little, as the fastest start may have the slower form.
PlanSearch::Node *PlanSearch::nextNode() {
  Node *next = nullptr;
  bool isNew = false;
  const double limit = double(best->latency) * farStart;
  double least = limit;
  for (const std::unique_ptr<Node> &node : nodes) {
    if (node->isSpent())
      continue;
    bool isUntried = hasForms && tried[node->form] < perForm;
    if (isNew && !isUntried)
      continue;
    double urgency =
        double(node->latency) * (1 + perVisit * double(visits[node->skeleton]));
    if (urgency < least || (isUntried && !isNew && urgency < limit)) {
      least = urgency;
      next = node.get();
      isNew = isUntried;
    }
  }
  return next;
}

std::optional<Edit> PlanSearch::nextEdit(Node &node) const {
  std::vector<Edit> *next = nullptr;
  double most = -1;
  for (std::vector<Edit> &edits : *node.edits)
    if (!edits.empty() && rates.rate(edits.back().kind) > most) {
      most = rates.rate(edits.back().kind);
      next = &edits;
    }
  if (!next)
    return std::nullopt;
  Edit edit = next->back();
  next->pop_back();
  return edit;
}

/// Edits by kind, to be taken from the end. Where the last one helped, the next
/// one may.
static std::array<std::vector<Edit>, Edit::numKinds>
sortedEdits(const Schedule &schedule, const std::optional<Edit> &origin,
            const Machine &machine) {
  std::array<std::vector<Edit>, Edit::numKinds> sorted;
  for (const Edit &edit : editsOf(schedule, machine))
    sorted[size_t(edit.kind)].push_back(edit);
  for (std::vector<Edit> &edits : sorted) {
    auto first = llvm::find_if(
        edits, [&](const Edit &edit) { return origin && edit.isAt(*origin); });
    if (first != edits.end())
      std::rotate(edits.begin(), first, edits.end());
    std::reverse(edits.begin(), edits.end());
  }
  return sorted;
}

void PlanSearch::expand(Node &node) {
  if (!node.edits)
    node.edits = sortedEdits(node.schedule, node.origin, machine);
  ++visits[node.skeleton];
  int64_t enough = timer.timed() + perTurn;
  while (timer.timed() < enough && !isSpent()) {
    std::optional<Edit> edit = nextEdit(node);
    if (!edit)
      return;
    Schedule other = node.schedule;
    if (!apply(*edit, other))
      continue;
    int64_t before = timer.timed();
    std::optional<int64_t> latency = time(other, node.latency - 1);
    tried[node.form] += timer.timed() - before;
    if (timer.timed() > before)
      rates.count(edit->kind, latency.has_value());
    if (latency) {
      remember(std::move(other), *latency, edit);
      return;
    }
  }
}

std::optional<Edit> PlanSearch::anyEdit(const Schedule &schedule) {
  std::vector<Edit> edits = editsOf(schedule, machine);
  std::vector<double> sums;
  double sum = 0;
  for (const Edit &edit : edits)
    sums.push_back(sum += std::sqrt(rates.rate(edit.kind)));
  if (edits.empty())
    return std::nullopt;
  size_t which = llvm::lower_bound(sums, random() * sum) - sums.begin();
  return edits[std::min(which, edits.size() - 1)];
}

std::multimap<int64_t, const PlanSearch::Node *>
PlanSearch::nodesWithin(double factor) const {
  std::multimap<int64_t, const Node *> fast;
  for (const std::unique_ptr<Node> &node : nodes)
    if (double(node->latency) <= double(best->latency) * factor)
      fast.emplace(node->latency, node.get());
  return fast;
}

std::vector<const PlanSearch::Node *>
PlanSearch::differentWithin(double factor) const {
  std::vector<const Node *> fast;
  std::unordered_set<size_t> seen;
  for (auto [latency, node] : nodesWithin(factor))
    if (seen.insert(node->skeleton).second)
      fast.push_back(node);
  return fast;
}

void PlanSearch::leap() {
  std::vector<const Node *> fast = differentWithin(nearBest);
  size_t rank = 0;
  while (rank + 1 < fast.size() && random() < passesOver)
    ++rank;
  const Node &from = *fast[rank];
  Schedule other = from.schedule;
  for (int64_t left = 1 + (random() < 0.8) + (random() < 0.3); left; --left) {
    std::optional<Edit> edit = anyEdit(other);
    if (!edit || !apply(*edit, other))
      return;
  }
  if (auto latency = time(other, from.latency - 1))
    remember(std::move(other), *latency);
}

SearchResult PlanSearch::run(llvm::ArrayRef<Schedule> seeds) {
  timeSeeds(seeds);
  timeStarts();
  if (!best)
    return {};
  // Leaps into what is known or does not fit cost little, but not nothing.
  int64_t leaps = 0, mostLeaps = 10000;
  while (!isSpent() && leaps < mostLeaps) {
    Node *next = isStuck() ? nullptr : nextNode();
    if (next) {
      expand(*next);
    } else {
      leap();
      ++leaps;
    }
  }
  SearchResult result{choose()};
  for (const Node *node : differentWithin(farStart))
    if (result.promising.size() < mostPromising)
      result.promising.push_back(node->schedule);
  return result;
}

std::optional<FoundPlan>
PlanSearch::improve(llvm::ArrayRef<Schedule> schedules) {
  for (const Schedule &schedule : schedules) {
    isScheduled = schedule.plan.scheduled;
    if (Schedule own = schedule; auto latency = time(own, limitOfStarts()))
      remember(std::move(own), *latency);
    if (!best || isSpent())
      break;
  }
  if (!best || !timer.isSimulating())
    return std::nullopt;
  isScheduled = best->schedule.plan.scheduled;
  while (!isSpent())
    if (Node *next = nextNode())
      expand(*next);
    else
      break;
  return choose();
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

/// The clock is not exact to the last percent. Of what is fast enough, that
/// serves best which suffers least if the DMA is slower than the clock says or
/// shares its memory; of those that hardly differ in that, what moves least.
FoundPlan PlanSearch::choose() {
  const double fastEnough = 1.01, slowerDma = 0.8, hardlyDiffer = 1.001;
  const size_t mostTimed = 24;
  std::vector<const Node *> fast;
  for (auto [latency, node] : nodesWithin(fastEnough))
    if (fast.size() < mostTimed)
      fast.push_back(node);
  std::vector<std::pair<double, double>> slow; // time, bytes
  double least = std::numeric_limits<double>::max();
  for (const Node *node : fast) {
    PlanCost cost = estimateCost(node->schedule, machine);
    slow.emplace_back(double(timer.timeWithDma(node->schedule, slowerDma)),
                      double(cost.readBytes) + double(cost.writtenBytes));
    least = std::min(least, slow.back().first);
  }
  const Node *chosen = nullptr;
  double bytes = 0;
  for (auto [node, stressed] : llvm::zip_equal(fast, slow))
    if (stressed.first <= least * hardlyDiffer &&
        (!chosen || stressed.second < bytes)) {
      chosen = node;
      bytes = stressed.second;
    }
  return {chosen->schedule, chosen->latency, best->latency, timer.timed(),
          timer.isSimulating()};
}

SearchResult search::searchPlans(const Graph &source, const Demands &demands,
                                 const Machine &machine, int64_t effort,
                                 llvm::ArrayRef<Schedule> seeds,
                                 DemandChecker::Predicate other) {
  return PlanSearch(source, demands, machine, ScheduleTimer(machine, effort),
                    /*isScheduled=*/!seeds.empty(), other)
      .run(seeds);
}

std::optional<FoundPlan>
search::improvePlan(const Graph &source, const Demands &demands,
                    const Machine &machine, int64_t effort,
                    llvm::ArrayRef<Schedule> schedules) {
  const double share = 0.25;
  return PlanSearch(source, demands, machine,
                    ScheduleTimer(machine, effort, share),
                    /*isScheduled=*/false)
      .improve(schedules);
}
