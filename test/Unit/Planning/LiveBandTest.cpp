//===- LiveBandTest.cpp - What of scores matters behind a mask ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/LiveBand.h"

#include "Graphs.h"
#include "WalkRunner.h"
#include "trn/Planning/PlanCost.h"
#include "gtest/gtest.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

namespace {
constexpr Band causal = {std::nullopt, 0};

class LiveBandTest : public ::testing::Test {
protected:
  LiveBandTest() {
    builder.dim("m", 16).dim("n", 16).dim("d", 4).dim("e", 6).dim("one", 1);
    builder.matrix("qt", "d", "m", input).matrix("kt", "d", "n", input);
    builder.matrix("v", "n", "e", input).matrix("c", "m", "n", input);
    builder.matrix("o", "m", "e", result).matrix("s", "m", "n");
    builder.matrix("a", "m", "one").matrix("p", "m", "n");
    builder.matrix("l", "m", "one").matrix("pt", "n", "m");
    matrix("c").band = causal;
    matrix("l").type = ElementType::F32;
    builder.product("s", "qt", "kt", "d");
    apply("s", Function::Add, {sum("s"), read("s", "c")});
    reduce("a", Function::Max, "s");
    stage("p");
    apply("p", Function::Exp,
          {apply("p", Function::Sub, {read("p", "s"), read("p", "a")})});
    reduce("l", Function::Add, "p");
    builder.transposition("pt", "p").product("o", "pt", "v", "n");
    apply("o", Function::Mul, {sum("o"), read("o", "l")});
    EXPECT_EQ(problem(), "");
  }

  std::string problem() const { return llvm::toString(builder.graph.check()); }
  Matrix &matrix(const char *name) {
    return builder.graph.matrices[builder.matrixOf(name)];
  }
  /// The one that computes the matrix; a new one if there is none.
  Stage &stage(const char *name) {
    unsigned number = builder.matrixOf(name);
    for (Stage &stage : builder.graph.stages)
      if (stage.result == number)
        return stage;
    builder.graph.stages.push_back({number});
    return builder.graph.stages.back();
  }
  // Of what computes a matrix.
  unsigned sum(const char *name) { return stage(name).expression.addSum(0); }
  unsigned constant(const char *name, float value) {
    return stage(name).expression.addConstant(value);
  }
  unsigned read(const char *name, const char *other) {
    return stage(name).expression.addMatrix(builder.matrixOf(other));
  }
  unsigned apply(const char *name, Function function,
                 llvm::ArrayRef<unsigned> arguments) {
    Stage &of = stage(name);
    unsigned value =
        of.expression.apply(function, {arguments.begin(), arguments.end()});
    of.expression.values.back().type = matrix(name).type;
    return value;
  }
  void reduce(const char *name, Function function, const char *of) {
    Stage &reducing = stage(name);
    reducing.reduction = {function, builder.dimOf("n")};
    read(name, of);
  }
  /// Makes the stage compute something else.
  void clear(const char *name) { stage(name).expression = {}; }
  std::optional<LiveBand> find() {
    EXPECT_EQ(problem(), "");
    return findLiveBand(builder.graph);
  }

  GraphBuilder builder;
};
} // namespace

TEST_F(LiveBandTest, scores_in_front_of_softmax) {
  std::optional<LiveBand> live = find();
  ASSERT_TRUE(live);
  EXPECT_EQ(live->rows, builder.dimOf("m"));
  EXPECT_EQ(live->columns, builder.dimOf("n"));
  EXPECT_EQ(live->band.key(), causal.key());
  for (const char *in : {"s", "c", "p", "pt"})
    EXPECT_TRUE(live->isIn(matrix(in))) << in;
  for (const char *out : {"qt", "v", "a", "l", "o"})
    EXPECT_FALSE(live->isIn(matrix(out))) << out;
  for (const char *in : {"s", "a", "p", "l", "pt", "o"})
    EXPECT_TRUE(live->isIn(builder.graph, stage(in))) << in;
}

