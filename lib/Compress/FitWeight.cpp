//===- FitWeight.cpp - A weight that is fitted in one piece ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Neurons.h"

#include "Cholesky.h"
#include "Eigen.h"
#include "Root.h"
#include "llvm/ADT/STLExtras.h"
#include <cblas.h>
#include <cmath>

using namespace mlir::trn;

/// The condition up to which a system is solved in f32. What is lost is least
/// at the solution, so that an error of it counts squared.
static constexpr double mostInF32 = 1e6;

/// Rows of X, for which X (G + added) is `wanted`, in f32; false if it is not
/// as good.
static bool solveInF32(const Matrix &gram, int64_t in, double added,
                       const Matrix &wanted, int64_t out, FittedWeight &fitted,
                       Workers &workers) {
  std::vector<float> root(gram.begin(), gram.end());
  for (int64_t i = 0; i < in; ++i)
    root[i * in + i] += float(added);
  const double norm = largestSum(root, in);
  if (!factorCholesky(root, in, workers))
    return false;
  fitted.condition = estimateCondition(root, in, norm);
  if (!(fitted.condition < mostInF32))
    return false;
  fitted.root = RootForm::Cholesky;
  fitted.weight.assign(wanted.begin(), wanted.end());
  for (bool transposed : {true, false})
    divideByRoot(fitted.weight, out, root, in, transposed, workers);
  return true;
}

/// With G = x x^T + (shrink + jitter) mean = S S^T and B = x y^T + shrink mean
/// W^T, the weight is B^T S^-T S^-1: for many inputs in f32.
FittedWeight mlir::trn::fitWeight(llvm::ArrayRef<float> weight, int64_t out,
                                  int64_t in, double shrink,
                                  FitStatistics statistics, unsigned threads) {
  Workers workers(threads);
  const double mean = meanDiagonal(statistics.inputs, in), pull = shrink * mean;
  Matrix wanted = transpose<double>(statistics.cross, in, out);
  for (auto [value, own] : llvm::zip_equal(wanted, weight))
    value += pull * own;
  FittedWeight fitted;
  fitted.jitter = jitter;
  if (in <= smallSize ||
      !solveInF32(statistics.inputs, in, pull + jitter * mean, wanted, out,
                  fitted, workers)) {
    Root root = Root::ofGram(std::move(statistics.inputs), in, shrink + jitter,
                             workers);
    Matrix found =
        root.divide(root.divideTransposed(wanted, out, workers), out, workers);
    fitted.weight.assign(found.begin(), found.end());
    fitted.root = root.form();
    fitted.condition = root.condition();
  }
  // |y - x M|^2 without what the shrinkage added to G and B.
  double reached = 0, shared = 0, square = 0;
  for (auto [found, target, own] :
       llvm::zip_equal(fitted.weight, wanted, weight)) {
    const double value = found;
    reached += value * target;
    shared += value * own;
    square += value * value;
  }
  const double lost = statistics.outputSquares - reached + 2 * pull * shared -
                      (pull + jitter * mean) * square;
  fitted.outputError =
      statistics.outputSquares > 0
          ? std::sqrt(std::max(lost, 0.0) / statistics.outputSquares)
          : 0;
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
