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

#include "Graphs.h"
#include "WalkRunner.h"
#include "trn/Planning/PlanCost.h"
#include "trn/Planning/PrintSchedule.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir::trn;
using namespace mlir::trn::planning;

namespace {
class Mutator {
public:
  Mutator(const Graph &graph, const Machine &machine, unsigned seed)
      : graph(graph), machine(machine), random(seed) {}

  /// All of every matrix on chip, no loops.
  Plan simplest() const {
    Plan plan;
    for (unsigned stage = 0; stage < graph.stages.size(); ++stage)
      plan.nests.push_back({stage});
    for (unsigned matrix = 0; matrix < graph.matrices.size(); ++matrix) {
      Home home{matrix};
      for (auto [i, stage] : llvm::enumerate(graph.stages))
        if (uses(stage, matrix))
          home.nests.push_back(i);
      if (!home.nests.empty())
        plan.homes.push_back(home);
    }
    return plan;
  }

  void change(Plan &plan) {
    switch (below(14)) {
    case 0:
    case 1:
    case 2:
      return changeLoops(plan);
    case 3:
      return shareLoops(plan);
    case 4:
      return splitHome(plan);
    case 5:
      return joinHomes(plan);
    case 6:
      return changeSums(plan);
    case 7:
      return changeEarly(plan);
    case 8:
      return changePacked(plan);
    case 9:
      return changeHomes(plan);
    default:
      return changeLevel(plan);
    }
  }
  unsigned below(unsigned count) { return random() % count; }

private:
  static bool uses(const Stage &stage, unsigned matrix) {
    return stage.result == matrix ||
           llvm::is_contained(stage.operands(), matrix);
  }
  template <typename T>
  auto &any(T &list) {
    return list[below(list.size())];
  }
  int64_t blockOf(int64_t size) {
    int64_t tiles = size / machine.partitions;
    if (below(20) == 0)
      return 1 + below(size);
    return below(4) == 0 || tiles < 1 ? size
                                      : machine.partitions * (1 + below(tiles));
  }

  /// Inserts or removes a loop in some neighbouring nests, with the levels that
  /// it moves.
  void changeLoops(Plan &plan) {
    unsigned first = below(plan.nests.size());
    unsigned last = std::min<unsigned>(first + below(3), plan.nests.size() - 1);
    auto own = graph.dimsOf(graph.stages[first]);
    unsigned dim = below(4) ? any(own) : below(graph.dims.size());
    int64_t block = blockOf(graph.sizeOf(dim));
    unsigned depth = below(plan.nests[first].loops.size() + 1);
    bool removes = below(5) < 2;
    bool moves = below(2);
    for (unsigned nest = first; nest <= last; ++nest) {
      auto &loops = plan.nests[nest].loops;
      if (removes && depth < loops.size())
        loops.erase(loops.begin() + depth);
      else if (!removes && depth <= loops.size())
        loops.insert(loops.begin() + depth, {dim, block});
    }
    if (!moves)
      return;
    for (Home &home : plan.homes) {
      if (home.nests.back() < first || home.nests.front() > last)
        continue;
      auto move = [&](unsigned &level) {
        if (removes && level > depth)
          --level;
        else if (!removes && level >= depth + below(2))
          ++level;
      };
      move(home.level);
      if (home.sums)
        move(home.sums->level);
    }
  }
  /// Copies the outer loops of a nest to the next one.
  void shareLoops(Plan &plan) {
    unsigned nest = below(plan.nests.size());
    if (nest + 1 >= plan.nests.size())
      return;
    auto &from = plan.nests[nest].loops, &to = plan.nests[nest + 1].loops;
    unsigned count = below(std::min(from.size(), to.size()) + 1);
    std::copy_n(from.begin(), count, to.begin());
  }
  void changeLevel(Plan &plan) {
    Home &home = any(plan.homes);
    home.level = below(plan.nests[home.nests.front()].loops.size() + 1);
    home.slots = 1 + below(3) / 2;
    if (home.sums && below(2))
      home.sums->level = home.level;
  }
  void splitHome(Plan &plan) {
    unsigned number = below(plan.homes.size());
    if (plan.homes[number].nests.size() < 2)
      return;
    Home other = plan.homes[number];
    other.sums.reset();
    other.early = other.packed = false;
    unsigned count = 1 + below(other.nests.size() - 1);
    plan.homes[number].nests.truncate(count);
    other.nests.erase(other.nests.begin(), other.nests.begin() + count);
    plan.homes.push_back(other);
  }
  void joinHomes(Plan &plan) {
    unsigned number = below(plan.homes.size());
    for (unsigned i = 0; i < plan.homes.size(); ++i) {
      Home &home = plan.homes[number], &other = plan.homes[i];
      if (i == number || other.matrix != home.matrix)
        continue;
      home.nests.append(other.nests);
      llvm::sort(home.nests);
      home.level = std::min(home.level, other.level);
      if (!home.sums)
        home.sums = other.sums;
      plan.homes.erase(plan.homes.begin() + i);
      return;
    }
  }
  void changeSums(Plan &plan) {
    Home &home = any(plan.homes);
    if (home.sums && below(2))
      return home.sums.reset();
    unsigned level = below(plan.nests[home.nests.front()].loops.size() + 1);
    if (below(2))
      level = home.level;
    home.sums = Sums{level, below(2) ? Store::Psum : Store::Sbuf,
                     below(2) ? ElementType::F32 : ElementType::BF16};
  }
  void changeEarly(Plan &plan) {
    Home &home = any(plan.homes);
    if (below(2))
      for (Home &other : plan.homes)
        other.early = false;
    home.early = true;
    home.slots = 1 + below(5) / 2;
  }
  /// Often what no plan can have.
  void changeHomes(Plan &plan) {
    Home home = any(plan.homes);
    home.level = below(3);
    if (below(2) || plan.homes.size() < 2)
      plan.homes.push_back(home);
    else
      plan.homes.erase(plan.homes.begin() + below(plan.homes.size()));
  }
  void changePacked(Plan &plan) {
    const Stage &stage = any(graph.stages);
    if (stage.isTransposition())
      for (Home &home : plan.homes)
        if (home.matrix == stage.result || home.matrix == stage.source)
          home.packed = !home.packed;
  }

