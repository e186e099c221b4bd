//===- WalkRandomTest.cpp - Whatever passes its checks runs ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A random walk through plans: each step changes a legal one a little. What the
// check accepts must run and compute what the graph says.
//
//===----------------------------------------------------------------------===//

#include "AttentionGraphs.h"
#include "Graphs.h"
#include "MaskedGraphs.h"
#include "RandomGraphs.h"
#include "RandomPlans.h"
#include "WalkRunner.h"
#include "trn/Planning/Fillers.h"
#include "trn/Planning/Interleave.h"
#include "trn/Planning/Legalize.h"
#include "trn/Planning/LiveBand.h"
#include "trn/Planning/PlanCost.h"
#include "trn/Planning/PrintSchedule.h"
#include "trn/Planning/RowsBelow.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

static bool hasBand(const Graph &graph) {
  return llvm::any_of(graph.matrices, [](const Matrix &matrix) {
    return matrix.band.has_value();
  });
}

/// Whether the plan of `schedule` leaves tiles out, ahead or in small blocks.
static void countBand(const Schedule &schedule, const Machine &machine,
                      const PlanCost &cost, std::map<std::string, int> &met) {
  Schedule other = schedule;
  for (Matrix &matrix : other.graph.matrices)
    matrix.band.reset();
  bool leavesOut = computeCost(other, machine).tensorNs > cost.tensorNs;
  met["band leaves out"] += leavesOut;
  met["band leaves out in loops that fill ahead"] +=
      leavesOut && llvm::any_of(schedule.plan.homes, [](const Home &home) {
        return home.ahead && home.level;
      });
  met["band leaves out in several loops"] +=
      leavesOut && llvm::any_of(schedule.plan.nests, [](const Nest &nest) {
        return nest.loops.size() > 1;
      });
}

namespace {
/// Follows `steps` changes, from `first` on if that is legal, and executes what
/// is new; counts what is met on the way.
void explore(
    const Graph &graph, const Machine &machine, unsigned seed, int steps,
    std::map<std::string, int> &met,
    llvm::function_ref<void(Plan &)> first = [](Plan &) {}) {
  if (llvm::Error error = graph.check()) {
    ADD_FAILURE() << llvm::toString(std::move(error));
    return;
  }
  Mutator mutator(graph, machine, seed);
  Plan start = mutator.simplest();
  if (std::optional<LiveBand> band = findLiveBand(graph))
    start = mutator.overRows(*band);
  Plan other = start;
  first(other);
  if (!llvm::errorToBool(other.check(graph, machine)))
    start = other;
  Plan plan = start;
  std::vector<WalkRunner::Values> wanted;
  MetSchedules schedules;
  for (int step = 0; step < steps; ++step) {
    if (step % 200 == 0)
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
    if (!schedules.insert(schedule))
      continue;
    WalkRunner runner(schedule, machine);
    std::string problem = runner.run(wanted);
    PlanCost cost = computeCost(schedule, machine);
    if (problem.empty() && (cost.readBytes != runner.readBytes ||
                            cost.writtenBytes != runner.writeBytes))
      problem = "the cost tells of other bytes";
    if (!problem.empty()) {
      std::string text;
      llvm::raw_string_ostream os(text);
      printGraph(os, graph);
      ADD_FAILURE() << problem << " (seed " << seed << ", step " << step
                    << ")\n"
                    << text << "\n"
                    << printPlan(graph, plan);
      return;
    }
    ++met["legal"];
    if (llvm::any_of(graph.stages, [](const Stage &stage) {
          return stage.isTransposition() && !stage.expression.isPlain();
        }))
      ++met["transposes in expressions"];
    met["batched"] += !graph.batches().empty();
    met["on scalar"] += llvm::any_of(plan.nests, [](const Nest &nest) {
      return nest.engine == RowEngine::Scalar;
    });
    if (plan.stacked)
      ++met[plan.jam > 4 ? "stacked twice" : "stacked"];
    met["staggered"] += plan.staggered > 0;
    if (auto batches = graph.batches();
        !batches.empty() && plan.jam > graph.sizeOf(batches.back()))
      ++met["of outer batches"];
    met["stacks staggered"] += plan.staggered > 0 && plan.stacked;
    met["products of groups"] += plan.stacked && runner.productsOfGroups > 0;
    met["instructions apart"] += runner.instructionsApart > 0;
    met["neighbours"] += runner.neighbours > 0;
    met["several banks"] += runner.severalBanks > 0;
    met["rows below"] += !findRowsBelow(graph, plan, machine).empty();
    if (!plan.interleaved.empty())
      ++met["interleaved"];
    auto isInOrder =
        [&, inOrder = findColumnsInOrder(graph, plan)](const Stage &stage) {
          return stage.isTransposition() && inOrder[*stage.source];
        };
    met["heads"] += llvm::any_of(graph.matrices, [](const Matrix &matrix) {
      return matrix.headColumns > 0;
    });
    met["groups"] += llvm::any_of(
        graph.dims, [](const Dim &dim) { return dim.groupsOf.has_value(); });
    met["apart"] += llvm::any_of(graph.stages, isInOrder);
    if (llvm::any_of(plan.homes, [](const Home &home) { return home.whole; }))
      ++met["whole"];
    if (hasBand(graph))
      countBand(schedule, machine, cost, met);
    unsigned ahead = 0;
    for (const Home &home : plan.homes) {
      ahead += home.ahead > 0;
      unsigned writer = plan.nests.size();
      for (auto [i, stage] : llvm::enumerate(graph.stages))
        if (stage.result == home.matrix)
          writer = i;
      bool isComputed = writer == home.nests.front();
      bool isTurned = isComputed && graph.stages[writer].isTransposition();
      const char *filled = isTurned                      ? "transposition"
                           : isComputed                  ? "product"
                           : writer < home.nests.front() ? "HBM"
                                                         : "input";
      std::string name = filled;
      if (home.ahead && home.level == 0)
        name += " outside of loops";
      else if (home.ahead)
        name += " by " + std::to_string(home.ahead) + " in " +
                std::to_string(home.slots);
      ++met[name];
      met["in pieces"] += home.ahead && home.pieces;
      met["filled together"] +=
          home.ahead && firstFiller(graph, plan, home) < home.nests.front();
      met["packed"] += home.packed;
      bool reduces = isComputed && graph.stages[writer].reduction;
      met["reduced"] += reduces;
      met["reduced block by block"] += reduces && home.sums;
      met["rotates outside of loops"] += home.slots > 1 && home.level == 0;
      met["sums in PSUM"] += home.sums && home.sums->store == Store::Psum;
      met["sums in SBUF"] += home.sums && home.sums->store == Store::Sbuf;
      met["deep"] += home.level > 1;
      met["spread"] += home.level > 0 && home.nests.size() > 1;
    }
    met["ahead twice"] += ahead > 1;
  }
}
} // namespace

