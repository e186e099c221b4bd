//===- PlanSpaceTest.cpp - Which plans there are for a chain --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/PlanSpace.h"
#include "Graphs.h"
#include "gtest/gtest.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

namespace {
/// The first schedule of those that need least.
std::optional<Schedule> firstTight(const PlanSpace &space) {
  for (const Candidate &candidate : space.tightStarts())
    if (std::optional<Schedule> schedule = space.build(candidate))
      return schedule;
  return std::nullopt;
}

const Home &homeOf(const Schedule &schedule, llvm::StringRef name) {
  for (const Home &home : schedule.plan.homes)
    if (schedule.graph.matrices[home.matrix].name == name)
      return home;
  ADD_FAILURE() << "no home of " << name.str();
  return schedule.plan.homes.front();
}
} // namespace

TEST(PlanSpaceTest, batch_dims_have_no_blocks) {
  GraphBuilder builder = chainSource(512, 256, 256, 512);
  builder.dim("b", 512);
  for (Matrix &matrix : builder.graph.matrices)
    matrix.rowBatches = {builder.dimOf("b")};
  Constraints demands;
  demands.blocks = {{"b", 256}};
  PlanSpace space(builder.graph, demands, defaultMachine());
  EXPECT_EQ(space.findObstacle(),
            "block-b: b is a batch dim, which has no blocks; the loops run for "
            "each of its indices");
}

TEST(PlanSpaceTest, homes_lie_where_they_are_kept) {
  Graph graph = chainSource(512, 256, 256, 512).graph;
  Constraints demands;
  demands.keep = {{"u", "kernel"}, {"v", "m"}};
  PlanSpace space(graph, demands, defaultMachine());
  EXPECT_EQ(space.findObstacle(), "");
  std::optional<Schedule> schedule = firstTight(space);
  ASSERT_TRUE(schedule);
  EXPECT_EQ(homeOf(*schedule, "u").level, 0u);
  EXPECT_EQ(homeOf(*schedule, "v").level, 1u);
}

TEST(PlanSpaceTest, levels_without_a_loop_are_an_obstacle) {
  Graph graph = chainSource(512, 256, 256, 512).graph;
  Constraints demands;
  demands.keep = {{"u", "n"}};
  EXPECT_EQ(PlanSpace(graph, demands, defaultMachine()).findObstacle(),
            "keep=u=n has no plan: no loop over n is around what fills it; "
            "there are kernel, m, r, k; strategy=recompute has one");
  demands.keep = {{"v", "k"}};
  EXPECT_EQ(PlanSpace(graph, demands, defaultMachine()).findObstacle(),
            "keep=v=k has no plan: no loop over k is around what fills it; "
            "there are kernel, m, n, r; leave it out, and there is a plan");
}

TEST(PlanSpaceTest, banks_are_an_obstacle) {
  Machine machine = defaultMachine();
  machine.psumBanks = 0;
  Graph graph = chainSource(512, 256, 256, 512).graph;
  std::string obstacle = PlanSpace(graph, {}, machine).findObstacle();
  EXPECT_NE(obstacle.find("of PSUM"), std::string::npos) << obstacle;
}

TEST(PlanSpaceTest, strips_of_any_size_have_a_plan) {
  for (int64_t rows : {2048, 4096})
    for (TransposeMode mode :
         {TransposeMode::Implicit, TransposeMode::Explicit}) {
      Graph graph = chainSource(4096, 7168, 4096, 18432).graph;
      Constraints demands;
      demands.blocks = {{"m", rows}};
      demands.transpose = mode;
      PlanSpace space(graph, demands, defaultMachine());
      EXPECT_EQ(space.findObstacle(), "");
      std::optional<Schedule> schedule = firstTight(space);
      ASSERT_TRUE(schedule);
      for (const Home &home : schedule->plan.homes)
        if (home.sums && home.sums->store == Store::Sbuf)
          EXPECT_EQ(home.sums->type, ElementType::F32);
    }
}

/// The first schedule of the starts that has partial sums of `o`.
static std::optional<Schedule> firstPassing(const PlanSpace &space) {
  for (const Candidate &candidate : space.starts(space.strips().front()))
    if (std::optional<Schedule> schedule = space.build(candidate))
      if (const std::optional<Sums> &sums = homeOf(*schedule, "o").sums)
        if (sums->store == Store::Sbuf)
          return schedule;
  return std::nullopt;
}

