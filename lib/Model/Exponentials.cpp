//===- Exponentials.cpp - Exponentials of rows ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Exponentials.h"

#include "trn/Support/ForEachCPU.h"
#include <algorithm>
#include <cmath>

using namespace mlir::trn;

// This file is compiled with a library of vector functions (CMakeLists.txt), so
// loops over std::exp are several times as fast as calls one by one, and exact
// to 4 units in the last place. No loop may depend on the width of vectors:
// sums and maxima are of so many lanes on each CPU.
static constexpr int64_t lanes = 32;

TRN_FOR_EACH_CPU
float mlir::trn::findHighest(const float *values, int64_t count) {
  float highest[lanes];
  std::fill_n(highest, lanes, values[0]);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (int64_t lane = 0; lane < lanes; ++lane)
      highest[lane] =
          values[i + lane] > highest[lane] ? values[i + lane] : highest[lane];
  for (; i < count; ++i)
    highest[0] = std::max(highest[0], values[i]);
  return *std::max_element(highest, highest + lanes);
}

TRN_FOR_EACH_CPU
static float sum(const float *values, int64_t count) {
  float sums[lanes] = {};
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (int64_t lane = 0; lane < lanes; ++lane)
      sums[lane] += values[i + lane];
  float all = 0;
  for (; i < count; ++i)
    all += values[i];
  for (float own : sums)
    all += own;
  return all;
}

TRN_FOR_EACH_CPU
static void raise(float *values, int64_t count, float from, float scale) {
  for (int64_t i = 0; i < count; ++i)
    values[i] = std::exp((values[i] - from) * scale);
}

float mlir::trn::exponentiate(float *values, int64_t count, float from,
                              float scale) {
  raise(values, count, from, scale);
  return sum(values, count);
}

TRN_FOR_EACH_CPU
void mlir::trn::computeSigmoids(const float *x, int64_t count, float *result) {
  for (int64_t i = 0; i < count; ++i)
    result[i] = 1 / (1 + std::exp(-x[i]));
}