/// All of a plan's features must have been met.
static void expectVariety(std::map<std::string, int> &met) {
  for (const char *filled : {"input", "HBM", "transposition", "product"})
    for (const char *how :
         {"by 1 in 1", "by 1 in 2", "by 2 in 3", "outside of loops"})
      met.try_emplace(std::string(filled) + " " + how);
  for (auto [name, count] : met)
    if (!llvm::StringRef(name).starts_with("reduced") &&
        !llvm::StringRef(name).starts_with("band") &&
        !llvm::StringRef(name).contains("staggered") && name != "rows below" &&
        name != "filled together" && name != "products of groups" &&
        name != "heads" && name != "groups" && name != "apart" &&
        name != "instructions apart")
      EXPECT_GT(count, 0) << name;
}

TEST(WalkRandomTest, graphs) {
  std::map<std::string, int> all;
  for (unsigned seed = 0; seed < 125; ++seed) {
    Machine machine = smallMachine(2, 4, /*dmaTranspose=*/seed % 4 == 0);
    Graph graph = GraphMaker(seed, /*reduces=*/seed >= 60, /*unit=*/1,
                             /*computes=*/seed >= 90)
                      .make(machine);
    if (!graph.stages.empty())
      explore(graph, machine, seed, 1000, all);
  }
  expectVariety(all);
  for (const char *how :
       {"reduced", "reduced block by block", "interleaved", "apart", "heads",
        "groups", "whole", "filled together", "transposes in expressions"})
    EXPECT_GT(all[how], 0) << how;
}

/// Rows of several batches, each from a quarter of the partitions on.
TEST(WalkRandomTest, stacked) {
  std::map<std::string, int> all;
  Machine machine = smallMachine(16, 16);
  for (unsigned seed = 0; seed < 100; ++seed) {
    Graph graph = GraphMaker(seed, /*reduces=*/true).make(machine);
    if (graph.stages.empty() || graph.batches().empty())
      continue;
    // One stack, or two.
    graph.dims[graph.batches().back()].size = seed % 2 ? 4 : 8;
    explore(graph, machine, seed, 1000, all);
  }
  EXPECT_GT(all["stacked"], 100);
  EXPECT_GT(all["stacked twice"], 80);
  EXPECT_GT(all["stacks staggered"], 20);
}

