//===- FitFactors.cpp - Factors for inputs and outputs --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Factor.h"

#include "Balance.h"
#include "Eigen.h"
#include "Root.h"

#include <cblas.h>
#include <cmath>

using namespace mlir::trn;

namespace {
/// With G = x x^T + (shrink + jitter) mean = S S^T and B = S^-1 (x y^T + shrink
/// mean W^T) = P Sigma R^T: U = S^-T P_r and V = P_r^T B, or U = S^-T B R_r and
/// V = R_r^T, on the smaller side.
class Fit {
public:
  Fit(llvm::ArrayRef<float> weight, int64_t out, int64_t in, int64_t rank,
      const FactorOptions &options)
      : weight(weight), out(out), in(in), rank(rank), options(options),
        workers(options.threads) {}

  Factors run(double shrink, FitStatistics statistics);
  Factors run(double shrink, const MappedStatistics &statistics);

private:
  void weigh(Matrix inputs, double shrink);
  void solve(Matrix wanted);
  Factors finish(double outputSquares);

  llvm::ArrayRef<float> weight;
  int64_t out, in, rank;
  const FactorOptions &options;
  Workers workers;
  double mean = 0, pull = 0; // of squares of inputs
  Root root;
  Eigenvectors top;
  std::vector<float> first, second; // U^T, V
};
} // namespace

static std::vector<float> narrow(const Matrix &m) {
  return {m.begin(), m.end()};
}

void Fit::weigh(Matrix inputs, double shrink) {
  mean = meanDiagonal(inputs, in);
  pull = shrink * mean;
  root = Root::ofGram(std::move(inputs), in, shrink + jitter, workers);
}

void Fit::solve(Matrix wanted) {
  const bool byInputs = in < out;
  Matrix whitened = root.divideLeft(std::move(wanted), out, workers);
  top = decompose(gram(whitened, in, out, !byInputs, workers),
                  byInputs ? in : out, rank, options.svd, workers);
  Matrix far = multiply(top.vectors, whitened, rank, byInputs ? in : out,
                        byInputs ? out : in, !byInputs, workers);
  second = narrow(byInputs ? far : top.vectors);
  first = narrow(
      root.divide(std::move(byInputs ? top.vectors : far), rank, workers));
}

Factors Fit::finish(double outputSquares) {
  double kept = 0;
  for (int64_t i = 0; i < rank; ++i)
    kept += std::max(top.values[i], 0.0);
  Balanced balanced = balance(std::move(first), std::move(second), top.values,
                              options.side, weight, out, in, workers);
  // Of M = U V, |S^T M|^2 and the product of M with what was wanted are both
  // what is kept; without what the shrinkage added, |y - x M|^2 is left.
  double lost = outputSquares - kept + 2 * pull * balanced.shared -
                (pull + jitter * mean) * balanced.square;
  Factors factors = std::move(balanced.factors);
  factors.outputError =
      outputSquares > 0 ? std::sqrt(std::max(lost, 0.0) / outputSquares) : 0;
  factors.svd = top.svd;
  factors.svdReason = std::move(top.reason);
  factors.root = root.form();
  factors.jitter = jitter;
  factors.condition = root.condition();
  return factors;
}

Factors Fit::run(double shrink, FitStatistics statistics) {
  weigh(std::move(statistics.inputs), shrink);
  for (int64_t i = 0; i < in; ++i)
    for (int64_t j = 0; j < out; ++j)
      statistics.cross[i * out + j] += pull * weight[j * in + i];
  solve(std::move(statistics.cross));
  return finish(statistics.outputSquares);
}

/// B is A W^T, and A no larger than the inputs.
Factors Fit::run(double shrink, const MappedStatistics &statistics) {
  weigh(statistics.inputs, shrink);
  Matrix wanted = statistics.cross;
  for (int64_t i = 0; i < in; ++i)
    wanted[i * in + i] += pull;
  Matrix own = gram(weight, out, in, /*ofColumns=*/true, {},
                    options.svd != Svd::Fast, workers);
  const double outputSquares =
      cblas_ddot(in * in, own.data(), 1, statistics.whole.data(), 1);
  if (in > out) {
    solve(multiply(wanted, Matrix(weight.begin(), weight.end()), in, in, out,
                   /*transposed=*/true, workers));
    return finish(outputSquares);
  }
  Matrix a = root.divideLeft(std::move(wanted), in, workers);
  Matrix product = multiply(a, own, in, in, in, /*transposed=*/false, workers);
  top =
      decompose(multiply(product, a, in, in, in, /*transposed=*/true, workers),
                in, rank, options.svd, workers);
  second = project(
      multiply(top.vectors, a, rank, in, in, /*transposed=*/false, workers),
      weight, rank, in, out, /*transposed=*/true, top.svd == Svd::Exact,
      workers);
  first = narrow(root.divide(std::move(top.vectors), rank, workers));
  return finish(outputSquares);
}

Factors mlir::trn::fitFactors(llvm::ArrayRef<float> weight, int64_t out,
                              int64_t in, int64_t rank, double shrink,
                              FitStatistics statistics,
                              const FactorOptions &options) {
  return Fit(weight, out, in, rank, options).run(shrink, std::move(statistics));
}

Factors mlir::trn::fitMappedFactors(llvm::ArrayRef<float> weight, int64_t out,
                                    int64_t in, int64_t rank, double shrink,
                                    const MappedStatistics &statistics,
                                    const FactorOptions &options) {
  return Fit(weight, out, in, rank, options).run(shrink, statistics);
}
