//===- StartsTest.cpp - Plans that searches begin with --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Search/Starts.h"

#include "Graphs.h"
#include "trn/Planning/Fillers.h"
#include "trn/Planning/TileLimits.h"
#include "trn/Search/SmallestPlans.h"
#include "gtest/gtest.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;

static std::vector<Start> startsOf(const Graph &graph,
                                   const Demands &demands = {},
                                   llvm::StringRef machine = "trn1") {
  Machine limited = *limitTiles(*findKnownMachine(machine));
  return findStarts(graph, DemandChecker(graph, demands, limited), limited);
}

static const Home &homeOf(const Schedule &schedule, llvm::StringRef name) {
  for (const Home &home : schedule.plan.homes)
    if (schedule.graph.matrices[home.matrix].name == name)
      return home;
  ADD_FAILURE() << "no home of " << name.str();
  return schedule.plan.homes.front();
}

TEST(StartsTest, fit_and_are_sorted) {
  Graph graph = chainSource(512, 1024, 640, 2100).graph;
  std::vector<Start> starts = startsOf(graph);
  EXPECT_GT(starts.size(), 10u);
  for (auto [i, start] : llvm::enumerate(starts)) {
    const auto &[own, plan] = start.schedule;
    EXPECT_FALSE(llvm::errorToBool(plan.check(own, defaultMachine())));
    EXPECT_GT(start.busyNs, 0);
    if (i)
      EXPECT_GE(start.promise, starts[i - 1].promise);
  }
}

TEST(StartsTest, some_go_through_hbm_some_pass_by) {
  Graph graph = chainSource(512, 256, 2048, 512).graph;
  bool spills = false, passes = false;
  for (const Start &start : startsOf(graph)) {
    const Home &home = homeOf(start.schedule, "yt");
    spills |= home.nests.size() == 1;
    const std::optional<Sums> &sums = homeOf(start.schedule, "o").sums;
    passes |= home.level == 2 && sums && sums->store == Store::Sbuf &&
              sums->type == ElementType::F32;
  }
  EXPECT_TRUE(spills);
  EXPECT_TRUE(passes);
}

TEST(StartsTest, few_rows_are_packed) {
  Graph graph = chainSource(1, 1024, 512, 512).graph;
  bool isPacked = false, isNumbered = false;
  for (const Start &start : startsOf(graph)) {
    isPacked |= homeOf(start.schedule, "xt").packed;
    isNumbered |= !start.schedule.plan.interleaved.empty();
  }
  EXPECT_TRUE(isPacked);
  EXPECT_TRUE(isNumbered);
}

TEST(StartsTest, the_dma_transposes_where_it_can) {
  Graph graph = chainSource(1024, 1024, 512, 512).graph;
  auto isByDma = [](const Start &start) {
    return llvm::none_of(start.schedule.plan.homes, [&](const Home &home) {
      return start.schedule.graph.matrices[home.matrix].name == "x";
    });
  };
  EXPECT_TRUE(llvm::any_of(startsOf(graph, {}, "trn2"), isByDma));
  EXPECT_FALSE(llvm::any_of(startsOf(graph, {}, "trn1"), isByDma));
}

/// Keys of each head.
TEST(StartsTest, what_all_strips_of_a_batch_read_is_turned_in_front) {
  GraphBuilder builder = GraphBuilder()
                             .dim("m", 512)
                             .dim("k", 64)
                             .dim("n", 512)
                             .dim("b", 4)
                             .matrix("x", "m", "k", input)
                             .matrix("w", "n", "k", input)
                             .matrix("o", "m", "n", result)
                             .product("o", "x", "w", "k");
  for (Matrix &matrix : builder.graph.matrices)
    matrix.rowBatches = {builder.dimOf("b")};
  bool isInFront = false;
  for (const Start &start : startsOf(builder.graph)) {
    const auto &[graph, plan] = start.schedule;
    if (graph.matrices[graph.stages.front().result].name != "wt")
      continue;
    const Home &home = homeOf(start.schedule, "wt");
    isInFront |= home.level == 0 && home.nests.size() == 2;
  }
  EXPECT_TRUE(isInFront);
}

/// `y = x / sum(x * x)` of each row, and `o = y * w`.
static GraphBuilder scaledRows(Role role) {
  GraphBuilder builder =
      GraphBuilder()
          .dim("m", 1024)
          .dim("k", 512)
          .dim("n", 512)
          .dim("one", 1)
          .matrix("x", "m", "k", input)
          .matrix("s", "m", "one", Role::Intermediate, ElementType::F32)
          .matrix("y", "m", "k", role)
          .matrix("w", "k", "n", input)
          .matrix("o", "m", "n", result);
  Stage sum{builder.matrixOf("s")}, scaled{builder.matrixOf("y")};
  Expression &squares = sum.expression, &quotients = scaled.expression;
  squares.apply(Function::Square, {squares.addMatrix(builder.matrixOf("x"))});
  sum.reduction = {Function::Add, builder.dimOf("k")};
  unsigned x = quotients.addMatrix(builder.matrixOf("x")),
           s = quotients.addMatrix(builder.matrixOf("s"));
  quotients.apply(Function::Div, {x, s}, ElementType::BF16);
  builder.graph.stages = {sum, scaled};
  return builder.product("o", "y", "w", "k");
}

