//===- WalkTest.cpp - What plans move -------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graphs.h"
#include "WalkRunner.h"
#include "gtest/gtest.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

namespace {
/// Bytes that a legal plan moves, after its values have been checked.
std::pair<int64_t, int64_t> traffic(const GraphBuilder &graph,
                                    const PlanBuilder &builder) {
  Machine machine = smallMachine(4, 8);
  Schedule schedule{graph.graph, builder.plan};
  if (llvm::Error error = schedule.graph.check())
    ADD_FAILURE() << llvm::toString(std::move(error));
  if (llvm::Error error = schedule.plan.check(schedule.graph, machine)) {
    ADD_FAILURE() << llvm::toString(std::move(error));
    return {};
  }
  WalkRunner runner(schedule, machine);
  EXPECT_EQ(runner.run(), "");
  return {runner.readBytes, runner.writeBytes};
}
std::pair<int64_t, int64_t> bytes(int64_t read, int64_t written) {
  return {2 * read, 2 * written};
}
} // namespace

// Products: m = 20, k = 12, n = 24; strips of 8 rows, so there are three.

TEST(WalkTest, weights_are_read_once_a_strip) {
  GraphBuilder graph = productGraph(20, 12, 24);
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}}).nest({{"m", 8}, {"n", 16}});
  plan.home("x", 1).home("xt", 1).home("w", 2).slots(2).home("o", 2).slots(2);
  EXPECT_EQ(traffic(graph, plan), bytes(20 * 12 + 3 * 12 * 24, 20 * 24));
}

TEST(WalkTest, weights_at_the_kernel_are_read_once) {
  GraphBuilder graph = productGraph(20, 12, 24);
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}}).nest({{"m", 8}, {"n", 16}});
  plan.home("x", 1).home("xt", 1).home("w", 0).home("o", 2).slots(2);
  EXPECT_EQ(traffic(graph, plan), bytes(20 * 12 + 12 * 24, 20 * 24));
}

TEST(WalkTest, x_in_the_inner_loop_is_read_again) {
  GraphBuilder graph = productGraph(20, 12, 24);
  PlanBuilder plan(graph);
  plan.nest({{"n", 16}, {"m", 8}}).nest({{"n", 16}, {"m", 8}});
  plan.home("x", 2).home("xt", 2).home("w", 1).home("o", 2).slots(2);
  EXPECT_EQ(traffic(graph, plan), bytes(2 * 20 * 12 + 12 * 24, 20 * 24));
}

TEST(WalkTest, early_strips_move_as_much_as_others) {
  for (int64_t m : {8, 16, 20, 36})
    for (bool piecewise : {false, true}) {
      GraphBuilder graph = productGraph(m, 12, 24);
      PlanBuilder plan(graph);
      plan.nest(piecewise
                    ? std::vector<std::pair<const char *, int64_t>>{{"m", 8},
                                                                    {"k", 4}}
                    : std::vector<std::pair<const char *, int64_t>>{{"m", 8}});
      plan.nest({{"m", 8}, {"n", 16}, {"k", 4}});
      plan.home("x", piecewise ? 2 : 1).home("xt", 1).slots(2).ahead(1);
      plan.home("w", 3).slots(2).home("o", 2).slots(2).sums(2, Store::Psum);
      int64_t strips = (m + 7) / 8;
      EXPECT_EQ(traffic(graph, plan), bytes(m * 12 + strips * 12 * 24, m * 24));
    }
}

TEST(WalkTest, early_weights_take_turns) {
  GraphBuilder graph = productGraph(20, 12, 24);
  PlanBuilder plan(graph);
  plan.nest({}).nest({{"n", 8}, {"m", 8}});
  plan.home("x", 0).home("xt", 0).home("w", 1).slots(2).ahead(1);
  plan.home("o", 2).slots(2);
  EXPECT_EQ(traffic(graph, plan), bytes(20 * 12 + 12 * 24, 20 * 24));
}

