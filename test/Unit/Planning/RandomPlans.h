//===- RandomPlans.h - Plans by chance --------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_UNIT_PLANNING_RANDOMPLANS_H
#define TRN_TEST_UNIT_PLANNING_RANDOMPLANS_H

#include "trn/Machine/Machine.h"
#include "trn/Planning/LiveBand.h"
#include "trn/Planning/Plan.h"
#include "trn/Planning/PrintSchedule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <random>
#include <set>

namespace mlir::trn::planning {

/// Legal schedules that were met: what is true of one is so again.
class MetSchedules {
public:
  /// Whether it is new.
  bool insert(const Schedule &schedule) {
    std::string text;
    llvm::raw_string_ostream os(text);
    printGraph(os, schedule.graph);
    printPlan(os, schedule.graph, schedule.plan);
    return texts.insert(text).second;
  }

private:
  std::set<std::string> texts;
};

/// Changes plans in small steps, most of which are legal or close to it.
class Mutator {
public:
  Mutator(const Graph &graph, const Machine &machine, unsigned seed)
      : graph(graph), machine(machine), random(seed) {}

  /// All of every matrix on chip, no loops.
  Plan simplest() const {
    Plan plan;
    plan.nests.resize(graph.stages.size());
    for (unsigned matrix = 0; matrix < graph.matrices.size(); ++matrix) {
      Home home{matrix};
      for (auto [i, stage] : llvm::enumerate(graph.stages)) {
        if (graph.isBeside(stage, matrix))
          continue;
        if (graph.isRepeated(stage, matrix))
          plan.homes.push_back({matrix, {unsigned(i)}});
        else if (stage.uses(matrix))
          home.nests.push_back(i);
      }
      if (!home.nests.empty())
        plan.homes.push_back(home);
    }
    return plan;
  }

  /// One loop over the rows of all that a mask leaves something of, and of what
  /// lies between, if that is legal.
  Plan overRows(const LiveBand &band) const {
    Plan plan = simplest(), changed = plan;
    unsigned first = graph.stages.size(), last = 0;
    for (auto [number, stage] : llvm::enumerate(graph.stages))
      if (band.isIn(graph, stage)) {
        first = std::min<unsigned>(first, number);
        last = number;
      }
    for (unsigned nest = first; nest <= last; ++nest)
      changed.nests[nest].loops = {{band.rows, machine.partitions}};
    for (Home &home : changed.homes)
      home.level = home.nests.front() >= first && home.nests.back() <= last &&
                   graph.matrices[home.matrix].role != Role::Constant &&
                   graph.matrices[home.matrix].has(band.rows);
    return llvm::errorToBool(changed.check(graph, machine)) ? plan : changed;
  }

  void change(Plan &plan) {
    if (below(30) == 0)
      return changeEngine(plan);
    if (below(30) == 0) {
      plan.nests[below(plan.nests.size())].banks = 1 << below(3);
      return;
    }
    if (below(20) == 0)
      return changeRows(plan);
    if (auto batches = graph.batches(); !batches.empty() && below(20) == 0) {
      unsigned size = graph.sizeOf(batches.back());
      plan.jam = below(3) ? size : 1 + below(size + 1);
      plan.staggered = 0;
      plan.stacked.reset();
      if (below(3) == 0)
        plan.staggered = 2 + below(3);
      plan.scheduled = plan.staggered > 2;
      if (below(2))
        plan.stacked = below(graph.dims.size());
      return;
    }
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
      return changeAhead(plan);
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
    other.ahead = 0;
    other.packed = false;
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
  void changeAhead(Plan &plan) {
    Home &home = any(plan.homes);
    if (below(4) == 0)
      for (Home &other : plan.homes)
        other.ahead = 0;
    home.ahead = below(4) ? 1 : 2;
    home.slots = home.level && below(3) ? 1 + home.ahead : 1 + below(3);
    home.pieces = below(2) ? 0 : 1 + below(4);
    // What fills it reads others further ahead.
    if (home.nests.front() != writerOf(home.matrix) || below(2))
      return;
    for (Home &other : plan.homes)
      if (&other != &home && other.level == home.level &&
          llvm::is_contained(other.nests, home.nests.front())) {
        home.ahead = 1;
        other.ahead = 2;
        other.slots = 2 + below(2);
      }
  }
  unsigned writerOf(unsigned matrix) const {
    auto writes = [&](const Stage &stage) { return stage.result == matrix; };
    return llvm::find_if(graph.stages, writes) - graph.stages.begin();
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
  void changeEngine(Plan &plan) {
    any(plan.nests).engine = RowEngine(below(3));
  }
  /// Rows of the DMA become longer, or not.
  void changeRows(Plan &plan) {
    if (below(2)) {
      Home &home = any(plan.homes);
      home.whole = !home.whole;
      home.level = 0;
    } else if (plan.interleaved.empty() || below(3)) {
      plan.interleaved.push_back(below(graph.dims.size()));
    } else {
      plan.interleaved.pop_back();
    }
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

} // namespace mlir::trn::planning

#endif // TRN_TEST_UNIT_PLANNING_RANDOMPLANS_H