  const Graph &graph;
  const Machine &machine;
  std::mt19937 random;
};

/// Follows `steps` changes; counts what is met on the way.
void explore(const Graph &graph, const Machine &machine, unsigned seed,
             int steps, std::map<std::string, int> &met) {
  if (llvm::Error error = graph.check()) {
    ADD_FAILURE() << llvm::toString(std::move(error));
    return;
  }
  Mutator mutator(graph, machine, seed);
  Plan start = mutator.simplest(), plan = start;
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
    WalkRunner runner(schedule, machine);
    std::string problem = runner.run();
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
    unsigned early = 0;
    for (const Home &home : plan.homes) {
      early += home.early;
      unsigned writer = plan.nests.size();
      for (auto [i, stage] : llvm::enumerate(graph.stages))
        if (stage.result == home.matrix)
          writer = i;
      met["early from HBM"] += home.early && writer < home.nests.front();
      met["early, one slot"] += home.early && home.slots == 1;
      met["early, two slots"] += home.early && home.slots == 2;
      met["packed"] += home.packed;
      met["sums in PSUM"] += home.sums && home.sums->store == Store::Psum;
      met["sums in SBUF"] += home.sums && home.sums->store == Store::Sbuf;
      met["deep"] += home.level > 1;
      met["spread"] += home.level > 0 && home.nests.size() > 1;
    }
    met["early twice"] += early > 1;
  }
}

/// Stages over a few dims and their parts that read what is there already or
/// new inputs.
class GraphMaker {
public:
  explicit GraphMaker(unsigned seed) : random(seed) {}