TEST(WalkTest, sums_in_sbuf_and_psum_stay_on_chip) {
  for (Store store : {Store::Sbuf, Store::Psum}) {
    GraphBuilder graph = productGraph(8, 32, 16);
    PlanBuilder plan(graph);
    plan.nest({{"k", 8}}).nest({{"k", 8}});
    plan.home("x", 1).home("xt", 1).home("w", 1).slots(2);
    plan.home("o", 0).sums(0, store);
    EXPECT_EQ(traffic(graph, plan), bytes(8 * 32 + 32 * 16, 8 * 16));
  }
}

TEST(WalkTest, sums_in_hbm_come_back) {
  GraphBuilder graph = productGraph(8, 32, 16);
  PlanBuilder plan(graph);
  plan.nest({{"k", 8}}).nest({{"k", 8}});
  plan.home("x", 1).home("xt", 1).home("w", 1).slots(2).home("o", 1);
  // Four blocks of k: four stores and three loads.
  EXPECT_EQ(traffic(graph, plan),
            bytes(8 * 32 + 32 * 16 + 3 * 8 * 16, 4 * 8 * 16));
}

TEST(WalkTest, packed_rows_are_read_once) {
  GraphBuilder graph = productGraph(3, 32, 16);
  PlanBuilder plan(graph);
  plan.nest({}).nest({{"k", 8}});
  plan.home("x", 0).slots(2).packed().home("xt", 0).packed();
  plan.home("w", 1).slots(2).home("o", 0).sums(0, Store::Psum);
  EXPECT_EQ(traffic(graph, plan), bytes(3 * 32 + 32 * 16, 3 * 16));
}

TEST(WalkTest, transposed_result_is_stored) {
  GraphBuilder graph;
  graph.dim("m", 20).dim("k", 12).dim("n", 24);
  graph.matrix("xt", "k", "m", input).matrix("w", "k", "n", input);
  graph.matrix("o", "m", "n").matrix("ot", "n", "m", result);
  graph.product("o", "xt", "w", "k").transposition("ot", "o");
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}, {"n", 16}}).nest({{"m", 8}, {"n", 16}});
  plan.home("xt", 1).home("w", 2).home("o", 2).home("ot", 2);
  EXPECT_EQ(traffic(graph, plan), bytes(20 * 12 + 3 * 12 * 24, 20 * 24));
}

// Chains: m = 20, k = 12, r = 16, n = 24; strips of 8 rows.

TEST(WalkTest, strip_cache_reads_both_factors_once_a_strip) {
  GraphBuilder graph = chainGraph(20, 12, 16, 24);
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}}).nest({{"m", 8}, {"r", 8}}).nest({{"m", 8}, {"n", 16}});
  plan.home("x", 1).home("xt", 1).home("u", 2).home("yt", 1);
  plan.home("v", 2).home("o", 2);
  EXPECT_EQ(traffic(graph, plan),
            bytes(20 * 12 + 3 * (12 * 16 + 16 * 24), 20 * 24));
}

TEST(WalkTest, one_early_slot_is_refilled_behind_its_reader) {
  GraphBuilder graph = chainGraph(20, 12, 16, 24);
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}, {"k", 4}}).nest({{"m", 8}, {"r", 8}});
  plan.nest({{"m", 8}, {"n", 16}});
  plan.home("x", 2).home("xt", 1).ahead(1).home("u", 2).home("yt", 1);
  plan.home("v", 2).home("o", 2);
  EXPECT_EQ(traffic(graph, plan),
            bytes(20 * 12 + 3 * (12 * 16 + 16 * 24), 20 * 24));
}

