//===- FactorTest.cpp -----------------------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Factor.h"

#include "Eigen.h"
#include "Root.h"

#include "gtest/gtest.h"
#include <cmath>
#include <numeric>
#include <random>

using namespace mlir::trn;

static std::vector<float> makeNormal(int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float &value : values)
    value = normal(random);
  return values;
}

namespace {
/// A weight, and tokens that come to it: columns of very different sizes.
struct Problem {
  int64_t out, in, tokens;
  std::vector<float> weight, x;
  Statistics statistics;

  Problem(int64_t out, int64_t in, int64_t tokens)
      : out(out), in(in), tokens(tokens), weight(makeNormal(out * in, 1)),
        x(makeNormal(tokens * in, 2)) {
    Workers workers(2);
    Matrix wide(x.size());
    for (int64_t i = 0; i < tokens * in; ++i)
      wide[i] = x[i] = x[i] * std::pow(1 + float(i % in), -1.0f);
    const Matrix y =
        multiply(wide, Matrix(weight.begin(), weight.end()), tokens, in, out,
                 /*transposed=*/true, workers);
    statistics.inputs = gram(wide, tokens, in, /*ofColumns=*/true, workers);
    statistics.outputs = gram(y, tokens, out, /*ofColumns=*/true, workers);
    statistics.inputSquares = meanDiagonal(statistics.inputs, in) * double(in);
    for (auto *sum : {&statistics.inputs, &statistics.outputs})
      for (double &value : *sum)
        value /= double(tokens);
    statistics.inputSquares /= double(tokens);
  }
};
} // namespace

/// The product of factors, [out, in].
static Matrix multiplyOut(const Factors &factors, int64_t out, int64_t in) {
  Workers workers(2);
  return multiply(Matrix(factors.second.begin(), factors.second.end()),
                  Matrix(factors.first.begin(), factors.first.end()), out,
                  factors.second.size() / out, in, /*transposed=*/false,
                  workers);
}

static double distanceOf(llvm::ArrayRef<double> a, llvm::ArrayRef<double> b) {
  double difference = 0, all = 0;
  for (auto [x, y] : llvm::zip_equal(a, b)) {
    difference += (x - y) * (x - y);
    all += y * y;
  }
  return std::sqrt(difference / all);
}

/// Z_r^T of (W S)^T (W S) for a root S, and W S Z_r Z_r^T S^-1.
static Matrix factorBy(const Root &root, const Problem &problem, int64_t rank) {
  Workers workers(2);
  const auto &[out, in] = std::pair(problem.out, problem.in);
  Matrix own = gram(problem.weight, out, in, /*ofColumns=*/true, {},
                    /*inF64=*/true, workers);
  Matrix z =
      decompose(root.conjugate(own, workers), in, rank, Svd::Exact, workers)
          .vectors;
  Matrix first = root.multiplyTransposed(z, rank, workers);
  Matrix second =
      multiply(first, Matrix(problem.weight.begin(), problem.weight.end()),
               rank, in, out, /*transposed=*/true, workers);
  Matrix turned(out * rank);
  for (int64_t i = 0; i < rank; ++i)
    for (int64_t j = 0; j < out; ++j)
      turned[j * rank + i] = second[i * out + j];
  return multiply(turned, root.divide(z, rank, workers), out, rank, in,
                  /*transposed=*/false, workers);
}

/// Q_r Q_r^T W for eigenvectors of the outputs.
static Matrix projectOutputs(const Problem &problem, int64_t rank) {
  Workers workers(2);
  const auto &[out, in] = std::pair(problem.out, problem.in);
  const Matrix wide(problem.weight.begin(), problem.weight.end());
  Matrix inputs = problem.statistics.inputs;
  for (int64_t i = 0; i < in; ++i)
    inputs[i * in + i] += jitter * problem.statistics.inputSquares / double(in);
  Matrix spread = multiply(wide, inputs, out, in, in, false, workers);
  Matrix outputs = multiply(spread, wide, out, in, out, true, workers);
  Matrix q = decompose(outputs, out, rank, Svd::Exact, workers).vectors;
  Matrix own = multiply(q, wide, rank, out, in, false, workers);
  Matrix turned(out * rank);
  for (int64_t i = 0; i < rank; ++i)
    for (int64_t j = 0; j < out; ++j)
      turned[j * rank + i] = q[i * out + j];
  return multiply(turned, own, out, rank, in, false, workers);
}

