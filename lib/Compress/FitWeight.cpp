//===- FitWeight.cpp - A weight that is fitted in one piece ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Neurons.h"

#include "Root.h"
#include <cblas.h>
#include <cmath>

using namespace mlir::trn;

/// With G = x x^T + (shrink + jitter) mean = S S^T and B = x y^T + shrink mean
/// W^T: M = S^-T S^-1 B, whose transpose is the weight.
FittedWeight mlir::trn::fitWeight(llvm::ArrayRef<float> weight, int64_t out,
                                  int64_t in, double shrink,
                                  FitStatistics statistics, unsigned threads) {
  Workers workers(threads);
  const double mean = meanDiagonal(statistics.inputs, in), pull = shrink * mean;
  Matrix &wanted = statistics.cross;
  for (int64_t i = 0; i < in; ++i)
    for (int64_t j = 0; j < out; ++j)
      wanted[i * out + j] += pull * weight[j * in + i];
  Root root =
      Root::ofGram(std::move(statistics.inputs), in, shrink + jitter, workers);
  Matrix whitened = root.divideLeft(wanted, out, workers), turned(out * in);
  for (int64_t i = 0; i < in; ++i)
    for (int64_t j = 0; j < out; ++j)
      turned[j * in + i] = whitened[i * out + j];
  Matrix found = root.divide(std::move(turned), out, workers);
  // |y - x M|^2 without what the shrinkage added to G and B.
  double reached = 0, shared = 0, square = 0;
  for (int64_t i = 0; i < in; ++i)
    for (int64_t j = 0; j < out; ++j) {
      const double value = found[j * in + i];
      reached += value * wanted[i * out + j];
      shared += value * weight[j * in + i];
      square += value * value;
    }
  const double lost = statistics.outputSquares - reached + 2 * pull * shared -
                      (pull + jitter * mean) * square;
  FittedWeight fitted;
  fitted.weight.assign(found.begin(), found.end());
  fitted.outputError =
      statistics.outputSquares > 0
          ? std::sqrt(std::max(lost, 0.0) / statistics.outputSquares)
          : 0;
  fitted.root = root.form();
  fitted.jitter = jitter;
  fitted.condition = root.condition();
  return fitted;
}

FittedWeight mlir::trn::fitMappedWeight(llvm::ArrayRef<float> weight,
                                        int64_t out, int64_t in, double shrink,
                                        const MappedStatistics &statistics,
                                        unsigned threads) {
  Workers workers(threads);
  const Matrix wide(weight.begin(), weight.end());
  FitStatistics own;
  own.inputs = statistics.inputs;
  own.cross = multiply(statistics.cross, wide, in, in, out,
                       /*transposed=*/true, workers);
  // Of W h: the trace of W (h h^T) W^T.
  const Matrix spread = multiply(wide, statistics.whole, out, in, in,
                                 /*transposed=*/false, workers);
  own.outputSquares = cblas_ddot(out * in, spread.data(), 1, wide.data(), 1);
  return fitWeight(weight, out, in, shrink, std::move(own), threads);
}
