//===- FitFactors.cpp - Factors for inputs and outputs --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Balance.h"

#include <cblas.h>
#include <cmath>

using namespace mlir::trn;

namespace {
struct Solution {
  Matrix first, second; // U^T, V
  Matrix values;        // Sigma^2
};
} // namespace

/// With G = x x^T + (shrink + jitter) mean = S S^T and B = S^-1 (x y^T + shrink
/// mean W^T) = P Sigma R^T: U = S^-T P_r and V = P_r^T B, or U = S^-T B R_r and
/// V = R_r^T, on the smaller side.
static Solution solve(const Root &root, Matrix wanted, int64_t out, int64_t in,
                      int64_t rank) {
  Solution solution;
  Matrix whitened = root.divideLeft(std::move(wanted), out);
  const bool byInputs = in < out;
  const int64_t side = byInputs ? in : out;
  Matrix top =
      decompose(gram(whitened, in, out, !byInputs), side, solution.values);
  top.resize(rank * side);
  if (byInputs) {
    solution.second =
        multiply(top, whitened, rank, in, out, /*transposed=*/false);
    solution.first = root.divide(std::move(top), rank);
  } else {
    solution.first =
        root.divide(multiply(top, whitened, rank, out, in, true), rank);
    solution.second = std::move(top);
  }
  return solution;
}

/// The square of the norm of U V.
static double squareOf(const Solution &solution, int64_t out, int64_t in) {
  const int64_t rank = solution.first.size() / in;
  Matrix first = gram(solution.first, rank, in, /*ofColumns=*/false);
  Matrix second = gram(solution.second, rank, out, /*ofColumns=*/false);
  return cblas_ddot(rank * rank, first.data(), 1, second.data(), 1);
}

Factors mlir::trn::fitFactors(llvm::ArrayRef<float> weight, int64_t out,
                              int64_t in, int64_t rank, double shrink,
                              FitStatistics statistics) {
  const double mean = meanDiagonal(statistics.inputs, in), pull = shrink * mean;
  for (int64_t i = 0; i < in; ++i)
    for (int64_t j = 0; j < out; ++j)
      statistics.cross[i * out + j] += pull * weight[j * in + i];
  Solution solution =
      solve(Root::ofGram(std::move(statistics.inputs), in, shrink + jitter),
            std::move(statistics.cross), out, in, rank);
  double kept = 0;
  for (int64_t i = 0; i < rank; ++i)
    kept += std::max(solution.values[i], 0.0);
  const double own = squareOf(solution, out, in),
               first = std::max(solution.values[0], 0.0);
  double lastSigma =
      first > 0 ? std::sqrt(std::max(solution.values[rank - 1], 0.0) / first)
                : 0;
  Matrix dense(weight.begin(), weight.end());
  double whole = cblas_ddot(in * out, dense.data(), 1, dense.data(), 1);
  Factors factors =
      balance(std::move(solution.first), std::move(solution.second),
              std::move(dense), out, in);
  factors.lastSigma = lastSigma;
  // Of M = U V, |S^T M|^2 and the product of M with what was wanted are both
  // what is kept; without what the shrinkage added, |y - x M|^2 is left.
  double difference = factors.weightError * factors.weightError * whole;
  double shared = (whole + own - difference) / 2; // of M and W
  double lost = statistics.outputSquares - kept + 2 * pull * shared -
                (pull + jitter * mean) * own;
  factors.outputError =
      statistics.outputSquares > 0
          ? std::sqrt(std::max(lost, 0.0) / statistics.outputSquares)
          : 0;
  return factors;
}