TEST(Factor, AgreesInAllThreeForms) {
  const int64_t rank = 17;
  Workers workers(2);
  for (auto [out, in] : {std::pair<int64_t, int64_t>(90, 60), {60, 90}}) {
    Problem problem(out, in, 500);
    Matrix found = multiplyOut(factor(problem.weight, out, in, rank,
                                      Method::Whiten, problem.statistics),
                               out, in);
    const Matrix &inputs = problem.statistics.inputs;
    Root cholesky = Root::ofGram(inputs, in, jitter, workers);
    EXPECT_EQ(cholesky.form(), RootForm::Cholesky);
    Root eigen = Root::ofEigenvectors(
        inputs, in, jitter * meanDiagonal(inputs, in), workers);
    EXPECT_EQ(eigen.form(), RootForm::Eigenvectors);
    EXPECT_LT(distanceOf(factorBy(cholesky, problem, rank), found), 1e-5);
    EXPECT_LT(distanceOf(factorBy(eigen, problem, rank), found), 1e-5);
    EXPECT_LT(distanceOf(projectOutputs(problem, rank), found), 1e-5);
    // Both estimate the condition of the same matrix.
    EXPECT_GT(cholesky.condition(), 0.5 * eigen.condition());
    EXPECT_LT(cholesky.condition(), double(in) * eigen.condition());
  }
}

/// Of the outputs that a weight makes of the tokens.
static double squareOfOutputs(const Problem &problem, const Matrix &weight) {
  Workers workers(2);
  Matrix y = multiply(Matrix(problem.x.begin(), problem.x.end()), weight,
                      problem.tokens, problem.in, problem.out,
                      /*transposed=*/true, workers);
  return std::inner_product(y.begin(), y.end(), y.begin(), 0.0);
}

TEST(Factor, PredictsTheErrorOfOutputs) {
  for (auto [out, in] : {std::pair<int64_t, int64_t>(70, 50), {50, 70}}) {
    Problem problem(out, in, 300);
    Factors factors =
        factor(problem.weight, out, in, 20, Method::Whiten, problem.statistics);
    const Matrix wide(problem.weight.begin(), problem.weight.end());
    Matrix rest = multiplyOut(factors, out, in);
    EXPECT_NEAR(factors.weightError, distanceOf(rest, wide), 1e-6);
    for (int64_t i = 0; i < out * in; ++i)
      rest[i] -= wide[i];
    double lost = std::sqrt(squareOfOutputs(problem, rest) /
                            squareOfOutputs(problem, wide));
    EXPECT_NEAR(factors.outputError, lost, 1e-4 * lost);
  }
}

TEST(Factor, StaysFiniteWhateverTheRankOfInputs) {
  for (auto [out, in] : {std::pair<int64_t, int64_t>(80, 60), {60, 80}}) {
    Problem problem(out, in, /*tokens=*/20);
    for (int64_t rank : {10, 20, 50}) {
      Factors factors = factor(problem.weight, out, in, rank, Method::Whiten,
                               problem.statistics);
      ASSERT_EQ(int64_t(factors.first.size()), rank * in);
      ASSERT_EQ(int64_t(factors.second.size()), rank * out);
      for (const auto *values : {&factors.first, &factors.second})
        for (float value : *values)
          ASSERT_TRUE(std::isfinite(value));
      // All 20 directions of the outputs are kept.
      if (rank >= 20)
        EXPECT_LT(factors.outputError, 1e-2);
    }
    // No tokens were like that.
    Problem none(out, in, 20);
    for (auto *sum : {&none.statistics.inputs, &none.statistics.outputs})
      std::fill(sum->begin(), sum->end(), 0.0);
    none.statistics.inputSquares = 0;
    Factors factors =
        factor(none.weight, out, in, 10, Method::Whiten, none.statistics);
    for (const auto *values : {&factors.first, &factors.second})
      for (float value : *values)
        ASSERT_TRUE(std::isfinite(value));
  }
}

