//===- WalkAheadTest.cpp - When the next strip is filled ------------------===//
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
/// The order in which the stages work; the plan must be legal and right.
std::string order(const GraphBuilder &graph, const PlanBuilder &builder) {
  Machine machine = smallMachine(4, 8);
  Schedule schedule{graph.graph, builder.plan};
  if (llvm::Error error = schedule.graph.check())
    ADD_FAILURE() << llvm::toString(std::move(error));
  if (llvm::Error error = schedule.plan.check(schedule.graph, machine)) {
    ADD_FAILURE() << llvm::toString(std::move(error));
    return "";
  }
  WalkRunner runner(schedule, machine);
  EXPECT_EQ(runner.run(), "");
  return runner.order;
}

/// X^T comes ahead in pieces of four rows, and O reads it in such pieces.
PlanBuilder earlyProduct(const GraphBuilder &graph, int64_t slots,
                         int64_t columns = 8) {
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}, {"k", 4}}).nest({{"m", 8}, {"n", columns}, {"k", 4}});
  plan.home("x", 2).home("xt", 1).slots(slots).ahead(1);
  plan.home("w", 3).home("o", 2).sums(2, Store::Psum);
  return plan;
}

/// Two products read X^T.
GraphBuilder twoReaders(int64_t m) {
  GraphBuilder graph;
  graph.dim("m", m).dim("k", 8).dim("n", 8).dim("p", 8);
  graph.matrix("x", "m", "k", input).matrix("xt", "k", "m");
  graph.matrix("w", "k", "n", input).matrix("v", "k", "p", input);
  graph.matrix("o", "m", "n", result).matrix("q", "m", "p", result);
  graph.transposition("xt", "x").product("o", "xt", "w", "k");
  graph.product("q", "xt", "v", "k");
  return graph;
}
} // namespace

TEST(WalkAheadTest, first_strip_is_streamed) {
  GraphBuilder graph = productGraph(8, 12, 8);
  EXPECT_EQ(order(graph, earlyProduct(graph, 2)), "xt o xt o");
}

TEST(WalkAheadTest, ragged_pieces_are_streamed) {
  GraphBuilder graph = productGraph(8, 11, 24);
  EXPECT_EQ(order(graph, earlyProduct(graph, 2)), "xt o xt o");
}

TEST(WalkAheadTest, one_slot_is_refilled_behind_the_last_block) {
  // Two pieces ahead of the first block, and one behind each of the last.
  GraphBuilder graph = productGraph(16, 8, 16);
  EXPECT_EQ(order(graph, earlyProduct(graph, 1)), "xt o xt o xt o");
}

TEST(WalkAheadTest, one_slot_is_refilled_behind_the_only_block) {
  GraphBuilder graph = productGraph(16, 8, 8);
  EXPECT_EQ(order(graph, earlyProduct(graph, 1)), "xt o xt o xt o");
}

TEST(WalkAheadTest, ragged_strips_blocks_and_pieces_are_refilled) {
  for (int64_t m : {8, 12, 17, 24, 30})
    for (int64_t k : {3, 4, 7, 8, 18})
      for (int64_t n : {5, 8, 16, 20, 29})
        for (int64_t columns : {4, 8, 16})
          for (int64_t slots : {1, 2}) {
            GraphBuilder graph = productGraph(m, k, n);
            if (k >= 4 && n >= columns)
              order(graph, earlyProduct(graph, slots, columns));
          }
}

TEST(WalkAheadTest, one_slot_with_two_readers_is_refilled_behind_both) {
  GraphBuilder graph = twoReaders(16);
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}, {"k", 4}}).nest({{"m", 8}, {"k", 4}});
  plan.nest({{"m", 8}, {"k", 4}}).home("x", 2).home("xt", 1).ahead(1);
  plan.home("w", 2).home("v", 2);
  plan.home("o", 1).sums(1, Store::Psum).home("q", 1).sums(1, Store::Psum);
  EXPECT_EQ(order(graph, plan), "xt o q xt o q");
}

TEST(WalkAheadTest, one_slot_is_stored_before_it_is_refilled) {
  GraphBuilder graph = productGraph(16, 8, 8);
  graph.graph.matrices[graph.matrixOf("xt")].role = result;
  EXPECT_EQ(order(graph, earlyProduct(graph, 1)), "xt o xt o");
}