TEST(WalkRandomTest, chains) {
  std::map<std::string, int> all;
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    auto size = [&] { return int64_t(1 + random() % 11); };
    Graph graph =
        seed % 3 ? chainGraph(size(), 2 * size(), size(), size()).graph
                 : spillGraph(size(), size(), 2 * size(), size(), size()).graph;
    if (seed % 2) {
      graph.dims.push_back({"b", 2});
      for (Matrix &matrix : graph.matrices)
        matrix.rowBatches = {unsigned(graph.dims.size() - 1)};
    }
    explore(graph, smallMachine(2, 4, /*dmaTranspose=*/seed % 4 == 0), seed,
            1000, all);
  }
  expectVariety(all);
}

TEST(WalkRandomTest, masks) {
  std::map<std::string, int> all;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Graph graph = MaskedGraphMaker(seed).make();
    explore(graph, smallMachine(2, 4, /*dmaTranspose=*/seed % 4 == 0), seed,
            600, all);
  }
  for (const char *how :
       {"band leaves out", "band leaves out in loops that fill ahead",
        "band leaves out in several loops", "on scalar"})
    EXPECT_GT(all[how], 20) << how;
}

/// Whole numbers are multiplied, as they cannot be divided.
static void multiplyInsteadOfDividing(Graph &graph) {
  for (Stage &stage : graph.stages)
    for (Value &value : stage.expression.values)
      if (value.function == Function::Div)
        value.function = Function::Mul;
}

TEST(WalkRandomTest, attention) {
  std::map<std::string, int> all;
  int turned = 0;
  for (unsigned seed = 0; seed < 90; ++seed) {
    Graph source = AttentionGraphMaker(seed).make();
    std::optional<Graph> graph = legalizeTurned(source);
    if (!graph)
      continue;
    ++turned;
    multiplyInsteadOfDividing(*graph);
    // A row below others begins at a quarter of the partitions.
    int64_t partitions = seed % 3 == 2 ? 8 : 2;
    explore(*graph,
            smallMachine(partitions, std::max<int64_t>(partitions, 4),
                         /*dmaTranspose=*/seed % 4 == 0),
            seed, 600, all);
  }
  EXPECT_GT(turned, 60);
  for (const char *how :
       {"batched", "band leaves out",
        "band leaves out in loops that fill ahead",
        "band leaves out in several loops", "on scalar", "product by 1 in 2",
        "reduced block by block", "sums in PSUM", "sums in SBUF", "staggered",
        "rows below", "filled together", "neighbours", "several banks"})
    EXPECT_GT(all[how], 20) << how;
}

/// `o = q * c + rotate(q) * s` of a product, for which tables repeat, and
/// perhaps a product of that.
static Graph rotatedGraph(unsigned seed) {
  enum Dims : unsigned { m, n, k, h, e };
  std::mt19937 random(seed);
  auto below = [&](unsigned count) { return int64_t(random() % count); };
  int64_t by = 1 + below(2), columns = 2 * by * (1 + below(2) * (by == 1));
  Graph graph;
  graph.dims = {{"m", 1 + below(11)},
                {"n", columns * (2 + below(5))},
                {"k", 1 + below(11)},
                {"h", columns},
                {"e", 1 + below(11)}};
  auto add = [&](const char *name, unsigned rows, unsigned columns, Role role) {
    graph.matrices.push_back({name, rows, columns, ElementType::BF16, role});
    return unsigned(graph.matrices.size() - 1);
  };
  unsigned x = add("x", m, k, Role::Input), w = add("w", k, n, Role::Input);
  unsigned c = add("c", m, h, Role::Input), s = add("s", m, h, Role::Input);
  unsigned q = add("q", m, n, Role::Intermediate);
  bool isRead = seed % 2;
  unsigned r = add("r", m, n, isRead ? Role::Intermediate : Role::Result);
  graph.stages.push_back({q, {{x, w, k}}});
  Stage rotated{r};
  Expression &made = rotated.expression;
  unsigned left =
      made.apply(Function::Mul, {made.addMatrix(q), made.addMatrix(c)});
  unsigned right =
      made.apply(Function::Mul, {made.addMatrix(q, by), made.addMatrix(s)});
  made.apply(Function::Add, {left, right}, ElementType::BF16);
  graph.stages.push_back(rotated);
  if (isRead) {
    unsigned v = add("v", n, e, Role::Input), o = add("o", m, e, Role::Result);
    graph.stages.push_back({o, {{r, v, n}}});
  }
  return legalize(graph,
                  seed % 3 ? TransposeMode::Explicit : TransposeMode::Implicit);
}

TEST(WalkRandomTest, rotations) {
  std::map<std::string, int> all;
  for (unsigned seed = 0; seed < 60; ++seed)
    explore(rotatedGraph(seed),
            smallMachine(4, 8, /*dmaTranspose=*/seed % 4 == 0), seed, 600, all);
  for (const char *how : {"on scalar", "product by 1 in 2", "sums in PSUM",
                          "several banks", "interleaved"})
    EXPECT_GT(all[how], 20) << how;
}

