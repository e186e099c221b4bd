//===- Factor.cpp - Two factors for a weight ------------------------------===//
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

#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir::trn;

llvm::StringRef mlir::trn::stringify(Method method) {
  switch (method) {
  case Method::Whiten:
    return "whiten";
  case Method::Plain:
    return "plain";
  case Method::Asvd:
    return "asvd";
  }
  return "";
}

void mlir::trn::forEachWeight(llvm::ArrayRef<int64_t> sizes, unsigned threads,
                              llvm::function_ref<void(size_t, unsigned)> body) {
  std::vector<size_t> small;
  for (auto [i, size] : llvm::enumerate(sizes))
    if (size <= smallSize)
      small.push_back(i);
  forEachOnThreads(small.size(), threads, [&](size_t i) { body(small[i], 1); });
  for (auto [i, size] : llvm::enumerate(sizes))
    if (size > smallSize)
      body(i, threads);
}

namespace {
class Factoring {
public:
  Factoring(llvm::ArrayRef<float> weight, int64_t out, int64_t in,
            Method method, const Statistics &statistics,
            const FactorOptions &options)
      : weight(weight), out(out), in(in), byInputs(in < out), method(method),
        statistics(statistics), options(options), workers(options.threads) {}

  Factors factor(int64_t rank);
  std::vector<double> findSigmas();

private:
  Root inputRoot();
  Matrix weightGram(llvm::ArrayRef<double> scales, bool inF64);
  Matrix outputGram();

  llvm::ArrayRef<float> weight; // [out, in]
  int64_t out, in;
  bool byInputs; // the smaller side
  Method method;
  const Statistics &statistics;
  const FactorOptions &options;
  Workers workers;
};
} // namespace

static std::vector<double> scalesOf(const Statistics &statistics) {
  std::vector<double> scales;
  for (double magnitude : statistics.magnitudes)
    scales.push_back(std::sqrt(magnitude) + 1e-6);
  return scales;
}

Root Factoring::inputRoot() {
  if (method == Method::Whiten)
    return Root::ofGram(statistics.inputs, in, jitter, workers);
  return Root::ofDiagonal(method == Method::Asvd ? scalesOf(statistics)
                                                 : Matrix(in, 1));
}

Matrix Factoring::weightGram(llvm::ArrayRef<double> scales, bool inF64) {
  return gram(weight, out, in, byInputs, scales, inF64, workers);
}

/// (W S) (W S)^T: the mean of y y^T, if that is what S stands for.
Matrix Factoring::outputGram() {
  const bool inF64 = options.svd != Svd::Fast;
  if (method == Method::Asvd)
    return weightGram(scalesOf(statistics), inF64);
  if (method == Method::Plain)
    return weightGram({}, inF64);
  Matrix sum = weightGram({}, options.svd == Svd::Exact);
  const double added = jitter * statistics.inputSquares / double(in);
  for (auto [value, mean] : llvm::zip_equal(sum, statistics.outputs))
    value = mean + added * value;
  return sum;
}

/// From (W S)^T (W S) = Z Sigma^2 Z^T: U = S^-T Z_r and V^T = W S Z_r; or from
/// (W S) (W S)^T = Q Sigma^2 Q^T: U^T = Q_r^T W and V^T = Q_r.
Factors Factoring::factor(int64_t rank) {
  const int64_t size = byInputs ? in : out;
  Root root = byInputs ? inputRoot() : Root();
  Eigenvectors top = decompose(
      byInputs
          ? root.conjugate(weightGram({}, options.svd != Svd::Fast), workers)
          : outputGram(),
      size, rank, options.svd, workers);
  Matrix mapped = byInputs ? root.multiplyTransposed(top.vectors, rank, workers)
                           : top.vectors;
  std::vector<float> far =
      project(mapped, weight, rank, size, byInputs ? out : in, byInputs,
              top.svd == Svd::Exact, workers);
  if (byInputs)
    top.vectors = root.divide(std::move(top.vectors), rank, workers);
  std::vector<float> near(top.vectors.begin(), top.vectors.end());
  if (!byInputs)
    std::swap(near, far);
  Factors factors = balance(std::move(near), std::move(far), top.values,
                            options.side, weight, out, in, workers)
                        .factors;
  factors.svd = top.svd;
  factors.svdReason = std::move(top.reason);
  factors.jitter = method == Method::Whiten ? jitter : 0;
  factors.root = root.form();
  factors.condition = root.condition();
  double lost = 0, all = 0;
  for (auto [i, value] : llvm::enumerate(top.values)) {
    all += std::max(value, 0.0);
    lost += int64_t(i) < rank ? 0 : std::max(value, 0.0);
  }
  factors.outputError = all > 0 ? std::sqrt(lost / all) : 0;
  return factors;
}

std::vector<double> Factoring::findSigmas() {
  Matrix squares = findEigenvalues(
      byInputs ? inputRoot().conjugate(weightGram({}, /*inF64=*/true), workers)
               : outputGram(),
      byInputs ? in : out, workers);
  for (double &square : squares)
    square = std::sqrt(std::max(square, 0.0));
  return squares;
}

Factors mlir::trn::factor(llvm::ArrayRef<float> weight, int64_t out, int64_t in,
                          int64_t rank, Method method,
                          const Statistics &statistics,
                          const FactorOptions &options) {
  return Factoring(weight, out, in, method, statistics, options).factor(rank);
}

std::vector<double> mlir::trn::findSigmas(llvm::ArrayRef<float> weight,
                                          int64_t out, int64_t in,
                                          Method method,
                                          const Statistics &statistics,
                                          unsigned threads) {
  FactorOptions options;
  options.threads = threads;
  return Factoring(weight, out, in, method, statistics, options).findSigmas();
}