TEST_F(LiveBandTest, share_of_tiles) {
  std::optional<LiveBand> live = find();
  ASSERT_TRUE(live);
  EXPECT_EQ(live->share(builder.graph, 4), 10. / 16);
  EXPECT_EQ(live->share(builder.graph, 16), 1);
  live->band = {-3, 0}; // a window: the diagonal and what is below it
  EXPECT_EQ(live->share(builder.graph, 4), 7. / 16);
  live->band = {4, std::nullopt};
  EXPECT_EQ(live->share(builder.graph, 4), 6. / 16);
  live->band = {};
  EXPECT_EQ(live->share(builder.graph, 4), 1);
}

TEST_F(LiveBandTest, infinities_are_compared_with) {
  matrix("c").band->inside = std::numeric_limits<float>::infinity();
  clear("s");
  apply("s", Function::Min, {sum("s"), read("s", "c")});
  EXPECT_TRUE(find());
}

TEST_F(LiveBandTest, scores_may_be_scaled) {
  clear("s");
  unsigned masked = apply("s", Function::Add, {sum("s"), read("s", "c")});
  apply("s", Function::Mul, {masked, constant("s", 0.5)});
  EXPECT_TRUE(find());
}

TEST_F(LiveBandTest, probabilities_may_be_scaled) {
  builder.matrix("r", "m", "n").matrix("rt", "n", "m");
  clear("o");
  stage("o").terms.front().left = builder.matrixOf("rt");
  Stage product = stage("o");
  builder.graph.stages.resize(4);
  apply("r", Function::Mul, {read("r", "p"), read("r", "l")});
  builder.transposition("rt", "r");
  builder.graph.stages.push_back(product);
  builder.graph.matrices[builder.matrixOf("pt")].role = Role::Input;
  EXPECT_TRUE(find());
}

//===----------------------------------------------------------------------===//
// What needs more than the band
//===----------------------------------------------------------------------===//

TEST_F(LiveBandTest, a_result_with_both_dims) {
  matrix("p").role = Role::Result;
  EXPECT_FALSE(find());
}

TEST_F(LiveBandTest, scores_that_are_turned_round) {
  clear("s");
  unsigned masked = apply("s", Function::Add, {sum("s"), read("s", "c")});
  apply("s", Function::Mul, {masked, constant("s", -0.5)});
  EXPECT_FALSE(find());
}

TEST_F(LiveBandTest, scores_that_are_subtracted) {
  clear("p");
  apply("p", Function::Exp,
        {apply("p", Function::Sub, {read("p", "a"), read("p", "s")})});
  EXPECT_FALSE(find());
}

TEST_F(LiveBandTest, a_function_that_is_not_zero_outside) {
  clear("p");
  apply("p", Function::Tanh,
        {apply("p", Function::Sub, {read("p", "s"), read("p", "a")})});
  EXPECT_FALSE(find());
}

TEST_F(LiveBandTest, scores_that_a_condition_chooses) {
  clear("s");
  unsigned masked = apply("s", Function::Add, {sum("s"), read("s", "c")});
  unsigned isLarge = apply("s", Function::Gt, {masked, constant("s", 0)});
  apply("s", Function::Select, {isLarge, masked, constant("s", 1)});
  EXPECT_FALSE(find());
}

TEST_F(LiveBandTest, scores_that_a_condition_subtracts) {
  clear("p");
  unsigned isLarge =
      apply("p", Function::Gt, {read("p", "a"), constant("p", 0)});
  unsigned chosen =
      apply("p", Function::Select, {isLarge, read("p", "s"), read("p", "a")});
  apply("p", Function::Exp,
        {apply("p", Function::Sub, {read("p", "s"), chosen})});
  EXPECT_FALSE(find());
}

TEST_F(LiveBandTest, scores_without_their_mask) {
  clear("s");
  EXPECT_FALSE(find());
}

TEST_F(LiveBandTest, infinities_that_are_added_are_no_mask_of_lows) {
  clear("s");
  apply("s", Function::Max, {sum("s"), read("s", "c")});
  EXPECT_FALSE(find());
}

TEST_F(LiveBandTest, the_least_of_a_row) {
  stage("a").reduction->function = Function::Min;
  EXPECT_FALSE(find());
}

