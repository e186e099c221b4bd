//===- StatisticsTest.cpp ------------------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Statistics.h"

#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace mlir::trn;

/// Normal ones, and far from 0 in some columns, as gated values are.
static std::vector<float> draw(int64_t rows, int64_t columns, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(rows * columns);
  for (int64_t i = 0; i < rows * columns; ++i)
    values[i] = normal(random) + float(i % columns % 7 == 0 ? 5 : 0);
  return values;
}

static double dot(const std::vector<float> &x, const std::vector<float> &y,
                  int64_t rows, int64_t i, int64_t j) {
  const int64_t left = x.size() / rows, right = y.size() / rows;
  double sum = 0;
  for (int64_t row = 0; row < rows; ++row)
    sum += double(x[row * left + i]) * y[row * right + j];
  return sum;
}

TEST(Statistics, ProductsAreNearlyThoseOfF64) {
  // Two blocks of rows, and more than one of columns.
  const int64_t rows = 700, left = 1300, right = 90;
  const std::vector<float> x = draw(rows, left, 1), y = draw(rows, right, 2);
  for (bool inF64 : {false, true}) {
    std::vector<double> gram, cross;
    for (int time = 0; time < 2; ++time) {
      addProduct(gram, x, x, rows, /*threads=*/2, inF64);
      addProduct(cross, x, y, rows, /*threads=*/2, inF64);
    }
    finishGram(gram, 2 * rows, /*threads=*/2);
    for (int64_t i = 0; i < left; i += 37) {
      const double length = dot(x, x, rows, i, i);
      for (int64_t j = 0; j < left; j += 41) {
        const double all = std::sqrt(length * dot(x, x, rows, j, j)),
                     error = gram[i * left + j] * rows - dot(x, x, rows, i, j);
        EXPECT_LT(std::fabs(error), (inF64 ? 1e-13 : 1e-6) * all);
        EXPECT_EQ(gram[i * left + j], gram[j * left + i]);
      }
      for (int64_t j = 0; j < right; j += 13) {
        const double all = std::sqrt(length * dot(y, y, rows, j, j)),
                     error = cross[i * right + j] / 2 - dot(x, y, rows, i, j);
        EXPECT_LT(std::fabs(error), (inF64 ? 1e-13 : 1e-6) * all);
      }
    }
  }
}

TEST(Statistics, ProductsDoNotDependOnThreads) {
  const int64_t rows = 60, columns = 1100;
  const std::vector<float> x = draw(rows, columns, 1);
  std::vector<double> one, several;
  addProduct(one, x, x, rows, /*threads=*/1);
  addProduct(several, x, x, rows, /*threads=*/3);
  EXPECT_TRUE(one == several);
}
