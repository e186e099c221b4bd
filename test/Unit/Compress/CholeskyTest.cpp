//===- CholeskyTest.cpp -- ------------------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cholesky.h"

#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace mlir::trn;

namespace {
/// Roots L of several blocks, made of numbers, and L L^T, in both types.
template <typename T>
class CholeskyTest : public testing::Test {
protected:
  static constexpr int64_t size = 600, rows = 300;
  static constexpr double error = std::is_same_v<T, float> ? 2e-5 : 1e-13;

  CholeskyTest() {
    std::normal_distribution<double> normal;
    for (int64_t i = 0; i < size; ++i) {
      for (int64_t j = 0; j < i; ++j)
        root[i * size + j] = normal(random) / size;
      root[i * size + i] = 1 + double(i % 3);
    }
    for (int64_t i = 0; i < size; ++i)
      for (int64_t j = 0; j < size; ++j) {
        double sum = 0;
        for (int64_t k = 0; k <= std::min(i, j); ++k)
          sum += root[i * size + k] * root[j * size + k];
        square[i * size + j] = T(sum);
      }
  }

  std::mt19937 random{1};
  std::vector<double> root = std::vector<double>(size * size);
  std::vector<T> square = std::vector<T>(size * size);
  Workers workers{2};
};
} // namespace

using Elements = testing::Types<float, double>;
TYPED_TEST_SUITE(CholeskyTest, Elements, );

TYPED_TEST(CholeskyTest, FindsRoots) {
  const int64_t size = this->size;
  std::vector<TypeParam> found = this->square;
  ASSERT_TRUE(factorCholesky(found.data(), size, this->workers));
  for (int64_t i = 0; i < size; ++i)
    for (int64_t j = 0; j < size; ++j)
      ASSERT_NEAR(found[i * size + j],
                  j <= i ? this->root[i * size + j]
                         : double(this->square[i * size + j]),
                  this->error);
}

TYPED_TEST(CholeskyTest, FailsWithoutOne) {
  const int64_t size = this->size;
  this->square[(size - 1) * size + size - 1] = -1;
  EXPECT_FALSE(factorCholesky(this->square.data(), size, this->workers));
}

TYPED_TEST(CholeskyTest, Divides) {
  const int64_t size = this->size, rows = this->rows;
  std::vector<TypeParam> found = this->square;
  ASSERT_TRUE(factorCholesky(found.data(), size, this->workers));
  std::normal_distribution<double> normal;
  std::vector<TypeParam> wanted(rows * size);
  for (TypeParam &value : wanted)
    value = TypeParam(normal(this->random));
  for (bool transposed : {false, true}) {
    std::vector<TypeParam> m = wanted;
    divideByRoot(m.data(), rows, found.data(), size, transposed, this->workers);
    for (int64_t row : {int64_t(0), rows - 1})
      for (int64_t j = 0; j < size; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < size; ++k)
          sum += double(m[row * size + k]) * (transposed
                                                  ? this->root[j * size + k]
                                                  : this->root[k * size + j]);
        ASSERT_NEAR(sum, wanted[row * size + j], 10 * this->error);
      }
  }
}

TYPED_TEST(CholeskyTest, EstimatesConditions) {
  const int64_t size = 40;
  std::vector<TypeParam> diagonal(size * size);
  for (int64_t i = 0; i < size; ++i)
    diagonal[i * size + i] = TypeParam(i + 1);
  const double norm = largestSum(diagonal.data(), size);
  EXPECT_EQ(norm, size);
  ASSERT_TRUE(factorCholesky(diagonal.data(), size, this->workers));
  EXPECT_NEAR(estimateCondition(diagonal.data(), size, norm), size, 1e-3);
}
