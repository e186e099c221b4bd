//===- NeuronsTest.cpp ----------------------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Neurons.h"

#include "gtest/gtest.h"
#include <algorithm>
#include <numeric>
#include <random>

using namespace mlir::trn;

namespace {
/// Random activations of neurons that share a few causes, and outputs of them.
struct Problem {
  static constexpr int64_t neurons = 300, out = 24, rows = 900;
  std::vector<float> down = std::vector<float>(out * neurons);
  FitStatistics statistics;

  Problem() {
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    std::vector<double> x(rows * neurons), mix(neurons * neurons);
    for (double &value : mix)
      value = normal(random);
    for (float &value : down)
      value = float(normal(random));
    for (int64_t row = 0; row < rows; ++row) {
      std::vector<double> causes(neurons);
      for (int64_t i = 0; i < neurons; ++i)
        causes[i] = normal(random) / double(1 + i);
      for (int64_t i = 0; i < neurons; ++i)
        for (int64_t j = 0; j < neurons; ++j)
          x[row * neurons + i] += mix[i * neurons + j] * causes[j];
    }
    statistics.inputs.resize(neurons * neurons);
    statistics.cross.resize(neurons * out);
    for (int64_t row = 0; row < rows; ++row)
      add(x.data() + row * neurons);
  }

  void add(const double *x) {
    for (int64_t i = 0; i < neurons; ++i)
      for (int64_t j = 0; j < neurons; ++j)
        statistics.inputs[i * neurons + j] += x[i] * x[j] / rows;
    for (int64_t o = 0; o < out; ++o) {
      double y = 0;
      for (int64_t j = 0; j < neurons; ++j)
        y += down[o * neurons + j] * x[j];
      statistics.outputSquares += y * y / rows;
      for (int64_t i = 0; i < neurons; ++i)
        statistics.cross[i * out + o] += x[i] * y / rows;
    }
  }

  double errorOf(llvm::ArrayRef<int64_t> kept) const {
    return fitKeptWeight(selectColumns(down, neurons, kept), out, kept,
                         /*shrink=*/0.01, statistics, /*threads=*/1)
        .outputError;
  }
};
} // namespace

static std::vector<int64_t> choose(const Problem &problem, int64_t count,
                                   Scores scores, unsigned threads = 1) {
  return chooseNeurons(problem.down, Problem::out, Problem::neurons, count,
                       scores, /*shrink=*/0.01, problem.statistics, threads);
}

TEST(Neurons, AreNumbersInTheirOrder) {
  Problem problem;
  for (Scores scores : {Scores::Greedy, Scores::Norm}) {
    std::vector<int64_t> kept = choose(problem, 200, scores);
    ASSERT_EQ(kept.size(), 200u);
    EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
    EXPECT_EQ(std::adjacent_find(kept.begin(), kept.end()), kept.end());
    EXPECT_GE(kept.front(), 0);
    EXPECT_LT(kept.back(), Problem::neurons);
  }
}

TEST(Neurons, ThatAreChosenGreedilyAreAmongThoseOfMore) {
  Problem problem;
  std::vector<int64_t> few = choose(problem, 100, Scores::Greedy),
                       many = choose(problem, 260, Scores::Greedy);
  EXPECT_TRUE(std::includes(many.begin(), many.end(), few.begin(), few.end()));
}

TEST(Neurons, ThatAreChosenGreedilyLoseLess) {
  Problem problem;
  for (int64_t count : {40, 100, 150})
    EXPECT_LT(problem.errorOf(choose(problem, count, Scores::Greedy)),
              problem.errorOf(choose(problem, count, Scores::Norm)));
}

TEST(Neurons, DoNotDependOnThreads) {
  Problem problem;
  EXPECT_EQ(choose(problem, 280, Scores::Greedy, 1),
            choose(problem, 280, Scores::Greedy, 3));
}

TEST(Neurons, ThatAreAllKeptLeaveTheWeight) {
  Problem problem;
  std::vector<int64_t> all = choose(problem, Problem::neurons, Scores::Greedy);
  std::vector<float> weight = problem.down;
  FittedWeight fitted =
      fitKeptWeight(weight, Problem::out, all, /*shrink=*/0.01,
                    problem.statistics, /*threads=*/2);
  for (size_t i = 0; i < weight.size(); ++i)
    EXPECT_NEAR(fitted.weight[i], weight[i], 1e-3);
  EXPECT_LT(fitted.outputError, 1e-3);
}

