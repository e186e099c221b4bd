//===- EditsTest.cpp - Edits change what they say -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Search/Edits.h"

#include "Graphs.h"
#include "gtest/gtest.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;
using Kind = Edit::Kind;

namespace {
class EditsTest : public ::testing::Test {
protected:
  EditsTest() : builder(chainGraph(1024, 1024, 512, 2048)) {
    PlanBuilder plan(builder);
    plan.nest({{"m", 512}, {"k", 256}})
        .nest({{"m", 512}, {"r", 256}})
        .nest({{"m", 512}, {"n", 512}});
    plan.home("x", 2).home("xt", 1).home("u", 2).home("yt", 1).home("v", 2);
    plan.home("o", 2).slots(2);
    schedule = {builder.graph, plan.plan};
    EXPECT_EQ(problem(), "");
  }

  std::string problem() const {
    return llvm::toString(
        schedule.plan.check(schedule.graph, defaultMachine()));
  }
  /// What the plan is after an edit, which must be legal.
  std::string edit(const Edit &edit) {
    EXPECT_TRUE(apply(edit, schedule));
    EXPECT_EQ(problem(), "");
    return printPlan(schedule.graph, schedule.plan);
  }
  enum Homes : unsigned { x, xt, u, yt, v, o };
  unsigned m = 0, k = 1, r = 2, n = 3;

  GraphBuilder builder;
  Schedule schedule;
};
} // namespace

TEST_F(EditsTest, blocks_change_in_all_nests_that_share_them) {
  EXPECT_EQ(edit({Kind::Block, 1, 0, 0, 0, 256}),
            "nests = [xt (m = 256, k = 256), yt (m = 256, r = 256), o (m = "
            "256, n = 512)], homes = [x at k, xt at m, u at r, yt at m, v at "
            "n, o at n slots 2]");
}

TEST_F(EditsTest, blocks_change_in_one_nest) {
  EXPECT_EQ(edit({Kind::BlockHere, 2, 0, 1, 0, 128}),
            "nests = [xt (m = 512, k = 256), yt (m = 512, r = 256), o (m = "
            "512, n = 128)], homes = [x at k, xt at m, u at r, yt at m, v at "
            "n, o at n slots 2]");
}

TEST_F(EditsTest, a_contraction_in_blocks_has_sums_in_sbuf) {
  EXPECT_EQ(edit({Kind::Insert, 1, 0, 1, k, 512}),
            "nests = [xt (m = 512, k = 512, k = 256), yt (m = 512, k = 512, r "
            "= 256), o (m = 512, n = 512)], homes = [x at k.1, xt at k, u at "
            "r, yt at m sums at m in sbuf f32, v at n, o at n slots 2]");
  EXPECT_EQ(edit({Kind::Remove, 1, 0, 1}),
            "nests = [xt (m = 512, k = 256), yt (m = 512, r = 256), o (m = "
            "512, n = 512)], homes = [x at k, xt at m, u at r, yt at m, v at "
            "n, o at n slots 2]");
}

TEST_F(EditsTest, an_intermediate_passes_by) {
  EXPECT_EQ(edit({Kind::Insert, 2, 0, 1, r, 256}),
            "nests = [xt (m = 512, k = 256), yt (m = 512, r = 256, r = 256), "
            "o (m = 512, r = 256, n = 512)], homes = [x at k, xt at m, u at "
            "r.1, yt at r, v at n, o at m slots 2 sums at m in sbuf f32]");
}

TEST_F(EditsTest, loops_change_places) {
  apply({Kind::Spill, 0, yt}, schedule);
  EXPECT_EQ(edit({Kind::Swap, 2, 0, 0}),
            "nests = [xt (m = 512, k = 256), yt (m = 512, r = 256), o (n = "
            "512, m = 512)], homes = [x at k, xt at m, u at r, yt at r slots "
            "2 for yt, v at m, o at m slots 2, yt at n for o]");
}

TEST_F(EditsTest, sums_stay_in_psum) {
  EXPECT_EQ(edit({Kind::PsumSums, 2, 0, 0, 0, 128}),
            "nests = [xt (m = 512, k = 256), yt (m = 512, r = 256), o (m = "
            "512, n = 512, r = 128)], homes = [x at k, xt at m, u at r, yt at "
            "m, v at r, o at n slots 2 sums at n in psum]");
  EXPECT_EQ(edit({Kind::PsumSums, 2}),
            "nests = [xt (m = 512, k = 256), yt (m = 512, r = 256), o (m = "
            "512, n = 512)], homes = [x at k, xt at m, u at r, yt at m, v at "
            "n, o at n slots 2]");
}

