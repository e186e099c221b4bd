//===- Differences.h - Gradients by differences -----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_UNIT_TRAIN_DIFFERENCES_H
#define TRN_TEST_UNIT_TRAIN_DIFFERENCES_H

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>
#include <vector>

namespace mlir::trn {

using Reals = std::vector<double>;

/// Values between -1 and 1.
inline std::vector<float> drawValues(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(count);
  for (float &value : values)
    value = float(random() % 2001) / 1000 - 1;
  return values;
}

inline Reals widen(const std::vector<float> &values) {
  return Reals(values.begin(), values.end());
}

/// Checks `found`, in f32, against differences of `loss`, which reads `values`
/// in f64.
inline void expectGradient(const std::vector<float> &found, Reals &values,
                           llvm::function_ref<double()> loss,
                           double tolerance = 1e-6) {
  ASSERT_EQ(found.size(), values.size());
  ASSERT_FALSE(values.empty());
  double error = 0, all = 0;
  for (auto [value, gradient] : llvm::zip_equal(values, found)) {
    const double step = 1e-5, before = value;
    value = before + step;
    double above = loss();
    value = before - step;
    double wanted = (above - loss()) / (2 * step);
    value = before;
    error += (gradient - wanted) * (gradient - wanted);
    all += wanted * wanted;
  }
  EXPECT_GT(all, 0);
  EXPECT_LT(std::sqrt(error / all), tolerance);
}

} // namespace mlir::trn

#endif // TRN_TEST_UNIT_TRAIN_DIFFERENCES_H
