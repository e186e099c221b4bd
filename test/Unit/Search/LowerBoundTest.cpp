//===- LowerBoundTest.cpp - No plan beats what is said to be the least
//-----===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Search/LowerBound.h"
#include "Graphs.h"
#include "trn/Planning/PlanCost.h"
#include "trn/Planning/TileLimits.h"
#include "trn/Search/Edits.h"
#include "trn/Search/Starts.h"
#include "trn/Search/TimeSchedule.h"
#include "gtest/gtest.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;

namespace {
/// X*W, or one with X transposed.
Graph product(int64_t m, int64_t k, int64_t n, bool isTurned = false) {
  return GraphBuilder()
      .dim("m", m)
      .dim("k", k)
      .dim("n", n)
      .matrix("x", isTurned ? "k" : "m", isTurned ? "m" : "k", input)
      .matrix("w", "k", "n", input)
      .matrix("o", "m", "n", result)
      .product("o", "x", "w", "k")
      .graph;
}

/// Runs all plans next to where searches start; returns how much longer than
/// the least the best one keeps an engine busy.
double closest(const Graph &graph, const Machine &machine) {
  Demands none;
  double least = leastBusyNs(graph, machine), best = 1e99;
  auto run = [&](const Schedule &schedule) {
    std::optional<PlanCost> cost = costIfFits(schedule, machine);
    if (!cost)
      return;
    double busy = cost->busiestNs();
    EXPECT_GE(busy, least * (1 - 1e-9))
        << printPlan(schedule.graph, schedule.plan);
    best = std::min(best, busy);
  };
  for (const Start &start :
       findStarts(graph, DemandChecker(graph, none, machine), machine)) {
    run(start.schedule);
    for (const Edit &edit : editsOf(start.schedule, machine)) {
      Schedule other = start.schedule;
      if (apply(edit, other))
        run(other);
    }
  }
  return best / least;
}
} // namespace

TEST(LowerBoundTest, no_plan_beats_it) {
  for (const char *name : {"trn1", "trn2"}) {
    Machine machine = *findKnownMachine(name);
    for (const Graph &graph :
         {product(1, 1024, 2048), product(16, 300, 700),
          product(512, 1024, 2048), product(512, 1024, 2048, true),
          product(700, 130, 1000), product(2048, 2048, 2048),
          chainSource(1, 1024, 512, 1024).graph,
          chainSource(200, 1024, 512, 1024).graph,
          chainSource(2048, 1024, 640, 1024).graph})
      EXPECT_LT(closest(graph, machine), 1.3);
  }
}

TEST(LowerBoundTest, few_rows_wait_for_weights) {
  Machine machine = defaultMachine();
  double engines = machine.dmaEngineNs(2048, 1) +
                   machine.dmaEngineNs(1024 * 8192, 1024) +
                   machine.dmaEngineNs(8192, 1);
  EXPECT_DOUBLE_EQ(leastBusyNs(product(1, 1024, 4096), machine),
                   engines / double(machine.dmaEngines));
}

TEST(LowerBoundTest, many_rows_are_multiplied_and_turned) {
  Machine machine = defaultMachine();
  double columns = 32 * 8 * 4096.0, turned = 8 * 4096.0;
  EXPECT_DOUBLE_EQ(leastBusyNs(product(4096, 1024, 4096, true), machine),
                   columns * machine.tensorNsPerColumn);
  EXPECT_DOUBLE_EQ(leastBusyNs(product(4096, 1024, 4096), machine),
                   (columns + turned) * machine.tensorNsPerColumn);
}

TEST(LowerBoundTest, batches_take_as_often) {
  Machine machine = defaultMachine();
  Graph graph = product(512, 512, 512);
  double one = leastBusyNs(graph, machine);
  graph.dims.push_back({"b", 8});
  for (Matrix &matrix : graph.matrices)
    matrix.rowBatches = {3};
  EXPECT_DOUBLE_EQ(leastBusyNs(graph, machine), 8 * one);
}