TEST_F(EditsTest, pieces_follow_the_sums) {
  edit({Kind::Block, 0, 0, 1, 0, 384});
  edit({Kind::PsumSums, 1, 0, 0, 0, 256});
  EXPECT_EQ(schedule.plan.nests[0].loops[1].block, 256);
}

TEST_F(EditsTest, homes_move) {
  EXPECT_EQ(edit({Kind::Slots, 0, v, 0, 0, 4}),
            "nests = [xt (m = 512, k = 256), yt (m = 512, r = 256), o (m = "
            "512, n = 512)], homes = [x at k, xt at m, u at r, yt at m, v at "
            "n slots 4, o at n slots 2]");
  EXPECT_EQ(edit({Kind::Level, 0, v}),
            "nests = [xt (m = 512, k = 256), yt (m = 512, r = 256), o (m = "
            "512, n = 512)], homes = [x at k, xt at m, u at r, yt at m, v at "
            "kernel, o at n slots 2]");
  EXPECT_EQ(edit({Kind::Prefetch, 0, xt, 1, 0, 2}),
            "nests = [xt (m = 512, k = 256), yt (m = 512, r = 256), o (m = "
            "512, n = 512)], homes = [x at k, xt at m slots 2 ahead 1, u at r, "
            "yt at m, v at kernel, o at n slots 2]");
}

TEST_F(EditsTest, weights_become_wider_inside_of_the_loops_of_their_reader) {
  builder = GraphBuilder()
                .dim("m", 1)
                .dim("k", 1024)
                .dim("n", 2048)
                .matrix("xt", "k", "m", input)
                .matrix("c", "k", "n", input, ElementType::I8)
                .matrix("w", "k", "n")
                .matrix("ot", "n", "m", result);
  Stage widening{builder.matrixOf("w")};
  Expression &copy = widening.expression;
  copy.values = {{Value::Kind::Matrix, builder.matrixOf("c")},
                 {Value::Kind::Apply, 0, 0, Function::Copy, {0}}};
  builder.graph.stages.push_back(widening);
  builder.product("ot", "w", "xt", "k");
  PlanBuilder plan(builder);
  plan.nest({{"n", 512}}).nest({{"n", 512}});
  plan.home("xt", 0).home("c", 1).home("w", 1).home("ot", 0);
  schedule = {builder.graph, plan.plan};
  enum Homes : unsigned { xt, c, w, ot };
  EXPECT_EQ(edit({Kind::PsumSums, 1, 0, 0, 0, 256}),
            "nests = [w (n = 512), ot (n = 512, k = 256)], homes = [xt at "
            "kernel, c at n, w at n, ot at kernel sums at n in psum]");
  EXPECT_EQ(edit({Kind::Prefetch, 0, w, 2, 0, 2}),
            "nests = [w (n = 512, k = 256), ot (n = 512, k = 256)], homes = "
            "[xt at kernel, c at k, w at k slots 2 ahead 1, ot at kernel sums "
            "at n in psum]");
  EXPECT_EQ(edit({Kind::Level, 0, w, 1}),
            "nests = [w (n = 512, k = 256), ot (n = 512, k = 256)], homes = "
            "[xt at kernel, c at k, w at n, ot at kernel sums at n in psum]");
}

TEST_F(EditsTest, intermediates_go_through_hbm_and_come_back) {
  EXPECT_EQ(edit({Kind::Spill, 0, yt}),
            "nests = [xt (m = 512, k = 256), yt (m = 512, r = 256), o (m = "
            "512, n = 512)], homes = [x at k, xt at m, u at r, yt at r slots "
            "2 for yt, v at n, o at n slots 2, yt at m for o]");
  EXPECT_EQ(edit({Kind::Keep, 0, yt}),
            "nests = [xt (m = 512, k = 256), yt (m = 512, r = 256), o (m = "
            "512, n = 512)], homes = [x at k, xt at m, u at r, v at n, o at n "
            "slots 2, yt at m]");
}

TEST_F(EditsTest, rows_are_packed_and_numbered) {
  EXPECT_EQ(edit({Kind::Pack, 0}),
            "nests = [xt (), yt (m = 512, r = 256), o (m = 512, n = 512)], "
            "homes = [x at kernel slots 2 packed, xt at kernel packed, u at "
            "r, yt at m, v at n, o at n slots 2]");
  apply({Kind::Level, 0, u}, schedule);
  EXPECT_EQ(edit({Kind::Number, 0, 0, 0, k}),
            "nests = [xt (), yt (m = 512, r = 256), o (m = 512, n = 512)], "
            "homes = [xt at kernel packed, u at kernel, yt at m, v at n, o at "
            "n slots 2], interleaved = [k]");
}

