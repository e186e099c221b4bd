//===- PlanIsProgramTest.cpp - A plan costs what its program does ---------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one walk over a plan tells is what its placed program does: every byte
// that is moved, every buffer with its size, its slots and the others that are
// live with it, every column on the tensor engine. The program is placed, runs
// without a fault and computes what the graph says. What a search times, the
// program that is written without IR, is the same, step by step. Other cases
// than usual run with --gtest_shuffle --gtest_repeat=100.
//
//===----------------------------------------------------------------------===//

#include "MaskedGraphs.h"
#include "RandomGraphs.h"
#include "RandomPlans.h"
#include "ScheduleChecker.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Planning/LiveBand.h"
#include "trn/Planning/TileLimits.h"
#include "trn/Search/Edits.h"
#include "trn/Search/Starts.h"
#include "trn/Search/TimeSchedule.h"
#include "gtest/gtest.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

/// The same seeds in every run but a shuffled one: googletest draws its seed
/// from the clock otherwise.
static int seedOf(int number) {
  int seed = GTEST_FLAG_GET(shuffle)
                 ? ::testing::UnitTest::GetInstance()->random_seed()
                 : 0;
  return seed * 1000 + number;
}

//===----------------------------------------------------------------------===//
// Edits of plans for chains
//===----------------------------------------------------------------------===//

namespace {
/// Chains of products, machines, and demands on their plans.
class ChainMaker {
public:
  explicit ChainMaker(unsigned seed) : random(seed) {}

  Machine machine() {
    Machine machine = below(3) ? defaultMachine() : *findKnownMachine("trn2");
    // Columns take a whole number of picoseconds.
    machine.tensorNsPerColumn = 0.5;
    if (below(3) == 0)
      machine.sbufPartitionBytes = 4 * (600 + below(6000));
    if (below(6) == 0)
      machine.partitions = machine.stationaryFreeMax = 32 << below(2);
    if (below(6) == 0)
      machine.movingFreeMax = 128 << below(2);
    if (below(6) == 0)
      machine.psumBanks = 1 << below(5);
    return *limitTiles(machine);
  }
  Graph chain();
  search::Demands demands(const Graph &graph, const Machine &machine);
  unsigned below(unsigned count) { return random() % count; }
  template <typename T>
  const T &any(const std::vector<T> &list) {
    return list[below(list.size())];
  }

private:
  int64_t size() {
    switch (below(4)) {
    case 0:
      return 1 + below(20);
    case 1:
      return 128 * (1 + below(5));
    default:
      return 1 + below(700);
    }
  }
  unsigned addMatrix(std::string name, unsigned rows, unsigned columns,
                     Role role) {
    if (below(2))
      std::swap(rows, columns);
    graph.matrices.push_back({std::move(name), rows, columns, type, role});
    return graph.matrices.size() - 1;
  }

  std::mt19937 random;
  Graph graph;
  ElementType type = ElementType::BF16;
};
} // namespace

Graph ChainMaker::chain() {
  unsigned count = below(3) ? 1 + below(2) : 3 + below(3);
  type =
      any(std::vector{ElementType::BF16, ElementType::F16, ElementType::F32});
  graph.dims = {{"m", size()}, {"k", size()}};
  for (unsigned i = 1; i < count; ++i)
    graph.dims.push_back({"r" + std::to_string(i), size()});
  graph.dims.push_back({"n", size()});
  unsigned left = addMatrix("x", 0, 1, Role::Input);
  for (unsigned i = 1; i <= count; ++i) {
    std::string number = std::to_string(i);
    unsigned right = addMatrix("w" + number, i, i + 1, Role::Input);
    bool last = i == count;
    if (last && below(3) == 0)
      type = ElementType::F32;
    unsigned result = addMatrix(last ? "o" : "y" + number, 0, i + 1,
                                last ? Role::Result : Role::Intermediate);
    graph.stages.push_back({result, {{left, right, i}}});
    left = result;
  }
  if (below(6) == 0)
    addBatches(graph, [&](unsigned count) { return below(count); });
  return graph;
}

search::Demands ChainMaker::demands(const Graph &graph,
                                    const Machine &machine) {
  search::Demands demands;
  for (auto [number, dim] : llvm::enumerate(graph.dims))
    if (!llvm::is_contained(graph.batches(), number) && below(8) == 0)
      demands.blocks.emplace_back(dim.name,
                                  machine.partitions * (1 + below(8)));
  if (below(6) == 0)
    demands.transpose =
        below(2) ? TransposeMode::Implicit : TransposeMode::Explicit;
  demands.recompute = graph.stages.size() > 1 && below(8) == 0;
  demands.keepIntermediates = !demands.recompute && below(8) == 0;
  return demands;
}

