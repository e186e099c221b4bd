//===- Obstacles.cpp - Why a graph has no plan ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Search/Obstacles.h"

#include "trn/Machine/Machine.h"
#include "trn/Planning/PlanCost.h"
#include "trn/Planning/PrintSchedule.h"
#include "trn/Search/SmallestPlans.h"
#include "trn/Search/Starts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;
using llvm::formatv;

/// Some plan as demanded that fits.
static std::optional<Schedule>
findAny(const Graph &source, const Demands &demands, const Machine &machine) {
  if (llvm::Error error = demands.check(source, machine)) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  std::vector<Start> starts =
      findStarts(source, DemandChecker(source, demands, machine), machine,
                 /*most=*/1);
  return starts.empty() ? std::nullopt : std::optional(starts.front().schedule);
}

namespace {
class ObstacleFinder {
public:
  ObstacleFinder(const Graph &source, const Demands &demands,
                 const Machine &machine)
      : source(source), demands(demands), machine(machine) {
    describeRefusal();
  }

  std::string run() const;

private:
  void describeRefusal();
  std::string blameDemand() const;
  std::string blameKind() const;
  std::string describeLevels(llvm::StringRef matrix,
                             llvm::StringRef loop) const;
  std::optional<Schedule> anyWith(const Demands &others) const {
    return findAny(source, others, machine);
  }

  const Graph &source;
  const Demands &demands;
  const Machine &machine;
  // Of the plan that needs least.
  bool overflows = false; // SBUF
  std::string refusal = "no plan that is considered is of this kind";
};
} // namespace

/// What the plan that needs least asks for, at the point where it is most.
void ObstacleFinder::describeRefusal() {
  int64_t least = std::numeric_limits<int64_t>::max();
  DemandChecker checker(source, demands, machine);
  for (const Schedule &schedule : smallestPlans(source, checker, machine)) {
    if (!checker.allows(schedule))
      continue;
    std::string text =
        llvm::toString(schedule.plan.check(schedule.graph, machine));
    if (text.empty()) {
      PlanCost cost = computeCost(schedule, machine);
      int64_t banks = cost.psum.peak().size;
      placement::Peak peak = cost.sbuf.peak();
      if (banks > cost.psum.capacity) {
        text = formatv("{0} banks of PSUM are needed, but there are {1}", banks,
                       cost.psum.capacity);
      } else if (peak.size < least) {
        least = peak.size;
        overflows = true;
        refusal = describePeak(schedule.graph, cost, peak);
      }
    }
    if (!text.empty() && !overflows)
      refusal = text;
  }
}

/// The blocks of `dim` in the first nest that cuts it.
static int64_t blockIn(const Schedule &schedule, llvm::StringRef dim) {
  const Graph &graph = schedule.graph;
  for (const Nest &nest : schedule.plan.nests)
    for (const Loop &loop : nest.loops)
      if (graph.dims[loop.dim].name == dim)
        return loop.block;
  return llvm::find_if(graph.dims,
                       [&](const Dim &other) { return other.name == dim; })
      ->size;
}

/// Where the matrix can lie, if `loop` is nowhere around all of its homes.
std::string ObstacleFinder::describeLevels(llvm::StringRef matrix,
                                           llvm::StringRef loop) const {
  llvm::SmallVector<std::string> names;
  Demands others = demands;
  llvm::erase_if(others.keep,
                 [&](const auto &entry) { return entry.first == matrix; });
  DemandChecker checker(source, others, machine);
  for (const Schedule &schedule : smallestPlans(source, checker, machine)) {
    const auto &[graph, plan] = schedule;
    llvm::SmallVector<const Nest *> nests;
    for (unsigned home : checker.homesOf(matrix, schedule))
      nests.push_back(&plan.nests[plan.homes[home].nests.front()]);
    if (nests.empty())
      continue;
    for (unsigned level = 0; level <= nests.front()->loops.size(); ++level) {
      std::string name = nameOfLevel(graph, *nests.front(), level);
      auto hasIt = [&, &graph = graph](const Nest *nest) {
        return findLevel(graph, *nest, name).has_value();
      };
      bool isFirst = !llvm::StringRef(name).contains('.');
      if (isFirst && !llvm::is_contained(names, name) &&
          llvm::all_of(nests, hasIt))
        names.push_back(name);
    }
  }
  if (names.empty() || llvm::is_contained(names, loop))
    return "";
  return formatv("no loop over {0} is around what fills it; there are {1}",
                 loop, llvm::join(names, ", "));
}

/// What is in the way if there is a plan without it.
std::string ObstacleFinder::blameDemand() const {
  const char *how = overflows ? "is too large for SBUF" : "has no plan";
  auto without = [&](auto member, llvm::StringRef name) {
    Demands others = demands;
    llvm::erase_if(others.*member,
                   [&](const auto &entry) { return entry.first == name; });
    return others;
  };
  for (const auto &[name, size] : demands.blocks)
    if (auto schedule = anyWith(without(&Demands::blocks, name)))
      return formatv("block-{0} of {1} {2}: {3}; {4} would do", name, size, how,
                     refusal, blockIn(*schedule, name));
  for (const auto &[name, loop] : demands.keep) {
    if (!anyWith(without(&Demands::keep, name)))
      continue;
    Demands naive = demands;
    naive.recompute = source.stages.size() > 1;
    const char *advice = anyWith(naive) ? "strategy=recompute has one"
                                        : "leave it out, and there is a plan";
    std::string levels = overflows ? "" : describeLevels(name, loop);
    return formatv("keep={0}={1} {2}: {3}; {4}", name, loop, how,
                   levels.empty() ? refusal : levels, advice);
  }
  return "";
}

std::string ObstacleFinder::blameKind() const {
  auto helps = [&](auto change) {
    Demands others = demands;
    change(others);
    return !(others == demands) && anyWith(others);
  };
  const char *what =
      helps([](Demands &other) { other.transpose = std::nullopt; })
          ? "another transposition needs"
      : helps([](Demands &other) { other.recompute = false; })
          ? "other strategies than recompute need"
      : helps([](Demands &other) { other.keepIntermediates = false; })
          ? "other strategies than strip-cache need"
          : nullptr;
  return what ? formatv("no plan of this kind fits SBUF: {0}; {1} less",
                        refusal, what)
                    .str()
              : "";
}

std::string ObstacleFinder::run() const {
  for (std::string blame : {blameDemand(), blameKind()})
    if (!blame.empty())
      return blame;
  if (demands.blocks.empty() && demands.keep.empty())
    return "no plan fits SBUF: " + refusal;
  return (overflows ? "no plan with these constraints fits SBUF: "
                    : "no plan meets the constraints: ") +
         refusal;
}

std::optional<std::string> search::findObstacle(const Graph &source,
                                                const Demands &demands,
                                                const Machine &machine) {
  if (llvm::Error error = demands.check(source, machine))
    return llvm::toString(std::move(error));
  if (hasStart(source, DemandChecker(source, demands, machine), machine))
    return std::nullopt;
  return ObstacleFinder(source, demands, machine).run();
}