TEST(WalkAheadTest, one_slot_is_not_refilled_in_loops_that_its_reader_shares) {
  GraphBuilder graph;
  graph.dim("m", 16).dim("k", 8).dim("r", 16);
  graph.matrix("x", "m", "k", input).matrix("xt", "k", "m");
  graph.matrix("u", "k", "r", input).matrix("yt", "r", "m");
  graph.matrix("o", "m", "r", result);
  graph.transposition("xt", "x").product("yt", "u", "xt", "k");
  graph.transposition("o", "yt");
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}, {"k", 4}}).nest({{"m", 8}, {"r", 4}});
  plan.nest({{"m", 8}, {"r", 4}});
  plan.home("x", 2).home("xt", 1).ahead(1).home("u", 2).home("yt", 2);
  plan.home("o", 2);
  EXPECT_EQ(order(graph, plan), "xt yt o yt o yt o yt o xt "
                                "yt o yt o yt o yt o");
}

TEST(WalkAheadTest, inputs_are_refilled_behind_their_reader_only) {
  // W is read by the second nest of the loop.
  GraphBuilder graph;
  graph.dim("m", 8).dim("k", 8).dim("r", 8).dim("n", 16);
  graph.matrix("xt", "k", "m", input).matrix("u", "k", "n", input);
  graph.matrix("w", "k", "n", input);
  graph.matrix("o", "m", "n", result).matrix("q", "m", "n", result);
  graph.product("o", "xt", "u", "k").product("q", "o", "w", "k");
  graph.graph.stages[1].terms[0].left = graph.matrixOf("xt");
  PlanBuilder plan(graph);
  plan.nest({{"n", 8}, {"k", 4}}).nest({{"n", 8}, {"k", 4}});
  plan.home("xt", 1).home("u", 2).home("w", 1).ahead(1);
  plan.home("o", 1).sums(1, Store::Psum).home("q", 1).sums(1, Store::Psum);
  EXPECT_EQ(order(graph, plan), "o q o q");
}

TEST(WalkAheadTest, intermediates_come_ahead_from_hbm_and_loops_in_turn) {
  for (int64_t slots : {1, 2}) {
    GraphBuilder graph = chainGraph(20, 12, 16, 24);
    PlanBuilder plan(graph);
    plan.nest({{"m", 8}, {"k", 4}}).nest({{"m", 8}, {"r", 8}, {"k", 4}});
    plan.nest({{"m", 8}, {"n", 8}, {"r", 4}});
    plan.home("x", 2).home("xt", 1).slots(slots).ahead(1).home("u", 3);
    plan.home("yt", 2, {1}).sums(2, Store::Psum);
    plan.home("yt", 1, {2}).slots(slots).ahead(1).home("v", 3);
    plan.home("o", 2).sums(2, Store::Psum);
    order(graph, plan);
  }
}

TEST(WalkAheadTest, products_run_ahead_in_pieces) {
  // Two blocks of rows of Y^T, one beside each block of columns of O.
  GraphBuilder graph = chainGraph(16, 8, 8, 16);
  PlanBuilder plan(graph);
  plan.nest({}).nest({{"m", 8}, {"r", 4}}).nest({{"m", 8}, {"n", 8}});
  plan.home("x", 0).home("xt", 0).home("u", 0);
  plan.home("yt", 1).slots(2).ahead(1).home("v", 0).home("o", 2);
  EXPECT_EQ(order(graph, plan), "xt yt o yt o yt o");
}

TEST(WalkAheadTest, blocks_of_a_nest_are_put_together_to_pieces) {
  GraphBuilder graph = chainGraph(16, 8, 8, 16);
  PlanBuilder plan(graph);
  plan.nest({}).nest({{"m", 8}, {"r", 4}}).nest({{"m", 8}, {"n", 8}});
  plan.home("x", 0).home("xt", 0).home("u", 0);
  plan.home("yt", 1).slots(2).ahead(1, 1).home("v", 0).home("o", 2);
  EXPECT_EQ(order(graph, plan), "xt yt o yt o");
}

