//===- DescribeScheduleTest.cpp - Schedules in a few words ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/DescribeSchedule.h"
#include "Graphs.h"
#include "gtest/gtest.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

namespace {
/// `key value` of all but the plan's text, in one line.
std::string describe(const GraphBuilder &graph, const PlanBuilder &builder) {
  Schedule schedule{graph.graph, builder.plan};
  EXPECT_EQ(
      llvm::toString(schedule.plan.check(schedule.graph, smallMachine(4, 8))),
      "");
  std::string text;
  for (auto [key, value] : describeSchedule(schedule))
    if (key != "schedule")
      text += (text.empty() ? "" : ", ") + key + " " + value;
  return text;
}
} // namespace

TEST(DescribeScheduleTest, strip_cache) {
  GraphBuilder graph = chainGraph(20, 12, 16, 24);
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}, {"k", 4}}).nest({{"m", 8}, {"r", 8}});
  plan.nest({{"m", 8}, {"n", 16}});
  plan.home("x", 2).home("xt", 1).ahead(1).home("u", 2).home("yt", 1);
  plan.home("v", 2).home("o", 2);
  EXPECT_EQ(describe(graph, plan), "blocks m=8,r=8,n=16");
}

TEST(DescribeScheduleTest, recompute) {
  GraphBuilder graph = chainGraph(20, 12, 16, 24);
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}}).nest({{"m", 8}, {"n", 8}}).nest({{"m", 8}, {"n", 8}});
  plan.home("x", 1).home("xt", 1).home("u", 2).home("yt", 2);
  plan.home("v", 2).home("o", 2);
  EXPECT_EQ(describe(graph, plan), "blocks m=8,n=8");
}

TEST(DescribeScheduleTest, spilled_part_and_blocked_k) {
  GraphBuilder graph = spillGraph(20, 12, 8, 16, 24);
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}, {"k", 4}}).nest({{"m", 8}, {"k", 4}});
  plan.nest({{"m", 8}, {"k", 4}, {"rb", 8}}).nest({{"m", 8}, {"n", 8}});
  plan.home("x", 2).home("xt", 2).home("u", 0);
  plan.home("ya", 1).sums(1, Store::Sbuf, ElementType::BF16);
  plan.home("yb", 3, {2}).home("yb", 2, {3}).home("v", 2).home("o", 2);
  EXPECT_EQ(describe(graph, plan), "blocks m=8,k=4,n=8,rb=8, partials bf16");
}

TEST(DescribeScheduleTest, partial_sums_of_the_second_product) {
  GraphBuilder graph = chainGraph(20, 12, 16, 24);
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}}).nest({{"m", 8}}).nest({{"m", 8}, {"r", 8}});
  plan.home("x", 1).home("xt", 1).home("u", 0).home("yt", 1).home("v", 2);
  plan.home("o", 1).sums(1, Store::Sbuf, ElementType::BF16);
  EXPECT_NE(describe(graph, plan).find("partials bf16"), std::string::npos);
}

TEST(DescribeScheduleTest, partial_sums_in_hbm) {
  GraphBuilder graph = chainGraph(20, 12, 16, 24);
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}, {"k", 4}}).nest({{"m", 8}, {"k", 4}, {"r", 8}});
  plan.nest({{"m", 4}});
  plan.home("x", 2).home("xt", 2).home("u", 3).home("yt", 3, {1});
  plan.home("yt", 1, {2}).home("v", 0).home("o", 1);
  EXPECT_NE(describe(graph, plan).find("partials bf16"), std::string::npos);
}

TEST(DescribeScheduleTest, product_that_reads_x_again) {
  GraphBuilder graph = productGraph(20, 12, 24);
  PlanBuilder plan(graph);
  plan.nest({{"n", 16}, {"m", 8}}).nest({{"n", 16}, {"m", 8}, {"k", 4}});
  plan.home("x", 2).home("xt", 2).home("w", 1);
  plan.home("o", 2).slots(2).sums(2, Store::Psum);
  EXPECT_EQ(describe(graph, plan), "blocks m=8,k=4,n=16");
}

