//===- LowerBoundTest.cpp - No plan beats what is said to be the least ----===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Search/LowerBound.h"
#include "Graphs.h"
#include "RandomPlans.h"
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
  MetSchedules schedules;
  auto run = [&](const Schedule &schedule) {
    if (llvm::errorToBool(schedule.plan.check(schedule.graph, machine)) ||
        !schedules.insert(schedule))
      return;
    // Whether it fits matters only if it is better than the others.
    double busy = computeCost(schedule, machine).busiestNs();
    if (busy >= std::max(best, least) || !costIfFits(schedule, machine))
      return;
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

/// exp(s - max s) v of masked scores s.
static Graph attention(int64_t rows, int64_t keys, std::optional<Band> band) {
  GraphBuilder builder = GraphBuilder()
                             .dim("m", rows)
                             .dim("n", keys)
                             .dim("d", 64)
                             .dim("e", 128)
                             .dim("one", 1)
                             .matrix("q", "m", "d", input)
                             .matrix("k", "n", "d", input)
                             .matrix("c", "m", "n", input)
                             .matrix("v", "n", "e", input)
                             .matrix("o", "m", "e", result)
                             .matrix("s", "m", "n")
                             .matrix("a", "m", "one")
                             .matrix("p", "m", "n");
  enum Matrices : unsigned { q, k, c, v, o, s, a, p };
  Graph &graph = builder.graph;
  graph.matrices[c].band = band;
  builder.product("s", "q", "k", "d");
  Expression &scores = graph.stages.back().expression;
  scores.apply(Function::Add, {scores.addSum(0), scores.addMatrix(c)},
               ElementType::BF16);
  Stage most{a}, powers{p};
  most.expression.addMatrix(s);
  most.reduction = {Function::Max, builder.dimOf("n")};
  Expression &of = powers.expression;
  of.apply(Function::Exp,
           {of.apply(Function::Sub, {of.addMatrix(s), of.addMatrix(a)})},
           ElementType::BF16);
  graph.stages.push_back(most);
  graph.stages.push_back(powers);
  builder.product("o", "p", "v", "n");
  return graph;
}

TEST(LowerBoundTest, no_plan_beats_what_masks_leave) {
  Machine machine = defaultMachine();
  EXPECT_LT(closest(attention(500, 500, Band{std::nullopt, 0}), machine), 2);
  EXPECT_LT(closest(attention(500, 600, Band{-200, 100}), machine), 2);
}

TEST(LowerBoundTest, masks_hide_tiles) {
  Machine machine = defaultMachine();
  machine.dmaEngines *= 1000; // the tensor engine is the busiest
  double all = leastBusyNs(attention(1024, 1024, std::nullopt), machine);
  double causal =
      leastBusyNs(attention(1024, 1024, Band{std::nullopt, 0}), machine);
  EXPECT_LT(causal, all * 0.7);
  EXPECT_GT(causal, all * 0.5);
}