/// With many inputs it is in f32, and as good as what the equations say.
TEST(Neurons, ManyAreFittedInF32) {
  const int64_t in = 1100, out = 6, rows = 400;
  const double shrink = 0.1;
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  FitStatistics statistics;
  statistics.inputs.resize(in * in);
  statistics.cross.resize(in * out);
  std::vector<float> weight(out * in);
  for (float &value : weight)
    value = float(normal(random));
  for (int64_t row = 0; row < rows; ++row) {
    // One cause of all of them makes the condition large.
    std::vector<double> x(in), y(out);
    const double cause = 10 * normal(random);
    for (double &value : x)
      value = cause + normal(random);
    for (int64_t j = 0; j < out; ++j) {
      y[j] = 30 * normal(random);
      for (int64_t i = 0; i < in; ++i)
        y[j] += weight[j * in + i] * x[i];
      statistics.outputSquares += y[j] * y[j] / rows;
    }
    for (int64_t i = 0; i < in; ++i) {
      for (int64_t j = 0; j < in; ++j)
        statistics.inputs[i * in + j] += x[i] * x[j] / rows;
      for (int64_t j = 0; j < out; ++j)
        statistics.cross[i * out + j] += x[i] * y[j] / rows;
    }
  }
  double mean = 0;
  for (int64_t i = 0; i < in; ++i)
    mean += statistics.inputs[i * in + i] / in;
  const FittedWeight fitted =
      fitWeight(weight, out, in, shrink, statistics, /*threads=*/2);
  EXPECT_GT(fitted.condition, 1e3);
  const double pull = shrink * mean, added = pull + 1e-6 * mean;
  for (int64_t j = 0; j < out; ++j) {
    double left = 0, all = 0;
    for (int64_t i = 0; i < in; ++i) {
      double wanted = statistics.cross[i * out + j] + pull * weight[j * in + i];
      all += wanted * wanted;
      for (int64_t k = 0; k < in; ++k)
        wanted -= (statistics.inputs[i * in + k] + (i == k ? added : 0)) *
                  fitted.weight[j * in + k];
      left += wanted * wanted;
    }
    EXPECT_LT(left, 1e-9 * all);
  }
  // What is lost is second order in the error of the weight.
  double lost = statistics.outputSquares;
  for (int64_t j = 0; j < out; ++j)
    for (int64_t i = 0; i < in; ++i) {
      lost -= 2 * fitted.weight[j * in + i] * statistics.cross[i * out + j];
      for (int64_t k = 0; k < in; ++k)
        lost += double(fitted.weight[j * in + i]) * fitted.weight[j * in + k] *
                statistics.inputs[i * in + k];
    }
  EXPECT_NEAR(fitted.outputError, std::sqrt(lost / statistics.outputSquares),
              1e-5);
}

/// In f64 and, if there are many, in f32.
TEST(Neurons, ThatAreKeptAreFittedAsIfThereWereNoOthers) {
  const int64_t in = 1200, out = 3;
  std::mt19937 random(9);
  std::normal_distribution<double> normal;
  FitStatistics statistics;
  statistics.inputs.resize(in * in);
  std::vector<double> cause(in);
  for (double &value : cause)
    value = normal(random);
  for (int64_t i = 0; i < in; ++i)
    for (int64_t j = 0; j < in; ++j)
      statistics.inputs[i * in + j] = cause[i] * cause[j] + (i == j ? 2 : 0);
  statistics.outputSquares = 100 * in;
  for (int64_t i = 0; i < in * out; ++i)
    statistics.cross.push_back(normal(random));
  for (int64_t count : {200, 1100}) {
    std::vector<int64_t> kept(in);
    std::iota(kept.begin(), kept.end(), 0);
    std::shuffle(kept.begin(), kept.end(), random);
    kept.resize(count);
    std::vector<float> weight(out * count);
    for (float &value : weight)
      value = float(normal(random));
    const FittedWeight fitted =
        fitKeptWeight(weight, out, kept, /*shrink=*/0.1, statistics, 2);
    const FittedWeight alone =
        fitWeight(weight, out, count, /*shrink=*/0.1,
                  selectInputs(statistics, out, kept), /*threads=*/1);
    EXPECT_EQ(fitted.weight, alone.weight);
    EXPECT_EQ(fitted.outputError, alone.outputError);
    // LAPACK's estimate, whose last bits may depend on where the root lies.
    EXPECT_NEAR(fitted.condition, alone.condition, 1e-5 * alone.condition);
  }
}

TEST(Neurons, SelectRowsAndColumns) {
  const std::vector<float> matrix = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(selectRows(matrix, 3, {1}), (std::vector<float>{4, 5, 6}));
  EXPECT_EQ(selectColumns(matrix, 3, {0, 2}), (std::vector<float>{1, 3, 4, 6}));
}
