//===- Factor.cpp - Two factors for a weight ------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Factor.h"

#include "Balance.h"

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

/// Singular values below this, relative to the first, are noise.
static constexpr double sigmaFloor = 1e-7;

namespace {
class Factoring {
public:
  Factoring(llvm::ArrayRef<float> weight, int64_t out, int64_t in, int64_t rank,
            Method method, const Statistics &statistics)
      : weight(weight.begin(), weight.end()), out(out), in(in), rank(rank),
        method(method), statistics(statistics) {}

  Factors run();

private:
  Root inputRoot() const;
  Matrix outputGram() const;
  void factorByInputs();
  void factorByOutputs();
  double sigma(int64_t i) const {
    return std::sqrt(std::max(values[i], sigmaFloor * sigmaFloor * values[0]));
  }
  /// The first `rank` rows of the eigenvectors.
  Matrix decomposeTop(Matrix symmetric, int64_t size) {
    Matrix vectors = decompose(std::move(symmetric), size, values);
    vectors.resize(rank * size);
    return vectors;
  }

  Matrix weight; // [out, in]
  int64_t out, in, rank;
  Method method;
  const Statistics &statistics;
  Matrix values;        // Sigma^2
  Matrix first, second; // [rank, in], [rank, out]
};
} // namespace

static std::vector<double> scalesOf(const Statistics &statistics) {
  std::vector<double> scales;
  for (double magnitude : statistics.magnitudes)
    scales.push_back(std::sqrt(magnitude) + 1e-6);
  return scales;
}

Root Factoring::inputRoot() const {
  if (method == Method::Whiten)
    return Root::ofGram(statistics.inputs, in, jitter);
  return Root::ofDiagonal(method == Method::Asvd ? scalesOf(statistics)
                                                 : Matrix(in, 1));
}

/// K = (W S)^T (W S) = Z Sigma^2 Z^T, so U = S^-T Z_r and V^T = W S Z_r.
void Factoring::factorByInputs() {
  Root root = inputRoot();
  Matrix product = multiply(weight, root.matrix(), out, in, in, false);
  Matrix top = decomposeTop(gram(product, out, in, /*ofColumns=*/true), in);
  second = multiply(top, product, rank, in, out, /*transposed=*/true);
  first = root.divide(std::move(top), rank);
}

/// (W S) (W S)^T: the mean of y y^T, if that is what S stands for.
Matrix Factoring::outputGram() const {
  Matrix whole = gram(weight, out, in, /*ofColumns=*/false);
  if (method == Method::Whiten) {
    double added = jitter * statistics.inputSquares / double(in);
    for (auto [value, mean] : llvm::zip_equal(whole, statistics.outputs))
      value = mean + added * value;
  } else if (method == Method::Asvd) {
    std::vector<double> scales = scalesOf(statistics);
    Matrix scaled = weight;
    for (int64_t i = 0; i < out * in; ++i)
      scaled[i] *= scales[i % in];
    whole = gram(scaled, out, in, /*ofColumns=*/false);
  }
  return whole;
}

/// K = (W S) (W S)^T = Q Sigma^2 Q^T, so U^T = Q_r^T W and V^T = Q_r.
void Factoring::factorByOutputs() {
  second = decomposeTop(outputGram(), out);
  first = multiply(second, weight, rank, out, in, /*transposed=*/false);
}

Factors Factoring::run() {
  if (in < out)
    factorByInputs();
  else
    factorByOutputs();
  Factors factors =
      balance(std::move(first), std::move(second), weight, out, in);
  double lost = 0, all = 0;
  for (auto [i, value] : llvm::enumerate(values)) {
    all += std::max(value, 0.0);
    lost += int64_t(i) < rank ? 0 : std::max(value, 0.0);
  }
  factors.outputError = all > 0 ? std::sqrt(lost / all) : 0;
  factors.lastSigma = values[0] > 0 ? sigma(rank - 1) / sigma(0) : 0;
  return factors;
}

Factors mlir::trn::factor(llvm::ArrayRef<float> weight, int64_t out, int64_t in,
                          int64_t rank, Method method,
                          const Statistics &statistics) {
  return Factoring(weight, out, in, rank, method, statistics).run();
}