TEST(PlanSpaceTest, intermediates_pass_by_where_sums_take_less) {
  for (TransposeMode mode :
       {TransposeMode::Implicit, TransposeMode::Explicit}) {
    Graph graph = chainSource(512, 256, 2048, 512).graph;
    Constraints demands;
    demands.transpose = mode;
    PlanSpace space(graph, demands, defaultMachine());
    std::optional<Schedule> schedule = firstPassing(space);
    ASSERT_TRUE(schedule);
    const Home &home = homeOf(*schedule, "yt");
    const Loop &blocks = schedule->plan.nests.back().loops[1];
    EXPECT_EQ(home.nests.back(), schedule->plan.nests.size() - 1);
    EXPECT_EQ(home.level, 2u);
    EXPECT_EQ(schedule->graph.dims[blocks.dim].name, "r");
    EXPECT_EQ(blocks.block, 512);
    EXPECT_EQ(homeOf(*schedule, "o").sums->level, 1u);
    EXPECT_EQ(homeOf(*schedule, "o").sums->type, ElementType::F32);
  }
}

TEST(PlanSpaceTest, intermediates_stay_where_sums_take_more) {
  Graph graph = chainSource(512, 256, 2048, 1024).graph;
  Constraints none;
  EXPECT_FALSE(firstPassing(PlanSpace(graph, none, defaultMachine())));
}

TEST(PlanSpaceTest, demanded_blocks_are_those_that_pass_by) {
  Graph graph = chainSource(512, 256, 2048, 512).graph;
  Constraints demands;
  demands.blocks = {{"r", 256}, {"n", 128}};
  PlanSpace space(graph, demands, defaultMachine());
  std::optional<Schedule> schedule = firstPassing(space);
  ASSERT_TRUE(schedule);
  const auto &loops = schedule->plan.nests.back().loops;
  EXPECT_EQ(loops[1].block, 256);
  EXPECT_EQ(loops[2].block, 128);
}

static bool any(const Schedule &) { return true; }

/// All schedules that are one step away from the first of those that need
/// least, which comes first.
static std::vector<Schedule> aroundTight(const PlanSpace &space) {
  Schedule start = firstTight(space).value();
  std::vector<Schedule> all{start};
  for (unsigned step = 0; step < space.numSteps(start); ++step)
    llvm::append_range(all, space.neighbors(start, step, any));
  return all;
}

TEST(PlanSpaceTest, steps_lead_to_other_schedules_that_fit) {
  Graph graph = chainSource(512, 256, 256, 2100).graph;
  Constraints none;
  PlanSpace space(graph, none, defaultMachine());
  std::vector<Schedule> all = aroundTight(space);
  bool isWider = false, isMoved = false, hasSlots = false, sumsInPsum = false;
  for (const Schedule &other : llvm::ArrayRef(all).drop_front()) {
    EXPECT_TRUE(space.fit(other));
    EXPECT_FALSE(other == all.front());
    EXPECT_TRUE(other.graph == all.front().graph);
    for (const Loop &loop : other.plan.nests.back().loops)
      isWider |= loop.block == 256; // two tiles for one
    isMoved |= homeOf(other, "u").level != homeOf(all.front(), "u").level;
    hasSlots |= homeOf(other, "v").slots > homeOf(all.front(), "v").slots;
    sumsInPsum |= homeOf(other, "o").sumsInPsum();
  }
  EXPECT_TRUE(isWider);
  EXPECT_TRUE(isMoved);
  EXPECT_TRUE(hasSlots);
  EXPECT_TRUE(sumsInPsum);
}

TEST(PlanSpaceTest, a_step_leads_to_an_early_home_at_another_level) {
  Graph graph = chainSource(512, 256, 256, 2100).graph;
  Constraints none;
  PlanSpace space(graph, none, defaultMachine());
  auto isBoth = [](const Schedule &start, const Schedule &other) {
    const Home &before = homeOf(start, "v"), &after = homeOf(other, "v");
    return !before.early && after.early && after.level != before.level;
  };
  for (const Candidate &candidate : space.starts(512)) {
    Schedule start = space.build(candidate).value();
    for (unsigned step = 0; step < space.numSteps(start); ++step)
      for (const Schedule &other : space.neighbors(start, step, any))
        if (isBoth(start, other))
          return;
  }
  ADD_FAILURE() << "V moves, or comes early, but not both";
}

TEST(PlanSpaceTest, steps_lead_back) {
  Graph graph = chainSource(512, 256, 256, 2100).graph;
  Constraints none;
  PlanSpace space(graph, none, defaultMachine());
  std::vector<Schedule> all = aroundTight(space);
  for (const Schedule &other : all) {
    if (!homeOf(other, "o").sumsInPsum())
      continue;
    for (unsigned step = 0; step < space.numSteps(other); ++step)
      for (const Schedule &back : space.neighbors(other, step, any))
        if (back == all.front())
          return;
  }
  ADD_FAILURE() << "no step away from sums in PSUM";
}

TEST(PlanSpaceTest, steps_respect_demands) {
  Graph graph = chainSource(512, 256, 256, 2100).graph;
  Constraints demands;
  demands.blocks = {{"n", 640}};
  demands.keep = {{"u", "kernel"}};
  PlanSpace space(graph, demands, defaultMachine());
  for (const Schedule &other : aroundTight(space)) {
    EXPECT_EQ(other.plan.nests.back().loops[1].block, 640);
    EXPECT_EQ(homeOf(other, "u").level, 0u);
  }
}