TEST(WalkAheadTest, nests_run_ahead_of_each_other) {
  // X^T of strip i + 2 and Y^T of strip i + 1 beside O of strip i; beside the
  // first one those of strip 1, too.
  GraphBuilder graph = chainGraph(40, 8, 8, 16);
  for (int64_t slots : {2, 3}) {
    PlanBuilder plan(graph);
    plan.nest({{"m", 8}}).nest({{"m", 8}}).nest({{"m", 8}, {"n", 8}});
    plan.home("x", 1).slots(2).home("xt", 1).slots(slots).ahead(2);
    plan.home("u", 0).home("yt", 1).slots(2).ahead(1);
    plan.home("v", 0).home("o", 2);
    EXPECT_EQ(order(graph, plan),
              "xt yt o xt o xt yt o xt o yt o xt o yt o yt o");
  }
}

TEST(WalkAheadTest, nests_catch_up_in_order_if_their_readers_share_loops) {
  // Few iterations hold both readers: strips of X must not come behind Y^T
  // beside them, if those of X^T, which are computed of them, come before.
  for (int64_t m : {24, 32, 48, 64, 100})
    for (int64_t block : {4, 8, 16})
      for (unsigned ahead : {1, 2}) {
        GraphBuilder graph = chainGraph(m, 8, 8, 16);
        PlanBuilder plan(graph);
        plan.nest({{"m", 16}}).nest({{"m", 16}, {"m", block}});
        plan.nest({{"m", 16}, {"m", block}, {"n", 8}});
        plan.home("x", 1).slots(ahead + 1).ahead(ahead + 1);
        plan.home("xt", 1).slots(ahead + 1).ahead(ahead);
        plan.home("u", 0).home("yt", 2).home("v", 0).home("o", 3);
        order(graph, plan);
      }
}

namespace {
/// O = X^T * U * V, and Q = Z^T * W.
GraphBuilder twoChains() {
  GraphBuilder graph;
  graph.dim("m", 16).dim("k", 8).dim("r", 8).dim("n", 16).dim("l", 8);
  graph.matrix("xt", "k", "m", input).matrix("u", "k", "r", input);
  graph.matrix("v", "r", "n", input).matrix("yt", "r", "m");
  graph.matrix("z", "m", "l", input).matrix("zt", "l", "m");
  graph.matrix("w", "l", "n", input).matrix("o", "m", "n", result);
  graph.matrix("q", "m", "n", result);
  graph.product("yt", "u", "xt", "k").product("o", "yt", "v", "r");
  graph.transposition("zt", "z").product("q", "zt", "w", "l");
  return graph;
}
} // namespace

TEST(WalkAheadTest, what_runs_ahead_stands_anywhere_in_the_loop) {
  GraphBuilder graph;
  graph.dim("m", 16).dim("k", 8).dim("n", 8);
  graph.matrix("z", "k", "m", input).matrix("w", "k", "n", input);
  graph.matrix("x", "m", "k", input).matrix("xt", "k", "m");
  graph.matrix("o", "m", "n", result).matrix("q", "m", "n", result);
  graph.product("o", "z", "w", "k").transposition("xt", "x");
  graph.product("q", "xt", "w", "k");
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}}).nest({{"m", 8}, {"k", 4}}).nest({{"m", 8}});
  plan.home("z", 1).home("w", 1).home("o", 1).home("x", 1);
  plan.home("xt", 1).slots(2).ahead(1).home("q", 1);
  EXPECT_EQ(order(graph, plan), "xt o xt q xt o q");
}

TEST(WalkAheadTest, a_second_chain_comes_beside_the_first_one) {
  GraphBuilder graph = twoChains();
  PlanBuilder plan(graph);
  plan.nest({{"m", 8}}).nest({{"m", 8}}).nest({{"l", 4}}).nest({{"m", 8}});
  plan.home("xt", 1).slots(2).ahead(1).home("u", 0).home("yt", 1);
  plan.home("v", 0).home("o", 1).home("z", 1).home("zt", 0).ahead(1);
  plan.home("w", 0).ahead(1, 2).home("q", 1);
  EXPECT_EQ(order(graph, plan), "yt o zt yt o zt q");
}
