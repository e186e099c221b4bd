//===- EigenTest.cpp ------------------------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Eigen.h"

#include "gtest/gtest.h"
#include <cmath>
#include <numeric>
#include <random>

using namespace mlir::trn;

/// Q diag(values) Q^T, Q being some reflections.
static Matrix makeSymmetric(llvm::ArrayRef<double> values) {
  const int64_t size = values.size();
  Matrix matrix(size * size);
  for (int64_t i = 0; i < size; ++i)
    matrix[i * size + i] = values[i];
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int number = 0; number < 3; ++number) {
    Matrix v(size), product(size);
    for (double &value : v)
      value = normal(random);
    double square = std::inner_product(v.begin(), v.end(), v.begin(), 0.0);
    for (double &value : v)
      value *= std::sqrt(2 / square);
    for (int64_t i = 0; i < size; ++i)
      product[i] = std::inner_product(v.begin(), v.end(),
                                      matrix.begin() + i * size, 0.0);
    double both = std::inner_product(v.begin(), v.end(), product.begin(), 0.0);
    for (int64_t i = 0; i < size; ++i)
      for (int64_t j = 0; j < size; ++j)
        matrix[i * size + j] +=
            v[i] * v[j] * both - v[i] * product[j] - product[i] * v[j];
  }
  return matrix;
}

/// How far eigenvectors are from having their values, and from being
/// orthonormal.
static void expectEigenvectors(const Matrix &matrix, int64_t size,
                               const Eigenvectors &found, double tolerance) {
  Workers workers(1);
  const int64_t count = found.vectors.size() / size;
  const double most = std::max(std::abs(found.values[0]), 1e-300);
  Matrix product = multiply(found.vectors, matrix, count, size, size,
                            /*transposed=*/false, workers);
  for (int64_t i = 0; i < count; ++i)
    for (int64_t j = 0; j < size; ++j)
      ASSERT_NEAR(product[i * size + j],
                  found.values[i] * found.vectors[i * size + j],
                  tolerance * most);
  Matrix own = gram(found.vectors, count, size, /*ofColumns=*/false, workers);
  for (int64_t i = 0; i < count; ++i)
    for (int64_t j = 0; j < count; ++j)
      ASSERT_NEAR(own[i * count + j], i == j, 10 * tolerance);
}

TEST(Eigen, FindsThoseOfMatricesOfAllSizes) {
  // One element, a few, and some more than one leaf, panel or tile has.
  for (int64_t size : {1, 2, 3, 31, 33, 255, 257, 300, 530}) {
    Matrix values;
    for (int64_t i = 0; i < size; ++i)
      values.push_back(1 / (1 + double(i)));
    Matrix matrix = makeSymmetric(values);
    Workers workers(2);
    for (int64_t count : {size, (size + 1) / 2}) {
      Eigenvectors found = decompose(matrix, size, count, Svd::Exact, workers);
      ASSERT_EQ(int64_t(found.vectors.size()), count * size);
      for (int64_t i = 0; i < size; ++i)
        ASSERT_NEAR(found.values[i], values[i], 1e-13) << size;
      expectEigenvectors(matrix, size, found, 1e-13);
    }
    Matrix alone = findEigenvalues(matrix, size, workers);
    for (int64_t i = 0; i < size; ++i)
      ASSERT_NEAR(alone[i], values[i], 1e-13) << size;
  }
}

TEST(Eigen, KeepsVectorsOfEqualValuesApart) {
  const int64_t size = 520;
  Workers workers(2);
  for (auto [many, other] : {std::pair(0.0, 0.0),
                             {1.0, 1.0},
                             {0.0, 1.0},
                             {1.0, 1e-9},
                             {1e-30, 1e-31},
                             {1e30, 1.0}}) {
    Matrix values(size, many);
    values[0] = std::max(many, other);
    values[size - 1] = std::min(many, other);
    Matrix matrix = makeSymmetric(values);
    for (Svd svd : {Svd::Exact, Svd::Fast})
      expectEigenvectors(matrix, size,
                         decompose(matrix, size, size, svd, workers),
                         svd == Svd::Exact ? 1e-13 : 3e-6);
  }
}

