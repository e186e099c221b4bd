//===- GraphTest.cpp - Graphs and plans as data ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What can be written as text is refused in test/Dialect/Trn/schedule-*.mlir.
//
//===----------------------------------------------------------------------===//

#include "Graphs.h"
#include "trn/Planning/Legalize.h"
#include "trn/Planning/PrintSchedule.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

static std::string refusal(const Graph &graph) {
  return llvm::toString(graph.check());
}

TEST(GraphTest, names_take_no_part_in_equality) {
  Graph one = productGraph(8, 8, 8).graph, other = one;
  other.dims[0].name = "rows";
  EXPECT_EQ(one, other);
  EXPECT_EQ(hash_value(one), hash_value(other));
  EXPECT_FALSE(areIdentical(one, other));
  EXPECT_TRUE(areIdentical(one, one));
}

TEST(GraphTest, sizes_types_and_roles_do) {
  Graph graph = productGraph(8, 8, 8).graph;
  EXPECT_FALSE(graph == productGraph(8, 8, 9).graph);
  Graph typed = graph;
  typed.matrices[0].type = ElementType::F32;
  EXPECT_FALSE(graph == typed);
  EXPECT_NE(hash_value(graph), hash_value(typed));
}

TEST(GraphTest, graph_c1__unknown_dim_of_a_matrix) {
  Graph graph = productGraph(8, 8, 8).graph;
  graph.matrices[0].columns = 3;
  EXPECT_EQ(refusal(graph), "matrix x must have two different dims");
}

TEST(GraphTest, graph_c1__unknown_dim_of_a_term) {
  Graph graph = productGraph(8, 8, 8).graph;
  graph.stages[1].terms[0].over = 3;
  EXPECT_EQ(refusal(graph),
            "a stage uses a matrix or a dim that does not exist");
}

TEST(GraphTest, graph_c1__unknown_matrix_of_a_stage) {
  Graph graph = productGraph(8, 8, 8).graph;
  graph.stages[0].source = 4;
  EXPECT_EQ(refusal(graph),
            "a stage uses a matrix or a dim that does not exist");
}

TEST(GraphTest, graph_c5__part_of_an_unknown_dim) {
  Graph graph = productGraph(8, 8, 8).graph;
  graph.dims[0].of = 3;
  EXPECT_EQ(refusal(graph), "dim m must be a part of a dim that is whole");
}

namespace {
class PlanNumbersTest : public ::testing::Test {
protected:
  PlanNumbersTest() : graph(productGraph(8, 8, 8)), builder(graph) {
    builder.nest({{"m", 4}}).nest({{"m", 4}});
    builder.home("x", 1).home("xt", 1).home("w", 0).home("o", 1);
    plan = builder.plan;
  }
  std::string refusal() {
    return llvm::toString(plan.checkNumbers(graph.graph));
  }

  GraphBuilder graph;
  PlanBuilder builder;
  Plan plan;
};
} // namespace

TEST_F(PlanNumbersTest, accepts_what_exists) { EXPECT_EQ(refusal(), ""); }

TEST_F(PlanNumbersTest, plan_c1__unknown_dim_of_a_loop) {
  plan.nests[1].loops[0].dim = 3;
  EXPECT_EQ(refusal(),
            "the nest of o has a loop over a dim that does not exist");
}

TEST_F(PlanNumbersTest, plan_c1__unknown_matrix) {
  plan.homes[0].matrix = 4;
  EXPECT_EQ(refusal(), "a home is for a matrix that does not exist");
}

TEST_F(PlanNumbersTest, plan_c1__no_nest) {
  plan.homes[0].nests.clear();
  EXPECT_EQ(refusal(), "a home of x serves no nest");
}

TEST_F(PlanNumbersTest, plan_c1__unknown_nest) {
  plan.homes[0].nests = {2};
  EXPECT_EQ(refusal(), "a home of x must name nests that exist, once and in "
                       "their order");
}

TEST_F(PlanNumbersTest, plan_c1__too_deep) {
  plan.homes[0].level = 2;
  EXPECT_EQ(refusal(), "the home of x lies inside of 2 loops, but the nest of "
                       "xt has 1");
}

TEST_F(PlanNumbersTest, plan_c1__sums_too_deep) {
  plan.homes[3].sums = Sums{2};
  EXPECT_EQ(refusal(), "the home of o lies inside of 2 loops, but the nest of "
                       "o has 1");
}