  Graph make(const Machine &machine) {
    for (unsigned i = 0, count = 3 + below(3); i < count; ++i)
      graph.dims.push_back({"d" + std::to_string(i), int64_t(1 + below(11))});
    for (unsigned i = 0, wholes = graph.dims.size(); i < 3; ++i) {
      unsigned of = below(wholes);
      int64_t size = graph.sizeOf(of);
      int64_t offset = below(size);
      if (below(10))
        offset -= offset % machine.partitions;
      graph.dims.push_back({"p" + std::to_string(i),
                            int64_t(1 + below(size - offset)), of, offset});
    }
    unsigned count = 1 + below(5);
    for (unsigned tries = 0; tries < 40 && graph.stages.size() < count; ++tries)
      addStage();
    for (unsigned i = 0; i < graph.matrices.size(); ++i) {
      bool isRead = llvm::any_of(graph.stages, [&](const Stage &stage) {
        return llvm::is_contained(stage.operands(), i);
      });
      Role &role = graph.matrices[i].role;
      if (role == Role::Intermediate && (!isRead || below(6) == 0))
        role = Role::Result;
    }
    return graph;
  }

private:
  unsigned below(unsigned count) { return random() % count; }
  unsigned anyDim() { return below(graph.dims.size()); }
  unsigned addMatrix(unsigned rows, unsigned columns, Role role) {
    std::string name = "m" + std::to_string(graph.matrices.size());
    graph.matrices.push_back({name, rows, columns, ElementType::BF16, role});
    return graph.matrices.size() - 1;
  }
  bool standsFor(unsigned own, unsigned dim) {
    return own == dim || graph.dims[own].of == dim;
  }
  unsigned widen(unsigned dim) { return below(2) ? graph.wholeOf(dim) : dim; }
  /// A matrix with rows and columns for these dims.
  unsigned operand(unsigned rows, unsigned columns) {
    for (unsigned tries = 0; tries < 20 && !graph.matrices.empty(); ++tries) {
      unsigned number = below(graph.matrices.size());
      const Matrix &matrix = graph.matrices[number];
      if (standsFor(rows, matrix.rows) && standsFor(columns, matrix.columns))
        return number;
    }
    return addMatrix(widen(rows), widen(columns), Role::Input);
  }
  void addStage() {
    Graph before = graph;
    Stage stage;
    if (below(4) == 0) {
      unsigned rows = anyDim(), columns = anyDim();
      stage.source = below(2) && !graph.matrices.empty()
                         ? below(graph.matrices.size())
                         : addMatrix(rows, columns, Role::Input);
      const Matrix source = graph.matrices[stage.source];
      stage.result = addMatrix(source.columns, source.rows, Role::Intermediate);
    } else {
      unsigned rows = anyDim(), columns = anyDim();
      if (!graph.matrices.empty() && below(4)) // likely to be read
        rows = graph.matrices[below(graph.matrices.size())].columns;
      for (unsigned i = 0, count = below(3) ? 1 : 2; i < count; ++i) {
        unsigned over = anyDim();
        unsigned left = operand(over, rows);
        stage.terms.push_back({left, operand(over, columns), over});
      }
      stage.result = addMatrix(rows, columns, Role::Intermediate);
    }
    graph.stages.push_back(stage);
    // One that makes no sense is left out.
    Graph with = graph;
    for (Matrix &matrix : with.matrices)
      if (matrix.role == Role::Intermediate)
        matrix.role = Role::Result;
    if (llvm::Error error = with.check()) {
      llvm::consumeError(std::move(error));
      graph = before;
    }
  }

  Graph graph;
  std::mt19937 random;
};
} // namespace

/// All of a plan's features must have been met.
static void expectVariety(const std::map<std::string, int> &met) {
  for (auto [name, count] : met)
    EXPECT_GT(count, 0) << name;
}

TEST(WalkRandomTest, graphs) {
  std::map<std::string, int> all;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Machine machine = smallMachine(2, 4, /*dmaTranspose=*/seed % 4 == 0);
    Graph graph = GraphMaker(seed).make(machine);
    if (!graph.stages.empty())
      explore(graph, machine, seed, 1000, all);
  }
  expectVariety(all);
}

TEST(WalkRandomTest, chains) {
  std::map<std::string, int> all;
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    auto size = [&] { return int64_t(1 + random() % 11); };
    Graph graph =
        seed % 3 ? chainGraph(size(), 2 * size(), size(), size()).graph
                 : spillGraph(size(), size(), 2 * size(), size(), size()).graph;
    explore(graph, smallMachine(2, 4, /*dmaTranspose=*/seed % 4 == 0), seed,
            1000, all);
  }
  expectVariety(all);
}
