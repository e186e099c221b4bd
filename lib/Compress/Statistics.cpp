//===- Statistics.cpp - What a calibration knows of weights ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Statistics.h"

#include "Algebra.h"
#include "trn/Model/Workers.h"
#include "llvm/Support/MathExtras.h"
#include <cblas.h>
#include <cmath>

using namespace mlir::trn;

/// Each block of rows of the sum by one thread, over all rows in one order; of
/// x^T x only half is computed.
void mlir::trn::addProduct(std::vector<double> &sum,
                           const std::vector<float> &x,
                           const std::vector<float> &y, int64_t rows,
                           unsigned threads) {
  const int64_t left = x.size() / rows, right = y.size() / rows;
  const bool isGram = &x == &y;
  sum.resize(left * right);
  const std::vector<double> a(x.begin(), x.end()),
      b(isGram ? y.end() : y.begin(), y.end());
  const double *other = isGram ? a.data() : b.data();
  const int64_t block = 64;
  Workers workers(threads);
  workers.forEach(llvm::divideCeil(left, block), [&](size_t i) {
    int64_t first = int64_t(i) * block;
    int64_t count = std::min(block, left - first);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, count,
                isGram ? first + count : right, rows, 1, a.data() + first, left,
                other, right, 1, sum.data() + first * right, right);
  });
  if (isGram)
    mirrorLower(sum, left, workers);
}

Statistics mlir::trn::mapGram(llvm::ArrayRef<float> weight,
                              std::vector<double> gram, unsigned threads) {
  const int64_t in = std::llround(std::sqrt(double(gram.size())));
  const int64_t out = int64_t(weight.size()) / in;
  Statistics statistics;
  statistics.inputSquares = meanDiagonal(gram, in) * double(in);
  if (in < out) {
    statistics.inputs = std::move(gram);
    return statistics;
  }
  Workers workers(threads);
  const Matrix wide(weight.begin(), weight.end());
  Matrix spread =
      multiply(wide, gram, out, in, in, /*transposed=*/false, workers);
  statistics.outputs =
      multiply(spread, wide, out, in, out, /*transposed=*/true, workers);
  return statistics;
}

void StatisticsSum::add(const std::vector<float> &x,
                        const std::vector<float> &y, int64_t rows,
                        unsigned threads) {
  count += rows;
  if (in < out)
    addProduct(sums.inputs, x, x, rows, threads);
  else
    addProduct(sums.outputs, y, y, rows, threads);
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
