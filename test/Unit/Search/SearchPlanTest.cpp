//===- SearchPlanTest.cpp - Plans that are found --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Search/SearchPlan.h"

#include "Graphs.h"
#include "trn/Planning/PlanCost.h"
#include "trn/Search/TimeSchedule.h"
#include "gtest/gtest.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;

static int64_t timeWithDma(const FoundPlan &found, const Machine &machine,
                           double rate) {
  return ScheduleTimer(machine, 1).timeWithDma(found.schedule, rate);
}

TEST(SearchPlanTest, latency_is_that_of_the_plan) {
  Graph graph = chainSource(256, 1024, 384, 1024).graph;
  FoundPlan found =
      llvm::cantFail(searchPlan(graph, {}, defaultMachine(), 300));
  EXPECT_EQ(found.latency, timeWithDma(found, defaultMachine(), 1));
  EXPECT_LE(found.timed, 300);
  EXPECT_FALSE(found.isScaled());
}

TEST(SearchPlanTest, the_same_in_each_search) {
  Graph graph = chainSource(256, 1024, 384, 1024).graph;
  FoundPlan one = llvm::cantFail(searchPlan(graph, {}, defaultMachine(), 500));
  FoundPlan two = llvm::cantFail(searchPlan(graph, {}, defaultMachine(), 500));
  EXPECT_TRUE(one.schedule == two.schedule);
  EXPECT_EQ(one.latency, two.latency);
  EXPECT_EQ(one.timed, two.timed);
}

TEST(SearchPlanTest, what_is_chosen_is_nearly_the_fastest) {
  for (int64_t rows : {64, 512, 2048}) {
    Graph graph = chainSource(rows, 2048, 640, 2048).graph;
    FoundPlan found =
        llvm::cantFail(searchPlan(graph, {}, defaultMachine(), 600));
    EXPECT_GE(found.latency, found.fastest);
    EXPECT_LE(double(found.latency), double(found.fastest) * 1.01);
  }
}

TEST(SearchPlanTest, more_effort_finds_nothing_slower) {
  Graph graph = chainSource(128, 1024, 512, 2048).graph;
  int64_t before = std::numeric_limits<int64_t>::max();
  for (int64_t effort : {1, 50, 800}) {
    FoundPlan found =
        llvm::cantFail(searchPlan(graph, {}, defaultMachine(), effort));
    EXPECT_LE(found.fastest, before);
    before = found.fastest;
  }
}

TEST(SearchPlanTest, more_effort_may_take_more_work) {
  Graph graph = chainSource(128, 1024, 512, 2048).graph;
  FoundPlan found = llvm::cantFail(searchPlan(graph, {}, defaultMachine(), 50));
  auto shareOfWork = [&](int64_t programs) {
    ScheduleTimer timer(defaultMachine(), programs);
    timer.time(found.schedule, 0, std::numeric_limits<int64_t>::max());
    return 1 - timer.workLeftShare();
  };
  EXPECT_EQ(shareOfWork(1), shareOfWork(4000));
  EXPECT_NEAR(shareOfWork(4096), 10 * shareOfWork(40960), 1e-9);
  EXPECT_GT(shareOfWork(std::numeric_limits<int64_t>::max()), 0);
}

TEST(SearchPlanTest, demands_hold) {
  Graph graph = chainSource(512, 1024, 512, 2048).graph;
  Demands demands;
  demands.blocks = {{"m", 256}, {"n", 384}};
  demands.keep = {{"u", "kernel"}};
  FoundPlan found =
      llvm::cantFail(searchPlan(graph, demands, defaultMachine(), 400));
  EXPECT_TRUE(
      DemandChecker(graph, demands, defaultMachine()).allows(found.schedule));
  for (const Home &home : found.schedule.plan.homes)
    if (found.schedule.graph.matrices[home.matrix].name == "u")
      EXPECT_EQ(home.level, 0u);
}

TEST(SearchPlanTest, many_rows_are_planned_as_fewer) {
  Graph graph = chainSource(1 << 20, 512, 128, 512).graph;
  FoundPlan found =
      llvm::cantFail(searchPlan(graph, {}, defaultMachine(), 100));
  EXPECT_EQ(found.fewerRows, 8192);
  EXPECT_EQ(found.schedule.graph.dims[0].size, 1 << 20);
}