TEST(PlanIsProgramTest, edits) {
  ScheduleChecker checker;
  int checked = 0, ran = 0;
  for (int number = 0; number < 16; ++number) {
    ChainMaker maker(seedOf(number));
    Machine machine = maker.machine();
    Graph graph = maker.chain();
    search::Demands demands = maker.demands(graph, machine);
    if (llvm::errorToBool(demands.check(graph, machine)))
      continue;
    std::vector<search::Start> starts = search::findStarts(
        graph, search::DemandChecker(graph, demands, machine), machine);
    if (starts.empty())
      continue;
    Values values(graph);
    MetSchedules schedules;
    for (int tries = 0; tries < 8; ++tries) {
      Schedule schedule = maker.any(starts).schedule;
      for (int step = 0; step < 6; ++step) {
        if (schedules.insert(schedule)) {
          ++checked;
          ran += values.areExact;
          std::string problem = checker.check(schedule, machine, values);
          if (!problem.empty()) {
            ADD_FAILURE() << "seed " << seedOf(number) << ": " << problem;
            break;
          }
        }
        Schedule other = schedule;
        if (apply(maker.any(search::editsOf(schedule, machine)), other) &&
            search::costIfFits(other, machine))
          schedule = other;
      }
    }
  }
  EXPECT_GT(checked, 200);
  EXPECT_GT(ran, checked / 2);
}

//===----------------------------------------------------------------------===//
// Any plans
//===----------------------------------------------------------------------===//

namespace {
/// Changes plans of a graph again and again; counts the programs of these.
class PlanExplorer {
public:
  PlanExplorer() {
    machine.tensorNsPerColumn = 0.5;
    machine.partitions = machine.stationaryFreeMax = 32;
    machine.movingFreeMax = 64;
  }

  void explore(const Graph &graph, int number);

  Machine machine = defaultMachine();
  int checked = 0, ran = 0, onScalar = 0, leftOut = 0, jammed = 0;

private:
  void count(const Schedule &schedule, const PlanCost &cost);

  ScheduleChecker checker;
};
} // namespace

void PlanExplorer::explore(const Graph &graph, int number) {
  Mutator mutator(graph, machine, seedOf(number));
  Plan start = mutator.simplest(), plan = start;
  if (std::optional<LiveBand> band = findLiveBand(graph))
    start = plan = mutator.overRows(*band);
  Values values(graph);
  MetSchedules schedules;
  for (int step = 0; step < 400; ++step) {
    if (step % 100 == 0)
      plan = start;
    Plan changed = plan;
    for (unsigned i = 0; i <= mutator.below(3); ++i)
      mutator.change(changed);
    if (llvm::Error error = changed.check(graph, machine)) {
      llvm::consumeError(std::move(error));
      continue;
    }
    plan = changed;
    Schedule schedule{graph, plan};
    PlanCost cost = computeCost(schedule, machine);
    if (step % 4 || !fits(cost.sbuf) || !fits(cost.psum) ||
        !schedules.insert(schedule))
      continue;
    ++checked;
    ran += values.areExact;
    count(schedule, cost);
    std::string problem = checker.check(schedule, machine, values);
    if (!problem.empty()) {
      ADD_FAILURE() << "seed " << seedOf(number) << ", step " << step << ": "
                    << problem;
      break;
    }
  }
}

void PlanExplorer::count(const Schedule &schedule, const PlanCost &cost) {
  onScalar += llvm::any_of(schedule.plan.nests, [](const Nest &nest) {
    return nest.engine == RowEngine::Scalar;
  });
  jammed += schedule.plan.jam > 1;
  Schedule other = schedule;
  for (Matrix &matrix : other.graph.matrices)
    matrix.band.reset();
  leftOut += computeCost(other, machine).tensorNs > cost.tensorNs;
}

TEST(PlanIsProgramTest, random_plans) {
  PlanExplorer explorer;
  for (int number = 0; number < 16; ++number) {
    explorer.machine.dmaTranspose = number % 4 == 0;
    Graph graph = GraphMaker(seedOf(number), /*reduces=*/true, /*unit=*/16,
                             /*computes=*/true)
                      .make(explorer.machine);
    if (!graph.stages.empty())
      explorer.explore(graph, number);
  }
  EXPECT_GT(explorer.checked, 200);
  EXPECT_GT(explorer.ran, explorer.checked / 2);
  EXPECT_GT(explorer.onScalar, 20);
  EXPECT_GT(explorer.jammed, 5);
}

/// The values of exponentials are not exact, so they are compared elsewhere.
TEST(PlanIsProgramTest, masks) {
  PlanExplorer explorer;
  for (int number = 0; number < 20; ++number) {
    explorer.machine.dmaTranspose = number % 4 == 0;
    explorer.explore(MaskedGraphMaker(seedOf(number), /*unit=*/16).make(),
                     number);
  }
  EXPECT_GT(explorer.checked, 200);
  EXPECT_GT(explorer.leftOut, 0);
}