/// Inputs are some rows and columns of larger ones, of each batch.
TEST(WalkRandomTest, windowsOfBatches) {
  std::map<std::string, int> all;
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    auto below = [&](unsigned end) { return int64_t(random() % end); };
    Graph graph = chainGraph(1 + below(9), 1 + below(9), 4, 1 + below(9)).graph;
    addBatches(graph, below);
    for (Matrix &matrix : graph.matrices)
      if (matrix.role == Role::Input && below(3)) {
        int64_t row = below(3), column = below(3);
        matrix.window =
            Window{graph.rowsOf(matrix) + row + below(2),
                   graph.columnsOf(matrix) + column + below(2), row, column};
      }
    explore(graph, smallMachine(2, 4, /*dmaTranspose=*/seed % 4 == 0), seed,
            400, all);
  }
  EXPECT_GT(all["batched"], 20);
  EXPECT_GT(all["staggered"], 20);
}

/// One row of each batch, whose elements partitions have as they have the rows
/// of its weights: neighbouring ones.
TEST(WalkRandomTest, rowsOfBatches) {
  std::map<std::string, int> all;
  for (unsigned seed = 0; seed < 20; ++seed) {
    GraphBuilder builder = productGraph(1, 8 * (1 + seed % 3), 8);
    Graph &graph = builder.graph;
    graph.dims.push_back({"b", 3});
    for (Matrix &matrix : graph.matrices)
      matrix.rowBatches = {unsigned(graph.dims.size() - 1)};
    unsigned x = builder.matrixOf("x"), xt = builder.matrixOf("xt");
    explore(graph, smallMachine(4, 8), seed, 200, all, [&](Plan &plan) {
      plan.interleaved = {builder.dimOf("k")};
      plan.nests.front().loops.clear();
      llvm::erase_if(plan.homes,
                     [&](const Home &home) { return home.matrix == x; });
      for (Home &home : plan.homes)
        if (home.matrix == xt) {
          home.level = 0;
          home.packed = true;
        }
    });
  }
  EXPECT_GT(all["interleaved"], 20);
  EXPECT_GT(all["packed"], 20);
}

/// A few queries of each of four or eight batches, with keys that leave half of
/// the partitions idle, or three quarters.
TEST(WalkRandomTest, fewQueries) {
  std::map<std::string, int> all;
  Machine machine = smallMachine(16, 16);
  for (unsigned seed = 0; seed < 80; ++seed) {
    Graph graph = AttentionGraphMaker(seed).make();
    if (graph.batches().empty() || hasBand(graph))
      continue;
    std::mt19937 random(seed);
    graph.dims[0].size = 1 + random() % 4; // queries
    // Keys; some fill tiles.
    graph.dims[1].size =
        16 * (1 + random() % 3) + (seed % 5 ? random() % 16 : 0);
    graph.dims[2].size = 4 * (1 + random() % 3); // elements
    graph.dims[graph.batches().back()].size = seed % 2 ? 4 : 8;
    graph = legalize(graph, seed % 3 ? TransposeMode::Explicit
                                     : TransposeMode::Implicit);
    multiplyInsteadOfDividing(graph);
    explore(graph, machine, seed, 600, all, [&](Plan &plan) {
      plan.jam = 4;
      plan.stacked = 0;
      if (random() % 2)
        plan.interleaved = {1};
    });
  }
  for (const char *how : {"stacked", "stacked twice", "stacks staggered",
                          "products of groups", "instructions apart"})
    EXPECT_GT(all[how], 15) << how;
}

/// All batches of one or two indices of the dim around them.
TEST(WalkRandomTest, outerBatches) {
  std::map<std::string, int> all;
  Machine machine = smallMachine(16, 16);
  for (unsigned seed = 0; seed < 80; ++seed) {
    Graph graph = AttentionGraphMaker(seed).make();
    llvm::SmallVector<unsigned, 2> batches = graph.batches();
    if (batches.size() < 2)
      continue;
    std::mt19937 random(seed);
    graph.dims[batches[batches.size() - 2]].size = 4;
    graph.dims[batches.back()].size = 2;
    graph = legalize(graph, seed % 3 ? TransposeMode::Explicit
                                     : TransposeMode::Implicit);
    multiplyInsteadOfDividing(graph);
    explore(graph, machine, seed, 300, all, [&](Plan &plan) {
      plan.jam = 4 << random() % 2;
      plan.staggered = 2 + random() % 3;
      plan.scheduled = random() % 2;
    });
  }
  EXPECT_GT(all["of outer batches"], 50);
}
