//===- ChooseCut.cpp - Whether two kernels are faster than one ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChooseCut.h"

#include "trn/Machine/Machine.h"
#include "trn/Planning/Legalize.h"
#include "trn/Search/LowerBound.h"
#include "trn/Transforms/Lower/KernelGraph.h"

#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace mlir::trn;

/// How many cuts of a kernel are tried at most.
static constexpr size_t maxTrials = 4;
/// How many plans of a half tell whether a cut helps.
static constexpr int64_t trialEffort = 300;
/// A cut is tried if it may gain one of so many parts of the time: kernels
/// hardly come closer to their bounds.
static constexpr int64_t leastGain = 100;

/// Picoseconds, with what a kernel costs by itself.
static int64_t latencyOf(const search::FoundPlan &plan,
                         const Machine &machine) {
  return plan.latency +
         (plan.isSimulated ? 0 : int64_t(machine.kernelOverheadNs * 1e3));
}

/// Picoseconds that no plan for `graph` beats.
static int64_t leastOf(const planning::Graph &graph, const Machine &machine) {
  double ns = machine.kernelOverheadNs + 2 * machine.dmaLatencyNs +
              search::leastBusyNs(graph, machine);
  return int64_t(std::min(ns * 1e3, 0x1p61));
}

namespace {
struct Half {
  planning::Graph graph;
  int64_t least; // ps
};
/// A cut that is tried.
struct Trial {
  KernelCut cut;
  Half first, second;

  int64_t least() const { return first.least + second.least; }
  int64_t longerHalf() const { return std::max(first.least, second.least); }
};
} // namespace

/// What `half` computes, if it can be a kernel.
static std::optional<Half> read(OwningOpRef<func::FuncOp> half,
                                const Machine &machine) {
  llvm::Expected<KernelGraph> source = readKernel(*half);
  if (!source) {
    llvm::consumeError(source.takeError());
    return std::nullopt;
  }
  int64_t least = leastOf(source->graph, machine);
  return Half{std::move(source->graph), least};
}

/// Those that promise to take less than `limit`: first those whose halves are
/// most alike, since a kernel is too slow as one if it does too much.
static std::vector<Trial> findTrials(func::FuncOp kernel,
                                     const Machine &machine, int64_t limit) {
  std::vector<Trial> trials;
  for (const KernelCut &cut : findCuts(kernel)) {
    auto [before, behind] = cutKernel(kernel, cut);
    std::optional<Half> first = read(before.kernel, machine);
    std::optional<Half> second = read(behind.kernel, machine);
    if (!first || !second || first->least + second->least >= limit ||
        llvm::any_of(trials, [&](const Trial &other) {
          return other.first.graph == first->graph;
        }))
      continue;
    Trial trial{cut, std::move(*first), std::move(*second)};
    auto place =
        llvm::upper_bound(trials, trial, [](const Trial &a, const Trial &b) {
          return a.longerHalf() < b.longerHalf();
        });
    trials.insert(place, std::move(trial));
  }
  if (trials.size() > maxTrials)
    trials.resize(maxTrials);
  return trials;
}

/// How long both halves of `trial` take, if that is less than `limit`.
static std::optional<int64_t> time(const Trial &trial, bool isSimulated,
                                   const Machine &machine, int64_t effort,
                                   search::KnownPlans &plans, int64_t limit) {
  int64_t sum = trial.least();
  for (const Half *half : {&trial.first, &trial.second}) {
    if (sum >= limit)
      return std::nullopt;
    llvm::Expected<search::FoundPlan> found =
        plans.find(half->graph, {}, machine, effort);
    if (!found) {
      llvm::consumeError(found.takeError());
      return std::nullopt;
    }
    // Nobody knows how long it takes beside how long it works.
    if (isSimulated && !found->isSimulated)
      return std::nullopt;
    sum += latencyOf(*found, machine) - half->least;
  }
  return sum < limit ? std::optional(sum) : std::nullopt;
}

std::optional<ChosenCut> mlir::trn::chooseCut(func::FuncOp kernel,
                                              const search::FoundPlan &whole,
                                              const Machine &machine,
                                              int64_t effort,
                                              search::KnownPlans &plans) {
  int64_t latency = latencyOf(whole, machine);
  auto promising = [&] { return latency - latency / leastGain; };
  std::vector<Trial> trials = findTrials(kernel, machine, promising());
  if (trials.empty() || !isOnlyCalled(kernel))
    return std::nullopt;
  const Trial *best = nullptr;
  for (const Trial &trial : trials)
    if (trial.least() < promising())
      if (auto less = time(trial, whole.isSimulated, machine,
                           std::min(effort, trialEffort), plans, latency)) {
        best = &trial;
        latency = *less;
      }
  if (!best)
    return std::nullopt;
  // What the whole effort finds takes no longer.
  auto less = time(*best, whole.isSimulated, machine, effort, plans,
                   std::numeric_limits<int64_t>::max());
  return ChosenCut{best->cut, less.value_or(latency)};
}