TEST_F(LiveBandTest, the_sum_of_scores) {
  stage("l").expression = {};
  read("l", "s");
  EXPECT_FALSE(find());
}

TEST_F(LiveBandTest, a_product_over_the_rows) {
  builder.matrix("z", "m", "e", input).matrix("u", "n", "e", result);
  builder.product("u", "p", "z", "m");
  EXPECT_FALSE(find());
}

TEST_F(LiveBandTest, a_product_of_scores) {
  builder.matrix("st", "n", "m").matrix("u", "m", "e", result);
  builder.transposition("st", "s").product("u", "st", "v", "n");
  EXPECT_FALSE(find());
}

TEST_F(LiveBandTest, parts_of_its_dims) {
  builder.part("half", 8, "n", 0);
  EXPECT_FALSE(find());
}

TEST_F(LiveBandTest, groups_of_its_dims) {
  builder.dim("groups", 4);
  builder.graph.dims.back().groupsOf = builder.dimOf("n");
  EXPECT_FALSE(find());
}

TEST_F(LiveBandTest, another_mask_is_tried) {
  builder.matrix("b", "m", "n", input);
  matrix("b").band = Band{-4, std::nullopt};
  matrix("c").band = Band{0, 0, std::numeric_limits<float>::infinity()};
  clear("s");
  unsigned shifted = apply("s", Function::Max, {sum("s"), read("s", "c")});
  apply("s", Function::Add, {shifted, read("s", "b")});
  std::optional<LiveBand> live = find();
  ASSERT_TRUE(live);
  EXPECT_EQ(live->band.key(), matrix("b").band->key());
}

//===----------------------------------------------------------------------===//
// Bands
//===----------------------------------------------------------------------===//

using Columns = std::pair<int64_t, int64_t>;

TEST(BandTest, columns_of_rows) {
  Band window{-3, 1};
  EXPECT_EQ(window.columnsOf(8, 4, 0, 16), Columns(5, 13));
  EXPECT_EQ(window.wholeColumnsOf(8, 4, 0, 16), Columns(8, 10));
  EXPECT_EQ(window.columnsOf(0, 4, 0, 16), Columns(0, 5));
  EXPECT_EQ(window.columnsOf(12, 4, 0, 16), Columns(9, 16));
  EXPECT_EQ(causal.columnsOf(8, 4, 0, 16), Columns(0, 12));
  EXPECT_EQ(causal.wholeColumnsOf(8, 4, 0, 16), Columns(0, 9));
  EXPECT_EQ(Band().wholeColumnsOf(8, 4, 2, 16), Columns(2, 16));
}