TEST_F(EditsTest, what_the_dma_transposes_is_not_numbered) {
  EXPECT_TRUE(apply({Kind::Transposer, 0}, schedule));
  EXPECT_TRUE(apply({Kind::Number, 0, 0, 0, m}, schedule));
  EXPECT_NE(schedule.plan.homeOf(x, /*nest=*/0), nullptr);
}

TEST_F(EditsTest, the_dma_transposes) {
  EXPECT_TRUE(apply({Kind::Transposer, 0}, schedule));
  EXPECT_EQ(llvm::toString(
                schedule.plan.check(schedule.graph, *findKnownMachine("trn2"))),
            "");
  EXPECT_EQ(schedule.plan.nests[0].loops.size(), 1u);
  EXPECT_EQ(schedule.plan.homeOf(0, 0), nullptr);
  edit({Kind::Transposer, 0, 0, 0, 0, 256});
  EXPECT_EQ(schedule.plan.nests[0].loops.size(), 2u);
}

TEST_F(EditsTest, banks_of_tiles) {
  EXPECT_EQ(edit({Kind::Banks, 2, 0, 0, 0, 2}),
            "nests = [xt (m = 512, k = 256), yt (m = 512, r = 256), o (m = "
            "512, n = 512) banks 2], homes = [x at k, xt at m, u at r, yt at "
            "m, v at n, o at n slots 2]");
}

TEST_F(EditsTest, engines_of_nests) {
  EXPECT_EQ(edit({Kind::Engine, 1, 0, 0, 0, int64_t(RowEngine::Scalar)}),
            "nests = [xt (m = 512, k = 256), yt (m = 512, r = 256) on scalar, "
            "o (m = 512, n = 512)], homes = [x at k, xt at m, u at r, yt at m, "
            "v at n, o at n slots 2]");
  EXPECT_EQ(edit({Kind::Engine, 1, 0, 0, 0, int64_t(RowEngine::Any)}),
            "nests = [xt (m = 512, k = 256), yt (m = 512, r = 256), o (m = "
            "512, n = 512)], homes = [x at k, xt at m, u at r, yt at m, v at "
            "n, o at n slots 2]");
}

/// Where rows are reduced VectorE and ScalarE have much to do: the nests that
/// leave them a choice are listed with each of the others.
TEST_F(EditsTest, engines_are_listed_for_reductions) {
  auto enginesOf = [&] {
    std::vector<std::pair<unsigned, RowEngine>> found;
    for (const Edit &edit : editsOf(schedule, defaultMachine()))
      if (edit.kind == Kind::Engine)
        found.emplace_back(edit.nest, RowEngine(edit.value));
    return found;
  };
  EXPECT_TRUE(enginesOf().empty());
  builder = GraphBuilder()
                .dim("m", 256)
                .dim("n", 512)
                .dim("one", 1)
                .matrix("x", "m", "n", input)
                .matrix("e", "m", "n")
                .matrix("l", "m", "one", Role::Intermediate, ElementType::F32)
                .matrix("o", "m", "n", result);
  Graph &graph = builder.graph;
  Stage squares{1}, sum{2}, scaled{3};
  squares.expression.apply(Function::Square, {squares.expression.addMatrix(0)},
                           ElementType::BF16);
  sum.expression.addMatrix(1);
  sum.reduction = {Function::Add, builder.dimOf("n")};
  scaled.expression.apply(
      Function::Mul,
      {scaled.expression.addMatrix(1), scaled.expression.addMatrix(2)},
      ElementType::BF16);
  graph.stages = {squares, sum, scaled};
  EXPECT_EQ(llvm::toString(graph.check()), "");
  PlanBuilder plan(builder);
  plan.nest({{"m", 128}}).nest({{"m", 128}}).nest({{"m", 128}});
  plan.home("x", 1).home("e", 1).home("l", 1).home("o", 1);
  plan.plan.nests[2].engine = RowEngine::Vector;
  schedule = {graph, plan.plan};
  EXPECT_EQ(problem(), "");
  // Functions are for ScalarE alone, reductions for VectorE.
  EXPECT_EQ(enginesOf(), (std::vector<std::pair<unsigned, RowEngine>>{
                             {2, RowEngine::Any}, {2, RowEngine::Scalar}}));
}

TEST_F(EditsTest, what_cannot_be_is_refused) {
  EXPECT_FALSE(apply({Kind::Block, 7, 0, 0, 0, 128}, schedule));
  EXPECT_FALSE(apply({Kind::Block, 0, 0, 5, 0, 128}, schedule));
  EXPECT_FALSE(apply({Kind::Remove, 0, 0, 2}, schedule));
  EXPECT_FALSE(apply({Kind::Swap, 0, 0, 1}, schedule));
  EXPECT_FALSE(apply({Kind::Level, 0, v, 5}, schedule));
  EXPECT_FALSE(apply({Kind::PsumSums, 0, 0, 0, 0, 128}, schedule));
  EXPECT_FALSE(apply({Kind::PsumSums, 1}, schedule));
  EXPECT_FALSE(apply({Kind::Spill, 0, v}, schedule));
  EXPECT_FALSE(apply({Kind::Keep, 0, x}, schedule));
  EXPECT_FALSE(apply({Kind::Pack, 1}, schedule));
}