TEST_F(PlanNumbersTest, type_of_sums_in_psum_is_no_difference) {
  Plan other = plan;
  plan.homes[3].sums = Sums{0, Store::Psum, ElementType::F32};
  other.homes[3].sums = Sums{0, Store::Psum, ElementType::BF16};
  EXPECT_EQ(plan, other);
  EXPECT_EQ(hash_value(plan), hash_value(other));
}

/// o = function(x * w), of which x has been turned.
static Graph expressionGraph() {
  Graph graph = productGraph(8, 8, 8).graph;
  Expression &expression = graph.stages.back().expression;
  expression.apply(Function::Exp, expression.addSum(0), ElementType::BF16);
  return graph;
}

TEST(GraphTest, graph_c8__two_sums_without_an_expression) {
  Graph graph = productGraph(8, 8, 8).graph;
  graph.stages.back().terms.push_back(graph.stages.back().terms.front());
  graph.stages.back().terms.back().sum = 1;
  EXPECT_EQ(refusal(graph),
            "o is the first of 2 sums, so the others are for nothing");
}

TEST(GraphTest, graph_c8__unknown_sum) {
  Graph graph = expressionGraph();
  graph.stages.back().expression.values.front().number = 1;
  EXPECT_EQ(refusal(graph), "o uses sum 1, but has 1");
}

TEST(GraphTest, graph_c8__unused_sum) {
  Graph graph = expressionGraph();
  graph.stages.back().terms.push_back(graph.stages.back().terms.front());
  graph.stages.back().terms.back().sum = 1;
  EXPECT_EQ(refusal(graph), "o does not depend on all of its sums");
}

TEST(GraphTest, graph_c8__ends_with_a_sum) {
  Graph graph = expressionGraph();
  graph.stages.back().expression.values.pop_back();
  EXPECT_EQ(refusal(graph), "the expression of o must end with a function");
}

