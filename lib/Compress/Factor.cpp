//===- Factor.cpp - Two factors for a weight ------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// All matrices are row-major. What LAPACK, whose matrices are column-major,
// leaves as eigenvectors in columns are rows here; a symmetric matrix is the
// same either way.

#include "trn/Compress/Factor.h"

#include "llvm/ADT/STLExtras.h"
#include <cblas.h>
#include <cmath>
#include <lapacke.h>

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

using Matrix = std::vector<double>;

/// What is added to the mean diagonal of a Gram matrix, relative to it.
static constexpr double jitter = 1e-6;
/// Singular values below this, relative to the first, are noise.
static constexpr double sigmaFloor = 1e-7;

/// `left * right`, or `left * right^T`.
static Matrix multiply(const Matrix &left, const Matrix &right, int64_t rows,
                       int64_t inner, int64_t columns, bool transposed) {
  Matrix result(rows * columns);
  cblas_dgemm(CblasRowMajor, CblasNoTrans,
              transposed ? CblasTrans : CblasNoTrans, rows, columns, inner, 1,
              left.data(), inner, right.data(), transposed ? inner : columns, 0,
              result.data(), columns);
  return result;
}

/// `m^T m`, or `m m^T`, of a matrix [rows, columns].
static Matrix gram(const Matrix &m, int64_t rows, int64_t columns,
                   bool ofColumns) {
  int64_t size = ofColumns ? columns : rows;
  Matrix result(size * size);
  cblas_dsyrk(CblasRowMajor, CblasLower, ofColumns ? CblasTrans : CblasNoTrans,
              size, ofColumns ? rows : columns, 1, m.data(), columns, 0,
              result.data(), size);
  for (int64_t i = 0; i < size; ++i)
    for (int64_t j = 0; j < i; ++j)
      result[j * size + i] = result[i * size + j];
  return result;
}

static double norm(llvm::ArrayRef<double> values) {
  return cblas_dnrm2(values.size(), values.data(), 1);
}

/// The eigenvectors of `symmetric` as rows, the largest eigenvalue first.
static Matrix decompose(Matrix symmetric, int64_t size, Matrix &values) {
  values.resize(size);
  LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', size, symmetric.data(), size,
                 values.data());
  for (int64_t i = 0; i < size / 2; ++i) {
    std::swap(values[i], values[size - 1 - i]);
    std::swap_ranges(symmetric.begin() + i * size,
                     symmetric.begin() + (i + 1) * size,
                     symmetric.begin() + (size - 1 - i) * size);
  }
  return symmetric;
}

//===----------------------------------------------------------------------===//
// A root S of the mean of x x^T
//===----------------------------------------------------------------------===//

namespace {
/// A matrix S, lower triangular or any, and how to divide by it.
class Root {
public:
  /// Of the mean of x x^T, plus some of its mean diagonal.
  static Root ofGram(const Matrix &inputs, int64_t size);
  static Root ofDiagonal(llvm::ArrayRef<double> diagonal);

  const Matrix &matrix() const { return root; }
  /// `m S^-1`, m having `rows` rows.
  Matrix divide(Matrix m, int64_t rows) const;

private:
  int64_t size = 0;
  Matrix root;
  /// Its inverse, unless it is lower triangular.
  Matrix inverse;
};
} // namespace

Root Root::ofDiagonal(llvm::ArrayRef<double> diagonal) {
  Root made;
  made.size = diagonal.size();
  made.root.resize(made.size * made.size);
  for (int64_t i = 0; i < made.size; ++i)
    made.root[i * made.size + i] = diagonal[i];
  return made;
}

Root Root::ofGram(const Matrix &inputs, int64_t size) {
  double trace = 0;
  for (int64_t i = 0; i < size; ++i)
    trace += inputs[i * size + i];
  double added = trace > 0 ? jitter * trace / double(size) : jitter;
  Root made;
  made.size = size;
  made.root = inputs;
  for (int64_t i = 0; i < size; ++i)
    made.root[i * size + i] += added;
  // Upper in columns is lower in rows.
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', size, made.root.data(), size) ==
      0) {
    for (int64_t i = 0; i < size; ++i)
      std::fill_n(made.root.begin() + i * size + i + 1, size - i - 1, 0.0);
    return made;
  }
  Matrix values, vectors = decompose(inputs, size, values);
  made.root.assign(size * size, 0);
  made.inverse.assign(size * size, 0);
  for (int64_t i = 0; i < size; ++i) {
    double scale = std::sqrt(std::max(values[i], 0.0) + added);
    for (int64_t j = 0; j < size; ++j) {
      made.root[j * size + i] = vectors[i * size + j] * scale;
      made.inverse[i * size + j] = vectors[i * size + j] / scale;
    }
  }
  return made;
}

Matrix Root::divide(Matrix m, int64_t rows) const {
  if (!inverse.empty())
    return multiply(m, inverse, rows, size, size, /*transposed=*/false);
  cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit,
              rows, size, 1, root.data(), size, m.data(), size);
  return m;
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

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
  void balance();
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
    return Root::ofGram(statistics.inputs, in);
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

/// One norm for each column of U and row of V: no number leaves the range of a
/// narrow type on one side only.
void Factoring::balance() {
  for (int64_t i = 0; i < rank; ++i) {
    double a = norm({first.data() + i * in, size_t(in)});
    double b = norm({second.data() + i * out, size_t(out)});
    double scale = a > 0 && b > 0 ? std::sqrt(b / a) : 1;
    cblas_dscal(in, scale, first.data() + i * in, 1);
    cblas_dscal(out, 1 / scale, second.data() + i * out, 1);
  }
}

static double relative(double lost, double all) {
  return all > 0 ? std::sqrt(std::max(lost, 0.0) / all) : 0;
}

Factors Factoring::run() {
  if (in < out)
    factorByInputs();
  else
    factorByOutputs();
  balance();
  Factors factors;
  factors.first.assign(first.begin(), first.end());
  factors.second.resize(out * rank);
  for (int64_t i = 0; i < rank; ++i)
    for (int64_t j = 0; j < out; ++j)
      factors.second[j * rank + i] = float(second[i * out + j]);
  double lost = 0, all = 0;
  for (auto [i, value] : llvm::enumerate(values)) {
    all += std::max(value, 0.0);
    lost += int64_t(i) < rank ? 0 : std::max(value, 0.0);
  }
  factors.outputError = relative(lost, all);
  factors.lastSigma = values[0] > 0 ? sigma(rank - 1) / sigma(0) : 0;
  double size = norm(weight);
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, out, in, rank, -1,
              second.data(), out, first.data(), in, 1, weight.data(), in);
  factors.weightError = size > 0 ? norm(weight) / size : 0;
  return factors;
}

Factors mlir::trn::factor(llvm::ArrayRef<float> weight, int64_t out, int64_t in,
                          int64_t rank, Method method,
                          const Statistics &statistics) {
  return Factoring(weight, out, in, rank, method, statistics).run();
}
