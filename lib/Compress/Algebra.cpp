//===- Algebra.cpp - Dense matrices in f64 --------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// All matrices are row-major. What LAPACK, whose matrices are column-major,
// leaves as eigenvectors in columns are rows here; a symmetric matrix is the
// same either way.

#include "Algebra.h"

#include <cblas.h>
#include <cmath>
#include <lapacke.h>

using namespace mlir::trn;

Matrix mlir::trn::multiply(const Matrix &left, const Matrix &right,
                           int64_t rows, int64_t inner, int64_t columns,
                           bool transposed) {
  Matrix result(rows * columns);
  cblas_dgemm(CblasRowMajor, CblasNoTrans,
              transposed ? CblasTrans : CblasNoTrans, rows, columns, inner, 1,
              left.data(), inner, right.data(), transposed ? inner : columns, 0,
              result.data(), columns);
  return result;
}

Matrix mlir::trn::gram(const Matrix &m, int64_t rows, int64_t columns,
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

double mlir::trn::norm(llvm::ArrayRef<double> values) {
  return cblas_dnrm2(values.size(), values.data(), 1);
}

Matrix mlir::trn::decompose(Matrix symmetric, int64_t size, Matrix &values) {
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

Root Root::ofDiagonal(llvm::ArrayRef<double> diagonal) {
  Root made;
  made.size = diagonal.size();
  made.root.resize(made.size * made.size);
  for (int64_t i = 0; i < made.size; ++i)
    made.root[i * made.size + i] = diagonal[i];
  return made;
}

double mlir::trn::meanDiagonal(const Matrix &square, int64_t size) {
  double trace = 0;
  for (int64_t i = 0; i < size; ++i)
    trace += square[i * size + i];
  return trace / double(size);
}

Root Root::ofGram(Matrix inputs, int64_t size, double share) {
  double mean = meanDiagonal(inputs, size);
  double added = mean > 0 ? share * mean : share;
  Root made;
  made.size = size;
  std::vector<double> diagonal(size);
  for (int64_t i = 0; i < size; ++i) {
    diagonal[i] = inputs[i * size + i];
    inputs[i * size + i] += added;
  }
  // Upper in columns is lower in rows: the other half stays as it is.
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', size, inputs.data(), size) == 0) {
    for (int64_t i = 0; i < size; ++i)
      std::fill_n(inputs.begin() + i * size + i + 1, size - i - 1, 0.0);
    made.root = std::move(inputs);
    return made;
  }
  for (int64_t i = 0; i < size; ++i) {
    inputs[i * size + i] = diagonal[i];
    for (int64_t j = 0; j < i; ++j)
      inputs[i * size + j] = inputs[j * size + i];
  }
  Matrix values, vectors = decompose(std::move(inputs), size, values);
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

Matrix Root::divideLeft(Matrix m, int64_t columns) const {
  if (!inverse.empty())
    return multiply(inverse, m, size, size, columns, /*transposed=*/false);
  cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit,
              size, columns, 1, root.data(), size, m.data(), columns);
  return m;
}

Matrix Root::divide(Matrix m, int64_t rows) const {
  if (!inverse.empty())
    return multiply(m, inverse, rows, size, size, /*transposed=*/false);
  cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit,
              rows, size, 1, root.data(), size, m.data(), size);
  return m;
}