TEST(PlanSpaceTest, products_share_the_strips_of_x) {
  Graph graph = GraphBuilder()
                    .dim("m", 300)
                    .dim("k", 256)
                    .dim("n", 512)
                    .dim("l", 128)
                    .matrix("x", "m", "k", input)
                    .matrix("q", "k", "n", input)
                    .matrix("v", "k", "l", input)
                    .matrix("a", "m", "n", result)
                    .matrix("b", "l", "m", result)
                    .product("a", "x", "q", "k")
                    .product("b", "x", "v", "k")
                    .graph;
  Constraints none;
  PlanSpace space(graph, none, defaultMachine());
  EXPECT_EQ(space.findObstacle(), "");
  std::optional<Schedule> schedule = firstTight(space);
  ASSERT_TRUE(schedule);
  EXPECT_EQ(schedule->graph.stages.size(), 3u);
  EXPECT_EQ(homeOf(*schedule, "xt").nests.size(), 3u);
}

/// o = (x * wt) * (x * ut) + ct: everything lies the other way.
static Graph turnedGating() {
  GraphBuilder builder;
  builder.dim("m", 300)
      .dim("k", 256)
      .dim("n", 1000)
      .matrix("x", "m", "k", input)
      .matrix("w", "n", "k", input)
      .matrix("u", "n", "k", input)
      .matrix("c", "n", "m", input)
      .matrix("o", "m", "n", result)
      .product("o", "x", "w", "k")
      .plus("x", "u", "k");
  Stage &stage = builder.graph.stages.back();
  stage.terms.back().sum = 1;
  Expression &of = stage.expression;
  unsigned product =
      of.apply(Function::Mul, {of.addSum(0), of.addSum(1)}, ElementType::F32);
  of.apply(Function::Add, {product, of.addMatrix(builder.matrixOf("c"))},
           ElementType::BF16);
  return builder.graph;
}

TEST(PlanSpaceTest, weights_are_turned_behind_what_has_strips) {
  Graph graph = legalize(turnedGating(), TransposeMode::Implicit);
  std::vector<std::string> order;
  for (const Stage &stage : graph.stages)
    order.push_back(graph.matrices[stage.result].name);
  EXPECT_EQ(order, (std::vector<std::string>{"xt", "ct", "wt", "ut", "o"}));
}

TEST(PlanSpaceTest, turned_weights_lie_where_the_product_reads_them) {
  Graph graph = turnedGating();
  Constraints none;
  PlanSpace space(graph, none, defaultMachine());
  EXPECT_EQ(space.findObstacle(), "");
  std::optional<Schedule> schedule = firstTight(space);
  ASSERT_TRUE(schedule);
  for (const char *name : {"wt", "ut"}) {
    const Home &home = homeOf(*schedule, name);
    EXPECT_EQ(home.nests.back(), 4u);
    EXPECT_EQ(home.level, schedule->plan.nests[4].loops.size());
  }
}

TEST(PlanSpaceTest, a_weight_may_be_turned_while_the_block_before_is_read) {
  Graph graph = GraphBuilder()
                    .dim("m", 1024)
                    .dim("k", 1024)
                    .dim("n", 2048)
                    .matrix("x", "m", "k", input)
                    .matrix("w", "n", "k", input)
                    .matrix("o", "m", "n", result)
                    .product("o", "x", "w", "k")
                    .graph;
  Constraints none;
  PlanSpace space(graph, none, defaultMachine());
  std::optional<Candidate> early;
  for (const Candidate &start : space.starts(space.strips().front()))
    for (unsigned axis = 0; axis < space.numAxes(); ++axis)
      for (const Candidate &other : space.along(axis, start))
        if (other.weights[0].rowsBeside && space.build(other))
          early = other;
  ASSERT_TRUE(early);
  Schedule schedule = *space.build(*early);
  EXPECT_TRUE(homeOf(schedule, "wt").early);
  // Inside of the strip, of the columns and of the rows whose sums are in PSUM.
  EXPECT_EQ(homeOf(schedule, "o").sums->level, 3u);
}

TEST(PlanSpaceTest, all_strips_have_the_rows_that_are_demanded) {
  Graph graph = chainSource(1024, 4096, 2048, 4096).graph;
  Constraints demands;
  demands.blocks = {{"m", 256}};
  PlanSpace space(graph, demands, defaultMachine());
  EXPECT_EQ(space.strips(), std::vector<int64_t>{256});
  std::vector<Candidate> all = space.starts(256);
  llvm::append_range(all, space.tightStarts());
  for (const Candidate &candidate : all)
    if (std::optional<Schedule> schedule = space.build(candidate))
      for (const Nest &nest : schedule->plan.nests)
        for (const Loop &loop : nest.loops)
          if (loop.dim == space.stripDim())
            EXPECT_EQ(loop.block, 256);
}