TEST(WalkTest, recomputation_reads_u_once_a_block) {
  GraphBuilder graph = chainGraph(20, 12, 16, 24);
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}}).nest({{"m", 8}, {"n", 8}, {"r", 8}});
  plan.nest({{"m", 8}, {"n", 8}});
  plan.home("x", 1).home("xt", 1).home("u", 3).home("yt", 2);
  plan.home("v", 2).home("o", 2);
  EXPECT_EQ(traffic(graph, plan),
            bytes(20 * 12 + 3 * (3 * 12 * 16 + 16 * 24), 20 * 24));
}

TEST(WalkTest, spilled_part_is_stored_once_and_read_once_a_block) {
  GraphBuilder graph = spillGraph(20, 12, 8, 16, 24);
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}}).nest({{"m", 8}}).nest({{"m", 8}, {"rb", 8}});
  plan.nest({{"m", 8}, {"n", 8}, {"m", 4}});
  plan.home("x", 1).home("xt", 1).home("u", 0).home("ya", 1);
  plan.home("yb", 2, {2}).home("yb", 3, {3}).home("v", 2).home("o", 3);
  EXPECT_EQ(
      traffic(graph, plan),
      bytes(20 * 12 + 12 * 24 + 3 * 20 * 16 + 3 * 24 * 24, 20 * 16 + 20 * 24));
}

TEST(WalkTest, cut_chain_goes_through_hbm) {
  GraphBuilder graph = chainGraph(20, 12, 16, 24);
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}}).nest({{"m", 8}}).nest({{"n", 8}, {"m", 8}});
  plan.home("x", 1).home("xt", 1).home("u", 0).home("yt", 1, {1});
  plan.home("yt", 2, {2}).home("v", 1).home("o", 2);
  EXPECT_EQ(
      traffic(graph, plan),
      bytes(20 * 12 + 12 * 16 + 3 * 20 * 16 + 16 * 24, 20 * 16 + 20 * 24));
}

TEST(WalkTest, what_is_kept_can_be_read_from_hbm_too) {
  GraphBuilder graph;
  graph.dim("m", 20).dim("k", 12).dim("n", 8).dim("p", 8);
  graph.matrix("xt", "k", "m", input).matrix("u", "k", "n", input);
  graph.matrix("y", "n", "m", result).matrix("v", "n", "p", input);
  graph.matrix("o", "m", "p", result).matrix("q", "m", "p", result);
  graph.product("y", "u", "xt", "k").product("o", "y", "v", "n");
  graph.product("q", "y", "v", "n");
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}}).nest({{"m", 8}}).nest({{"m", 4}});
  plan.home("xt", 1).home("u", 0).home("y", 1, {0, 1}).home("y", 1, {2});
  plan.home("v", 0).home("o", 1).home("q", 1);
  EXPECT_EQ(traffic(graph, plan),
            bytes(20 * 12 + 12 * 8 + 20 * 8 + 8 * 8, 3 * 20 * 8));
}

TEST(WalkTest, what_has_no_batches_is_read_for_all_of_them) {
  GraphBuilder graph = productGraph(20, 12, 24);
  graph.dim("b", 3);
  for (const char *name : {"x", "xt", "o"})
    graph.graph.matrices[graph.matrixOf(name)].rowBatches = {graph.dimOf("b")};
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}}).nest({{"m", 8}, {"n", 16}});
  plan.home("x", 1).home("xt", 1).home("w", 0).home("o", 2).slots(2);
  EXPECT_EQ(traffic(graph, plan), bytes(3 * 20 * 12 + 12 * 24, 3 * 20 * 24));
  // In a loop it is read again, ahead of the next batch, too.
  plan.plan.homes[2].level = 1;
  EXPECT_EQ(traffic(graph, plan),
            bytes(3 * (20 * 12 + 3 * 12 * 24), 3 * 20 * 24));
  plan.plan.homes[2].level = 0;
  plan.plan.homes[2].ahead = 1;
  EXPECT_EQ(traffic(graph, plan), bytes(3 * (20 * 12 + 12 * 24), 3 * 20 * 24));
}
