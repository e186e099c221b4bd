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

/// The mean of |y - x U V|^2 relative to that of |y|^2, from U^T and V.
static double errorOf(const FitStatistics &statistics, const Matrix &first,
                      const Matrix &second, int64_t out, int64_t in) {
  const int64_t rank = first.size() / in;
  Matrix product(in * out);
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, in, out, rank, 1,
              first.data(), in, second.data(), out, 0, product.data(), out);
  Matrix spread = multiply(statistics.inputs, product, in, in, out, false);
  double lost = statistics.outputSquares;
  lost -=
      2 * cblas_ddot(in * out, product.data(), 1, statistics.cross.data(), 1);
  lost += cblas_ddot(in * out, product.data(), 1, spread.data(), 1);
  return statistics.outputSquares > 0
             ? std::sqrt(std::max(lost, 0.0) / statistics.outputSquares)
             : 0;
}

/// With G = x x^T + (shrink + jitter) mean = S S^T and B = S^-1 (x y^T + shrink
/// mean W^T) = P Sigma R^T: U = S^-T P_r and V = P_r^T B, or U = S^-T B R_r and
/// V = R_r^T, on the smaller side.
Factors mlir::trn::fitFactors(llvm::ArrayRef<float> weight, int64_t out,
                              int64_t in, int64_t rank, double shrink,
                              const FitStatistics &statistics) {
  Matrix dense(weight.begin(), weight.end());
  Root root = Root::ofGram(statistics.inputs, in, shrink + jitter);
  double pull = shrink * meanDiagonal(statistics.inputs, in);
  Matrix wanted = statistics.cross;
  for (int64_t i = 0; i < in; ++i)
    for (int64_t j = 0; j < out; ++j)
      wanted[i * out + j] += pull * dense[j * in + i];
  Matrix whitened = root.divideLeft(std::move(wanted), out);
  const bool byInputs = in < out;
  const int64_t side = byInputs ? in : out;
  Matrix values;
  Matrix top = decompose(gram(whitened, in, out, !byInputs), side, values);
  top.resize(rank * side);
  Matrix first, second;
  if (byInputs) {
    second = multiply(top, whitened, rank, in, out, /*transposed=*/false);
    first = root.divide(std::move(top), rank);
  } else {
    first = root.divide(multiply(top, whitened, rank, out, in, true), rank);
    second = std::move(top);
  }
  double error = errorOf(statistics, first, second, out, in);
  Factors factors =
      balance(std::move(first), std::move(second), std::move(dense), out, in);
  factors.outputError = error;
  factors.lastSigma =
      values[0] > 0 ? std::sqrt(std::max(values[rank - 1], 0.0) / values[0])
                    : 0;
  return factors;
}
