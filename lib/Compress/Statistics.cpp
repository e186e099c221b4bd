//===- Statistics.cpp - What a calibration knows of weights ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Statistics.h"

#include "trn/Model/Workers.h"
#include "llvm/Support/MathExtras.h"
#include <cblas.h>
#include <cmath>

using namespace mlir::trn;

/// Adds x^T x of x [rows, columns]: each block of rows of the sum by one
/// thread, over all of x in one order.
static void addGram(std::vector<double> &sum, const std::vector<float> &x,
                    int64_t rows, int64_t columns, unsigned threads) {
  sum.resize(columns * columns);
  const std::vector<double> wide(x.begin(), x.end());
  const int64_t block = 64;
  forEachOnThreads(llvm::divideCeil(columns, block), threads, [&](size_t i) {
    int64_t first = int64_t(i) * block;
    int64_t count = std::min(block, columns - first);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, count, columns, rows,
                1, wide.data() + first, columns, wide.data(), columns, 1,
                sum.data() + first * columns, columns);
  });
}

void StatisticsSum::add(const std::vector<float> &x,
                        const std::vector<float> &y, int64_t rows,
                        unsigned threads) {
  count += rows;
  if (in < out)
    addGram(sums.inputs, x, rows, in, threads);
  else
    addGram(sums.outputs, y, rows, out, threads);
  sums.magnitudes.resize(in);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < in; ++column) {
      double value = x[row * in + column];
      sums.magnitudes[column] += std::fabs(value);
      sums.inputSquares += value * value;
    }
}

Statistics StatisticsSum::mean() const {
  Statistics mean = sums;
  for (std::vector<double> *values :
       {&mean.inputs, &mean.outputs, &mean.magnitudes})
    for (double &value : *values)
      value /= double(count);
  mean.inputSquares /= double(count);
  return mean;
}