/// Squares of a tile are summed, and the tile divided, ahead of the product.
TEST(StartsTest, rows_in_front_of_products_come_tile_by_tile) {
  Graph source = scaledRows(Role::Intermediate).graph;
  EXPECT_TRUE(llvm::any_of(startsOf(source), [](const Start &start) {
    const auto &[graph, plan] = start.schedule;
    const Home &home = homeOf(start.schedule, "y");
    return home.ahead && firstFiller(graph, plan, home) < home.nests.front();
  }));
}

TEST(StartsTest, results_that_are_read_stay_on_chip) {
  Graph source = scaledRows(Role::Result).graph;
  EXPECT_TRUE(llvm::any_of(startsOf(source), [](const Start &start) {
    return homeOf(start.schedule, "y").nests.size() > 1;
  }));
}

TEST(StartsTest, homes_lie_where_they_are_kept) {
  Graph graph = chainSource(512, 256, 256, 512).graph;
  Demands demands;
  demands.keep = {{"u", "kernel"}, {"v", "m"}};
  std::vector<Start> starts = startsOf(graph, demands);
  EXPECT_FALSE(starts.empty());
  for (const Start &start : starts) {
    EXPECT_EQ(homeOf(start.schedule, "u").level, 0u);
    EXPECT_EQ(homeOf(start.schedule, "v").level, 1u);
  }
}

TEST(StartsTest, strips_of_any_size_have_a_plan) {
  for (int64_t rows : {2048, 4096})
    for (TransposeMode mode :
         {TransposeMode::Implicit, TransposeMode::Explicit}) {
      Graph graph = chainSource(4096, 7168, 4096, 18432).graph;
      Demands demands;
      demands.blocks = {{"m", rows}};
      demands.transpose = mode;
      std::vector<Start> starts = startsOf(graph, demands);
      EXPECT_FALSE(starts.empty());
      for (const Start &start : starts)
        EXPECT_EQ(start.schedule.plan.nests.front().loops.front().block, rows);
    }
}

TEST(StartsTest, sums_are_rounded_only_where_they_do_not_fit) {
  auto rounds = [](const Start &start) {
    return llvm::any_of(start.schedule.plan.homes, [](const Home &home) {
      return home.sums && home.sums->type != ElementType::F32;
    });
  };
  Demands demands;
  demands.blocks = {{"m", 1024}};
  demands.keepIntermediates = true;
  EXPECT_TRUE(llvm::any_of(
      startsOf(chainSource(4096, 7168, 4096, 18432).graph, demands), rounds));
  EXPECT_FALSE(llvm::any_of(
      startsOf(chainSource(4096, 7168, 2048, 18432).graph, demands), rounds));
}

TEST(StartsTest, intermediates_are_computed_again_if_that_is_demanded) {
  Graph graph = chainSource(1024, 256, 256, 1024).graph;
  Demands demands;
  demands.recompute = true;
  std::vector<Start> starts = startsOf(graph, demands);
  EXPECT_FALSE(starts.empty());
  for (const Start &start : starts) {
    EXPECT_EQ(homeOf(start.schedule, "yt").level, 2u);
    for (const Nest &nest : start.schedule.plan.nests)
      EXPECT_EQ(nest.loops[1].block, 512);
  }
}

TEST(StartsTest, products_share_the_strips_of_x) {
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
  std::vector<Start> starts = startsOf(graph);
  ASSERT_FALSE(starts.empty());
  const Schedule &first = starts.front().schedule;
  EXPECT_EQ(first.graph.stages.size(), 3u);
  EXPECT_EQ(homeOf(first, "xt").nests.size(), 3u);
}

TEST(StartsTest, the_smallest_plan_has_a_tile_of_each_matrix) {
  Graph graph = chainSource(4096, 7168, 4096, 18432).graph;
  Demands none;
  Machine machine = defaultMachine();
  bool isFound = false;
  for (const Schedule &smallest :
       smallestPlans(graph, DemandChecker(graph, none, machine), machine))
    isFound |= llvm::all_of(smallest.plan.homes, [&](const Home &home) {
      return home.slots <= 2 && home.nests.size() == 1 &&
             home.level + home.sumsInPsum() ==
                 smallest.plan.nests[home.nests.front()].loops.size();
    });
  EXPECT_TRUE(isFound);
}
