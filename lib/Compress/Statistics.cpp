//===- Statistics.cpp - What a calibration knows of weights ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Statistics.h"

#include "Algebra.h"
#include "Blas.h"
#include "Eigen.h"
#include "trn/Model/Workers.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <memory>

using namespace mlir::trn;

namespace {
/// Blocks of a sum of x^T y, each by one thread, over all rows in one order.
struct Blocks {
  const std::vector<float> &x, &y;
  int64_t rows, left = int64_t(x.size()) / rows,
                right = int64_t(y.size()) / rows;
  bool isGram = &x == &y; // of which only the lower triangle is computed

  template <typename T>
  void add(const T *a, const T *b, std::vector<double> &sum,
           Workers &workers) const;
};
} // namespace

/// Sums of f32 are short, and added up in f64.
template <typename T>
void Blocks::add(const T *a, const T *b, std::vector<double> &sum,
                 Workers &workers) const {
  const bool isShort = std::is_same_v<T, float>;
  const int64_t height = 256, width = 1024,
                atOnce = isShort ? 2 * height : rows;
  const int64_t across = llvm::divideCeil(right, width);
  workers.forEach(llvm::divideCeil(left, height) * across, [&](size_t number) {
    const int64_t row = int64_t(number) / across * height,
                  column = int64_t(number) % across * width,
                  count = std::min(height, left - row),
                  end = std::min(right, column + width),
                  columns =
                      (isGram ? std::min(end, row + count) : end) - column;
    if (columns <= 0)
      return;
    double *own = sum.data() + row * right + column;
    const std::unique_ptr<float[]> part(isShort ? new float[count * columns]
                                                : nullptr);
    for (int64_t first = 0; first < rows; first += atOnce) {
      const int64_t inner = std::min(atOnce, rows - first);
      const T *from = a + first * left + row, *to = b + first * right + column;
      if constexpr (isShort) {
        blas::gemm(blas::transposed, blas::asIs, count, columns, inner, 1.0f,
                   from, left, to, right, 0.0f, part.get(), columns);
        for (int64_t i = 0; i < count; ++i)
          for (int64_t j = 0; j < columns; ++j)
            own[i * right + j] += part[i * columns + j];
      } else {
        blas::gemm(blas::transposed, blas::asIs, count, columns, inner, 1.0,
                   from, left, to, right, 1.0, own, right);
      }
    }
  });
}

void mlir::trn::addProduct(std::vector<double> &sum,
                           const std::vector<float> &x,
                           const std::vector<float> &y, int64_t rows,
                           unsigned threads, bool inF64) {
  const Blocks blocks{x, y, rows};
  sum.resize(blocks.left * blocks.right);
  Workers workers(threads);
  if (!inF64 && std::max(blocks.left, blocks.right) > smallSize)
    return blocks.add(x.data(), y.data(), sum, workers);
  const Matrix a(x.begin(), x.end()),
      b(blocks.isGram ? y.end() : y.begin(), y.end());
  blocks.add(a.data(), blocks.isGram ? a.data() : b.data(), sum, workers);
}

void mlir::trn::finishGram(std::vector<double> &sum, double count,
                           unsigned threads) {
  const int64_t size = std::llround(std::sqrt(double(sum.size())));
  Workers workers(threads);
  forEachBlock(size, workers, [&](int64_t begin, int64_t rows) {
    for (int64_t i = begin; i < begin + rows; ++i)
      for (int64_t j = 0; j <= i; ++j)
        sum[i * size + j] /= count;
  });
  mirrorLower(sum, size, workers);
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
    addProduct(sums.inputs, x, x, rows, threads, /*inF64=*/true);
  else
    addProduct(sums.outputs, y, y, rows, threads, /*inF64=*/true);
  sums.magnitudes.resize(in);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < in; ++column) {
      double value = x[row * in + column];
      sums.magnitudes[column] += std::fabs(value);
      sums.inputSquares += value * value;
    }
}

Statistics StatisticsSum::mean(unsigned threads) const {
  Statistics mean = sums;
  for (std::vector<double> *gram : {&mean.inputs, &mean.outputs})
    finishGram(*gram, double(count), threads);
  for (double &value : mean.magnitudes)
    value /= double(count);
  mean.inputSquares /= double(count);
  return mean;
}