TEST_F(EditsTest, words) {
  auto words = [&](const Edit &edit) { return search::print(edit, schedule); };
  EXPECT_EQ(words({Kind::Slots, 0, v, 0, 0, 4}), "v slots 4");
  EXPECT_EQ(words({Kind::Level, 0, v, 1}), "v at m");
  EXPECT_EQ(words({Kind::Prefetch, 0, v, 2, 0, 2}), "v at n slots 2 ahead 1");
  EXPECT_EQ(words({Kind::Block, 1, 0, 0, 0, 256}),
            "m = 256 in yt and beside it");
  EXPECT_EQ(words({Kind::BlockHere, 2, 0, 1, 0, 128}), "n = 128 in o");
  EXPECT_EQ(words({Kind::Insert, 1, 0, 1, k, 512}),
            "loop k = 512 at depth 1 of yt");
  EXPECT_EQ(words({Kind::Remove, 1, 0, 1}), "no loop r in yt");
  EXPECT_EQ(words({Kind::Swap, 2, 0, 0}), "loop m inside of n in o");
  EXPECT_EQ(words({Kind::PsumSums, 2, 0, 0, 0, 128}),
            "sums of o in psum for 128");
  EXPECT_EQ(words({Kind::PsumSums, 2}), "no sums of o in psum");
  EXPECT_EQ(words({Kind::Spill, 0, yt}), "yt through HBM");
  EXPECT_EQ(words({Kind::Keep, 0, yt}), "yt on chip");
  EXPECT_EQ(words({Kind::Pack, 0}), "xt packed");
  EXPECT_EQ(words({Kind::Transposer, 0}), "xt transposed by the DMA");
  EXPECT_EQ(words({Kind::Number, 0, 0, 0, k}), "k interleaved");
  EXPECT_EQ(words({Kind::Banks, 1, 0, 0, 0, 2}), "yt banks 2");
  EXPECT_EQ(words({Kind::Engine, 1, 0, 0, 0, int64_t(RowEngine::Scalar)}),
            "yt on scalar");
  EXPECT_EQ(words({Kind::Engine, 1, 0, 0, 0, int64_t(RowEngine::Vector)}),
            "yt on vector");
  EXPECT_EQ(words({Kind::Engine, 1, 0, 0, 0, int64_t(RowEngine::Any)}),
            "yt on any engine");
  EXPECT_EQ(words({Kind::Jam, 0, 0, 0, 0, 4}), "jam = 4");
  EXPECT_EQ(words({Kind::Jam, 0, 0, 2, 0, 4}), "jam = 4 staggered 2");
  EXPECT_EQ(words({Kind::Stack, 0, 0, 0, m}), "m stacked");
  EXPECT_EQ(words({Kind::Whole, 0, u}), "u whole");
  EXPECT_EQ(words({Kind::Apart, 0, u}), "u apart");
  EXPECT_TRUE(apply({Kind::Stack, 0, 0, 0, m}, schedule));
  EXPECT_TRUE(apply({Kind::Whole, 0, u}, schedule));
  EXPECT_TRUE(apply({Kind::Apart, 0, u}, schedule));
  EXPECT_EQ(words({Kind::Stack, 0, 0, 0, m}), "nothing stacked");
  EXPECT_EQ(words({Kind::Whole, 0, u}), "u not whole");
  EXPECT_EQ(words({Kind::Apart, 0, u}), "u not apart");
}

/// Edits of edits of edits leave plans of which `plan_c1` holds.
TEST_F(EditsTest, keep_plans_sound) {
  unsigned random = 1, legal = 0;
  for (int i = 0; i < 2000; ++i) {
    Schedule other = schedule;
    for (int left = 3; left; --left) {
      std::vector<Edit> edits = editsOf(other, *findKnownMachine("trn2"));
      ASSERT_FALSE(edits.empty());
      random = random * 1103515245 + 12345;
      const Edit &edit = edits[(random >> 8) % edits.size()];
      std::string words = search::print(edit, other);
      if (!apply(edit, other))
        break;
      ASSERT_EQ(llvm::toString(other.plan.checkNumbers(other.graph)), "")
          << words;
    }
    legal += !llvm::errorToBool(
        other.plan.check(other.graph, *findKnownMachine("trn2")));
  }
  EXPECT_GT(legal, 400u);
}
