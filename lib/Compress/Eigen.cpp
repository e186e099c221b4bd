//===- Eigen.cpp - The largest eigenvectors -------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Eigen.h"

#include "Blas.h"
#include "Cholesky.h"
#include "Tridiagonal.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <lapacke.h>

using namespace mlir::trn;

/// Eigenvectors on either side of the last one which is kept that f32 mixes
/// with each other more than is allowed.
static constexpr int64_t margin = smallSize / 8;

/// Eigenvectors in T of the matrix over its mean diagonal, so that none is out
/// of range; no values if that fails.
template <typename T>
static Eigenvectors decomposeIn(const Matrix &symmetric, int64_t size,
                                int64_t count, Workers &workers) {
  const double mean = meanDiagonal(symmetric, size),
               unit = mean > 0 ? mean : 1.0;
  std::vector<T> scaled(size * size);
  for (int64_t i = 0; i < size * size; ++i)
    scaled[i] = T(symmetric[i] / unit);
  Tridiagonal<T> tridiagonal =
      tridiagonalize<T>(std::move(scaled), size, workers);
  // In f64 in any case, which takes little: splitting off what f32 cannot tell
  // apart would be a hundred times the error of all the rest.
  const auto &d = tridiagonal.diagonal, &e = tridiagonal.offDiagonal;
  TridiagonalEigen eigen = decomposeTridiagonal(
      {d.begin(), d.end()}, {e.begin(), e.end()}, count, workers);
  Eigenvectors result;
  if (eigen.values.empty())
    return result;
  std::vector<T> vectors(eigen.vectors.begin(), eigen.vectors.end());
  turnBack(tridiagonal, vectors.data(), count, workers);
  for (double value : eigen.values)
    result.values.push_back(value * unit);
  result.vectors.assign(vectors.begin(), vectors.end());
  return result;
}

/// Finds the eigenvectors from `begin` to `end` in the space of those that are
/// there in f64: Rayleigh and Ritz's way.
static void refine(const Matrix &symmetric, int64_t size, int64_t begin,
                   int64_t end, Eigenvectors &eigen, Workers &workers) {
  const int64_t count = end - begin;
  Matrix basis(eigen.vectors.begin() + begin * size,
               eigen.vectors.begin() + end * size);
  Matrix root = gram(basis, count, size, /*ofColumns=*/false, workers);
  if (!factorCholesky(root.data(), count, workers))
    return;
  cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit,
              count, size, 1, root.data(), count, basis.data(), size);
  Matrix product = multiply(basis, symmetric, count, size, size,
                            /*transposed=*/false, workers);
  Matrix small = multiply(product, basis, count, size, count,
                          /*transposed=*/true, workers);
  Eigenvectors rotated = decomposeIn<double>(small, count, count, workers);
  if (rotated.values.empty())
    return;
  std::copy(rotated.values.begin(), rotated.values.end(),
            eigen.values.begin() + begin);
  Matrix better = multiply(rotated.vectors, basis, count, count, size,
                           /*transposed=*/false, workers);
  std::copy(better.begin(), better.end(), eigen.vectors.begin() + begin * size);
}

Eigenvectors mlir::trn::decompose(const Matrix &symmetric, int64_t size,
                                  int64_t count, Svd svd, Workers &workers) {
  std::string reason;
  if (svd == Svd::Mixed && size <= smallSize)
    svd = Svd::Exact;
  if (svd != Svd::Exact) {
    const bool mixed = svd == Svd::Mixed;
    const int64_t begin = std::max<int64_t>(0, count - margin),
                  end = mixed ? std::min(size, count + margin) : count;
    Eigenvectors eigen = decomposeIn<float>(symmetric, size, end, workers);
    eigen.svd = svd;
    double last = eigen.values.empty()
                      ? 0
                      : std::max(eigen.values[count - 1], 0.0) /
                            std::max(eigen.values[0], 1e-300);
    if (last < 1e-5)
      reason = llvm::formatv("sigma_r^2 / sigma_1^2 is {0:e1}, below 1e-5, and "
                             "so of the size of errors in f32",
                             last);
    if (!mixed) {
      eigen.reason = reason;
      if (!eigen.values.empty())
        return eigen;
    } else if (reason.empty()) {
      refine(symmetric, size, begin, end, eigen, workers);
      eigen.vectors.resize(count * size);
      return eigen;
    }
  }
  Eigenvectors eigen = decomposeIn<double>(symmetric, size, count, workers);
  eigen.svd = Svd::Exact;
  eigen.reason = reason;
  return eigen;
}

Matrix mlir::trn::findEigenvalues(const Matrix &symmetric, int64_t size,
                                  Workers &workers) {
  Tridiagonal<double> tridiagonal =
      tridiagonalize<double>(symmetric, size, workers);
  LAPACKE_dsterf(size, tridiagonal.diagonal.data(),
                 tridiagonal.offDiagonal.data());
  std::reverse(tridiagonal.diagonal.begin(), tridiagonal.diagonal.end());
  return tridiagonal.diagonal;
}