TEST(Factor, PutsSingularValuesWhereTheyAreAsked) {
  const int64_t out = 50, in = 70, rank = 9;
  Problem problem(out, in, 300);
  Matrix wanted = multiplyOut(
      factor(problem.weight, out, in, rank, Method::Plain, problem.statistics),
      out, in);
  for (SigmaSide side :
       {SigmaSide::Balanced, SigmaSide::Sqrt, SigmaSide::U, SigmaSide::V}) {
    FactorOptions options;
    options.side = side;
    Factors factors = factor(problem.weight, out, in, rank, Method::Plain,
                             problem.statistics, options);
    EXPECT_LT(distanceOf(multiplyOut(factors, out, in), wanted), 1e-6);
    ASSERT_EQ(int64_t(factors.sigmas.size()), out);
    EXPECT_NEAR(factors.lastSigma, factors.sigmas[rank - 1] / factors.sigmas[0],
                1e-12);
    for (int64_t i = 0; i < rank; ++i) {
      double u = 0, v = 0, sigma = factors.sigmas[i];
      for (int64_t j = 0; j < in; ++j)
        u += factors.first[i * in + j] * factors.first[i * in + j];
      for (int64_t j = 0; j < out; ++j)
        v += factors.second[j * rank + i] * factors.second[j * rank + i];
      const double inV = side == SigmaSide::U   ? 0
                         : side == SigmaSide::V ? 1
                                                : 0.5;
      EXPECT_NEAR(std::sqrt(u) / std::pow(sigma, 1 - inV), 1, 1e-4);
      EXPECT_NEAR(std::sqrt(v) / std::pow(sigma, inV), 1, 1e-4);
    }
  }
}

TEST(Factor, FindsSingularValuesAlone) {
  for (auto [out, in] : {std::pair<int64_t, int64_t>(40, 30), {30, 40}})
    for (Method method : {Method::Whiten, Method::Plain}) {
      Problem problem(out, in, 300);
      std::vector<double> alone = findSigmas(problem.weight, out, in, method,
                                             problem.statistics, /*threads=*/2);
      Factors factors =
          factor(problem.weight, out, in, 8, method, problem.statistics);
      ASSERT_EQ(alone.size(), factors.sigmas.size());
      for (auto [a, b] : llvm::zip_equal(alone, factors.sigmas))
        EXPECT_NEAR(a, b, 1e-6 * alone[0]);
    }
}

TEST(Factor, DoesNotDependOnThreads) {
  const int64_t out = 300, in = 270, rank = 100;
  Problem problem(out, in, 400);
  for (Method method : {Method::Whiten, Method::Plain})
    for (Svd svd : {Svd::Exact, Svd::Fast}) {
      FactorOptions options{svd, SigmaSide::Balanced, 1};
      Factors wanted = factor(problem.weight, out, in, rank, method,
                              problem.statistics, options);
      for (unsigned threads : {2, 3}) {
        options.threads = threads;
        Factors found = factor(problem.weight, out, in, rank, method,
                               problem.statistics, options);
        EXPECT_TRUE(found.first == wanted.first);
        EXPECT_TRUE(found.second == wanted.second);
        EXPECT_EQ(found.weightError, wanted.weightError);
      }
    }
}

TEST(Fit, FindsTheSameForOutputsAndForWhatMakesThem) {
  for (auto [out, in] : {std::pair<int64_t, int64_t>(80, 60), {60, 80}}) {
    Problem problem(out, in, 400);
    Workers workers(2);
    // Outputs are W h of other inputs.
    const int64_t tokens = problem.tokens;
    const Matrix x(problem.x.begin(), problem.x.end());
    Matrix h = x;
    std::vector<float> noise = makeNormal(h.size(), 3);
    for (auto [value, other] : llvm::zip_equal(h, noise))
      value += 0.1 * other;
    const Matrix wide(problem.weight.begin(), problem.weight.end());
    auto meanOf = [&](const Matrix &a, const Matrix &b, int64_t rows,
                      int64_t columns) {
      Matrix sum(rows * columns);
      for (int64_t t = 0; t < tokens; ++t)
        for (int64_t i = 0; i < rows; ++i)
          for (int64_t j = 0; j < columns; ++j)
            sum[i * columns + j] +=
                a[t * rows + i] * b[t * columns + j] / double(tokens);
      return sum;
    };
    Matrix y = multiply(h, wide, tokens, in, out, true, workers);
    FitStatistics outputs{meanOf(x, x, in, in), meanOf(x, y, in, out)};
    for (double value : y)
      outputs.outputSquares += value * value / double(tokens);
    MappedStatistics mapped{meanOf(x, x, in, in), meanOf(x, h, in, in),
                            meanOf(h, h, in, in)};
    Factors direct = fitFactors(problem.weight, out, in, 15, 0.1, outputs, {});
    Factors own =
        fitMappedFactors(problem.weight, out, in, 15, 0.1, mapped, {});
    EXPECT_LT(
        distanceOf(multiplyOut(own, out, in), multiplyOut(direct, out, in)),
        1e-5);
    EXPECT_NEAR(own.outputError, direct.outputError, 1e-6);
    EXPECT_NEAR(own.weightError, direct.weightError, 1e-6);
    EXPECT_NEAR(own.lastSigma, direct.lastSigma, 1e-6);
    EXPECT_EQ(own.root, RootForm::Cholesky);
  }
}