static Matrix makeFalling(int64_t size, double exponent) {
  Matrix values;
  for (int64_t i = 0; i < size; ++i)
    values.push_back(std::pow(1 + double(i), exponent));
  return values;
}

/// The share of the trace that is lost above what must be.
static double excessOf(const Matrix &matrix, llvm::ArrayRef<double> values,
                       const Eigenvectors &found, int64_t count) {
  const int64_t size = values.size();
  Workers workers(2);
  Matrix product = multiply(found.vectors, matrix, count, size, size,
                            /*transposed=*/false, workers);
  double kept = std::inner_product(product.begin(), product.end(),
                                   found.vectors.begin(), 0.0);
  double all = std::accumulate(values.begin(), values.end(), 0.0);
  double least = std::accumulate(values.begin() + count, values.end(), 0.0);
  return (all - kept) / least - 1;
}

TEST(Eigen, LosesLittleMoreThanItMustInF32) {
  const int64_t size = smallSize + 80, count = size * 5 / 8;
  Matrix values = makeFalling(size, -0.7), matrix = makeSymmetric(values);
  Workers workers(2);
  Eigenvectors mixed = decompose(matrix, size, count, Svd::Mixed, workers);
  EXPECT_EQ(mixed.svd, Svd::Mixed);
  EXPECT_EQ(mixed.reason, "");
  EXPECT_LT(std::abs(excessOf(matrix, values, mixed, count)), 1e-6);
  EXPECT_NEAR(mixed.values[count - 1] / values[count - 1], 1, 1e-5);
  Eigenvectors fast = decompose(matrix, size, count, Svd::Fast, workers);
  EXPECT_EQ(fast.svd, Svd::Fast);
  EXPECT_EQ(fast.reason, "");
  EXPECT_LT(std::abs(excessOf(matrix, values, fast, count)), 1e-4);
  // Not much above where f32 is given up.
  values[0] = 500;
  matrix = makeSymmetric(values);
  mixed = decompose(matrix, size, count, Svd::Mixed, workers);
  EXPECT_EQ(mixed.svd, Svd::Mixed);
  EXPECT_LT(std::abs(excessOf(matrix, values, mixed, count)), 1e-5);
}

TEST(Eigen, TurnsToF64WhereF32IsNotEnough) {
  const int64_t size = smallSize + 80, count = size * 5 / 8;
  Matrix values = makeFalling(size, -0.7);
  values[0] = 1e7;
  Matrix matrix = makeSymmetric(values);
  Workers workers(2);
  Eigenvectors mixed = decompose(matrix, size, count, Svd::Mixed, workers);
  EXPECT_EQ(mixed.svd, Svd::Exact);
  EXPECT_NE(mixed.reason.find("below 1e-5"), std::string::npos);
  EXPECT_LT(std::abs(excessOf(matrix, values, mixed, count)), 1e-5);
  // Fast does as it was told, and says so.
  Eigenvectors fast = decompose(matrix, size, count, Svd::Fast, workers);
  EXPECT_EQ(fast.svd, Svd::Fast);
  EXPECT_NE(fast.reason.find("below 1e-5"), std::string::npos);
  // Small ones are exact, and that needs no reason.
  Matrix few = makeFalling(40, -0.7);
  Eigenvectors small =
      decompose(makeSymmetric(few), 40, 20, Svd::Mixed, workers);
  EXPECT_EQ(small.svd, Svd::Exact);
  EXPECT_EQ(small.reason, "");
}

TEST(Eigen, DoesNotDependOnThreads) {
  const int64_t size = smallSize + 80, count = size / 2;
  Matrix matrix = makeSymmetric(makeFalling(size, -0.7));
  for (Svd svd : {Svd::Mixed, Svd::Exact}) {
    Workers one(1);
    Eigenvectors wanted = decompose(matrix, size, count, svd, one);
    for (unsigned threads : {2, 5}) {
      Workers several(threads);
      Eigenvectors found = decompose(matrix, size, count, svd, several);
      EXPECT_EQ(found.values, wanted.values);
      EXPECT_TRUE(found.vectors == wanted.vectors);
    }
  }
}