TEST(DescribeScheduleTest, blocks_that_differ) {
  GraphBuilder graph = chainGraph(20, 12, 16, 24);
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}}).nest({{"m", 8}}).nest({{"m", 4}});
  plan.home("x", 1).home("xt", 1).home("u", 0).home("yt", 0).home("v", 0);
  plan.home("o", 1);
  EXPECT_EQ(describe(graph, plan), "blocks m=8/4");
}

TEST(DescribeScheduleTest, explicit_and_transposed) {
  GraphBuilder graph;
  graph.dim("m", 20).dim("k", 12).dim("r", 16).dim("n", 24);
  graph.matrix("xt", "k", "m", input).matrix("u", "k", "r", input);
  graph.matrix("v", "r", "n", input).matrix("y", "m", "r");
  graph.matrix("yt", "r", "m").matrix("ot", "n", "m", result);
  graph.product("y", "xt", "u", "k").transposition("yt", "y");
  graph.product("ot", "v", "yt", "r");
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}}).nest({{"m", 8}}).nest({{"m", 8}});
  plan.home("xt", 1).home("u", 0).home("y", 1).home("yt", 1).home("v", 0);
  plan.home("ot", 1);
  EXPECT_EQ(describe(graph, plan), "blocks m=8");
}

static GraphBuilder threeProducts(int64_t k) {
  GraphBuilder graph;
  graph.dim("m", 4).dim("k", k).dim("n", 4).dim("p", 4);
  graph.matrix("xt", "k", "m", input).matrix("u", "k", "n", input);
  graph.matrix("v", "n", "p", input).matrix("w", "p", "k", input);
  graph.matrix("a", "n", "m").matrix("b", "p", "m");
  graph.matrix("c", "m", "k", result);
  graph.product("a", "u", "xt", "k").product("b", "v", "a", "n");
  graph.product("c", "b", "w", "p");
  return graph;
}

TEST(DescribeScheduleTest, whole_products_have_a_plan_only) {
  GraphBuilder graph = threeProducts(4);
  PlanBuilder plan(graph);
  plan.nest({}).nest({}).nest({{"m", 4}});
  plan.home("xt", 0).home("u", 0).home("v", 0).home("w", 0).home("a", 0);
  plan.home("b", 0).home("c", 1).slots(2);
  EXPECT_EQ(describe(graph, plan), "");
  auto entries = describeSchedule({graph.graph, plan.plan});
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].first, "schedule");
  EXPECT_EQ(entries[0].second,
            "nests = [a (), b (), c (m = 4)], homes = [xt at kernel, u at "
            "kernel, v at kernel, w at kernel, a at kernel, b at kernel, c at "
            "m slots 2]");
}

TEST(DescribeScheduleTest, partial_sums_of_three_products) {
  GraphBuilder graph = threeProducts(8);
  PlanBuilder plan(graph);
  plan.nest({{"k", 4}}).nest({}).nest({{"m", 4}});
  plan.home("xt", 1).home("u", 1).home("v", 0).home("w", 0);
  plan.home("a", 0).sums(0, Store::Sbuf, ElementType::BF16);
  plan.home("b", 0).home("c", 1).slots(2);
  EXPECT_EQ(describe(graph, plan), "partials bf16");
}

TEST(DescribeScheduleTest, a_stage_without_products_has_a_plan_only) {
  GraphBuilder graph;
  graph.dim("m", 4).dim("k", 4).dim("n", 4);
  graph.matrix("xt", "k", "m", input).matrix("y", "k", "m");
  graph.matrix("w", "k", "n", input).matrix("o", "m", "n", result);
  Stage &stage = graph.graph.stages.emplace_back();
  stage.result = graph.matrixOf("y");
  stage.expression.apply(Function::Relu,
                         stage.expression.addMatrix(graph.matrixOf("xt")));
  graph.product("o", "y", "w", "k");
  PlanBuilder plan(graph);
  plan.nest({}).nest({});
  plan.home("xt", 0).home("y", 0).home("w", 0).home("o", 0);
  EXPECT_EQ(describe(graph, plan), "");
}