TEST(BandTest, rows_of_a_period_begin_anew) {
  Band heads = causal;
  heads.period = 8;
  EXPECT_EQ(heads.columnsOf(12, 4, 0, 8), Columns(0, 8));
  EXPECT_EQ(heads.columnsOf(8, 4, 0, 8), Columns(0, 4));
  EXPECT_EQ(heads.wholeColumnsOf(12, 4, 0, 8), Columns(0, 5));
  // Of rows of two periods.
  EXPECT_EQ(heads.columnsOf(4, 8, 0, 8), Columns(0, 8));
  EXPECT_EQ(heads.wholeColumnsOf(4, 8, 0, 8), Columns(0, 1));
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

namespace {
class BandPlanTest : public LiveBandTest {
protected:
  /// A loop over rows around all nests; what has none of these lies outside.
  Plan plan(int64_t block) {
    PlanBuilder plan(builder);
    for (unsigned nest = 0; nest < builder.graph.stages.size(); ++nest)
      plan.nest({{"m", block}});
    for (const Matrix &own : builder.graph.matrices)
      plan.home(own.name.c_str(), own.has(builder.dimOf("m")));
    return plan.plan;
  }
  /// How long the tensor engine multiplies, after the values have been checked.
  double tensorNs(const Plan &plan) {
    EXPECT_EQ(problem(), "");
    Machine machine = smallMachine(4, 4);
    machine.tensorNsPerColumn = 1;
    Schedule schedule{builder.graph, plan};
    if (llvm::Error error = plan.check(schedule.graph, machine)) {
      ADD_FAILURE() << llvm::toString(std::move(error));
      return 0;
    }
    EXPECT_EQ(WalkRunner(schedule, machine).run(), "");
    return computeCost(schedule, machine).tensorNs;
  }
  double tensorNsOfAll(const Plan &plan) {
    std::optional<Band> band = std::exchange(matrix("c").band, std::nullopt);
    double all = tensorNs(plan);
    matrix("c").band = band;
    return all;
  }
};
} // namespace

TEST_F(BandPlanTest, tiles_are_left_out) {
  double all = tensorNsOfAll(plan(4));
  EXPECT_EQ(tensorNs(plan(4)), all * 10 / 16);
  EXPECT_EQ(tensorNs(plan(8)), all * 12 / 16);
  EXPECT_EQ(tensorNs(plan(16)), all);
  matrix("c").band = Band{-3, 0};
  EXPECT_EQ(tensorNs(plan(4)), all * 7 / 16);
}

TEST_F(BandPlanTest, loops_over_columns_have_all_of_them) {
  Plan blocks = plan(4);
  blocks.nests.front().loops.push_back({builder.dimOf("n"), 8});
  EXPECT_LT(tensorNs(blocks), tensorNsOfAll(blocks));
  Plan outside = plan(4);
  outside.nests.front().loops.insert(outside.nests.front().loops.begin(),
                                     {builder.dimOf("n"), 8});
  for (Home &home : outside.homes)
    home.level = 0;
  EXPECT_EQ(tensorNs(outside), tensorNsOfAll(outside));
}

/// What each iteration computes of the columns alone, and stores.
TEST_F(BandPlanTest, results_of_columns_are_whole) {
  builder.matrix("g", "e", "n", result).matrix("w", "d", "e", input);
  builder.product("g", "w", "kt", "d");
  std::vector<Stage> &stages = builder.graph.stages; // in the middle of others
  std::rotate(stages.begin() + 1, stages.end() - 1, stages.end());
  Plan all = plan(4);
  for (Home &home : all.homes)
    if (home.matrix == builder.matrixOf("g"))
      home.level = 1;
  EXPECT_EQ(tensorNs(all), tensorNsOfAll(all));
}

/// Rows of keys do not lie beside each other on partitions where each iteration
/// transposes some of them.
TEST_F(BandPlanTest, keys_transposed_in_the_loop) {
  builder.matrix("k", "n", "d", input).transposition("kt", "k");
  matrix("kt").role = Role::Intermediate;
  std::vector<Stage> &stages = builder.graph.stages;
  std::rotate(stages.begin(), stages.end() - 1, stages.end());
  matrix("c").band = Band{-3, 0};
  Plan keys = plan(4);
  for (Home &home : keys.homes)
    if (home.matrix == builder.matrixOf("kt"))
      home.level = 1;
  Schedule schedule{builder.graph, keys};
  Machine machine = smallMachine(4, 8);
  EXPECT_EQ(llvm::toString(keys.check(builder.graph, machine)), "");
  EXPECT_EQ(WalkRunner(schedule, machine).run(), "");
}

/// A mask of one row says nothing of the diagonals of scores.
TEST_F(BandPlanTest, a_mask_of_one_row) {
  matrix("c").rows = builder.dimOf("one");
  EXPECT_EQ(tensorNs(plan(4)), tensorNsOfAll(plan(4)));
}

/// Constants and columns that are masked have fewer elements than their mask.
TEST_F(BandPlanTest, masked_columns_and_constants) {
  matrix("c").band->inside = std::numeric_limits<float>::infinity();
  clear("s");
  unsigned low = apply("s", Function::Min, {constant("s", 2), read("s", "c")});
  apply("s", Function::Add, {low, sum("s")});
  EXPECT_LT(tensorNs(plan(4)), tensorNsOfAll(plan(4)));
  builder.matrix("b", "m", "one", input);
  clear("s");
  low = apply("s", Function::Min, {read("s", "b"), read("s", "c")});
  apply("s", Function::Add, {low, sum("s")});
  EXPECT_LT(tensorNs(plan(4)), tensorNsOfAll(plan(4)));
}