TEST(GraphTest, graph_c8__argument_behind_its_function) {
  Graph graph = expressionGraph();
  graph.stages.back().expression.values.back().arguments = {1};
  EXPECT_EQ(refusal(graph),
            "exp in o takes 1 values, which come before it, but "
            "has 1");
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

TEST(LegalizeTest, weights_are_turned_behind_what_has_strips) {
  Graph graph = legalize(turnedGating(), TransposeMode::Implicit);
  std::vector<std::string> order;
  for (const Stage &stage : graph.stages)
    order.push_back(graph.matrices[stage.result].name);
  EXPECT_EQ(order, (std::vector<std::string>{"xt", "ct", "wt", "ut", "o"}));
}

static std::vector<std::string>
legalStages(const Graph &graph, TransposeMode mode = TransposeMode::Explicit) {
  Graph legal = legalize(graph, mode);
  EXPECT_FALSE(llvm::errorToBool(legal.check()));
  std::vector<std::string> printed;
  for (const Stage &stage : legal.stages) {
    llvm::raw_string_ostream os(printed.emplace_back());
    printStage(os, legal, stage);
  }
  return printed;
}

/// A chain whose intermediate, computed as its transpose, gets `size` biases.
static std::vector<std::string> biasedStages(int64_t size) {
  GraphBuilder builder = chainSource(4, 128, size, 256);
  builder.dim("one", 1).matrix("b", "one", "r", input);
  Expression &of = builder.graph.stages.front().expression;
  of.apply(Function::Add, {of.addSum(0), of.addMatrix(builder.matrixOf("b"))},
           ElementType::BF16);
  return legalStages(builder.graph, TransposeMode::Implicit);
}

/// An element of a column is a piece of its own for the DMA. The vector comes
/// first, as what has strips shares loops with what reads it.
TEST(LegalizeTest, long_vectors_are_transposed_to_columns) {
  EXPECT_EQ(biasedStages(512),
            (std::vector<std::string>{"bt = transpose b", "xt = transpose x",
                                      "yt = add([u * xt over k], bt)",
                                      "o = yt * v over r"}));
}

TEST(LegalizeTest, vectors_of_few_tiles_are_columns) {
  for (int64_t size : {384, 600})
    EXPECT_EQ(biasedStages(size)[1], "yt = add([u * xt over k], b)");
}

/// `y = mul(bf16(add(a, c)), g)`, which a product reads; `c` is a column.
static GraphBuilder gainedRows() {
  GraphBuilder builder;
  builder.dim("m", 256).dim("k", 256).dim("n", 512).dim("one", 1);
  builder.matrix("a", "m", "k", input).matrix("c", "m", "one", input);
  builder.matrix("g", "one", "k", input).matrix("y", "m", "k");
  builder.matrix("w", "k", "n", input).matrix("o", "m", "n", result);
  builder.graph.stages.push_back({builder.matrixOf("y")});
  Expression &of = builder.graph.stages.back().expression;
  unsigned sum = of.apply(Function::Add,
                          {of.addMatrix(builder.matrixOf("a")),
                           of.addMatrix(builder.matrixOf("c"))},
                          ElementType::BF16);
  of.apply(Function::Mul, {sum, of.addMatrix(builder.matrixOf("g"))},
           ElementType::BF16);
  return builder.product("o", "y", "w", "k");
}

TEST(LegalizeTest, vectors_wait_for_the_transposition) {
  EXPECT_EQ(legalStages(gainedRows().graph),
            (std::vector<std::string>{"gt = transpose g", "y = add(a, c)",
                                      "yt = mul(transpose y, gt)",
                                      "o = yt * w over k"}));
}

/// What is transposed would take four passes, not one.
TEST(LegalizeTest, vectors_of_wider_values_stay) {
  Graph graph = gainedRows().graph;
  graph.stages[0].expression.values[2].type = ElementType::F32;
  EXPECT_EQ(legalStages(graph)[1], "yt = transpose y");
}

/// In front of it the product may turn a weight, for whose tiles there is room.
TEST(LegalizeTest, vectors_behind_a_product_stay) {
  GraphBuilder builder = gainedRows();
  builder.dim("l", 128).matrix("u", "l", "m", input);
  builder.matrix("v", "l", "k", input).product("a", "u", "v", "l");
  std::vector<Stage> &stages = builder.graph.stages;
  std::rotate(stages.begin(), stages.end() - 1, stages.end());
  builder.graph.matrices[builder.matrixOf("a")].role = Role::Result;
  EXPECT_EQ(legalStages(builder.graph)[2], "yt = transpose y");
}

/// It would be one more matrix to load.
TEST(LegalizeTest, vectors_of_one_row_stay) {
  Graph graph = gainedRows().graph;
  graph.dims[0].size = 1;
  EXPECT_EQ(legalStages(graph)[1], "yt = transpose y");
}

TEST(LegalizeTest, vectors_of_rows_that_others_read_stay) {
  GraphBuilder builder = gainedRows();
  builder.matrix("z", "m", "k", result);
  builder.graph.stages.push_back({builder.matrixOf("z")});
  Expression &of = builder.graph.stages.back().expression;
  of.apply(Function::Relu, {of.addMatrix(builder.matrixOf("y"))},
           ElementType::BF16);
  EXPECT_EQ(legalStages(builder.graph)[1], "yt = transpose y");
}

/// A vector of one element is a row as well as a column.
TEST(LegalizeTest, reductions_of_one_row_have_its_rows) {
  GraphBuilder builder;
  builder.dim("m", 1).dim("k", 256).dim("n", 512).dim("one", 1);
  builder.matrix("x", "m", "k", input);
  builder.matrix("s", "one", "m", Role::Intermediate, ElementType::F32);
  builder.matrix("y", "m", "k").matrix("w", "k", "n", input);
  builder.matrix("o", "m", "n", result);
  Stage sum{builder.matrixOf("s")}, scaled{builder.matrixOf("y")};
  sum.expression.addMatrix(builder.matrixOf("x"));
  sum.reduction = {Function::Add, builder.dimOf("k")};
  Expression &of = scaled.expression;
  unsigned x = of.addMatrix(builder.matrixOf("x")),
           s = of.addMatrix(builder.matrixOf("s"));
  of.apply(Function::Mul, {x, s}, ElementType::BF16);
  builder.graph.stages = {sum, scaled};
  builder.product("o", "y", "w", "k");
  EXPECT_EQ(
      legalStages(builder.graph),
      (std::vector<std::string>{"s = sum x over k", "y = mul(x, s)",
                                "yt = transpose y", "o = yt * w over k"}));
}

/// They come once for each batch: all strips read them.
TEST(LegalizeTest, batches_that_have_no_strips_are_turned_first) {
  Graph graph = turnedGating();
  graph.dims.push_back({"b", 4});
  for (Matrix &matrix : graph.matrices)
    if (matrix.name == "x" || matrix.name == "w" || matrix.name == "o")
      matrix.rowBatches = {unsigned(graph.dims.size() - 1)};
  graph = legalize(graph, TransposeMode::Implicit);
  std::vector<std::string> order;
  for (const Stage &stage : graph.stages)
    order.push_back(graph.matrices[stage.result].name);
  EXPECT_EQ(order, (std::vector<std::string>{"wt", "xt", "ct", "ut", "o"}));
}
