//===- Root.cpp - Roots of means of x x^T ---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Root.h"

#include "Blas.h"
#include "Cholesky.h"
#include "Eigen.h"
#include <cmath>

using namespace mlir::trn;

//===----------------------------------------------------------------------===//
// Making roots
//===----------------------------------------------------------------------===//

Root Root::ofDiagonal(Matrix diagonal) {
  Root made;
  made.size = diagonal.size();
  made.root = std::move(diagonal);
  return made;
}

Root Root::ofEigenvectors(const Matrix &inputs, int64_t size, double added,
                          Workers &workers) {
  Eigenvectors eigen = decompose(inputs, size, size, Svd::Exact, workers);
  Root made;
  made.kind = RootForm::Eigenvectors;
  made.size = size;
  made.root.resize(size * size);
  made.inverse.resize(size * size);
  for (int64_t i = 0; i < size; ++i) {
    double scale = std::sqrt(std::max(eigen.values[i], 0.0) + added);
    for (int64_t j = 0; j < size; ++j) {
      made.root[j * size + i] = eigen.vectors[i * size + j] * scale;
      made.inverse[i * size + j] = eigen.vectors[i * size + j] / scale;
    }
  }
  made.conditionNumber = (std::max(eigen.values[0], 0.0) + added) /
                         (std::max(eigen.values[size - 1], 0.0) + added);
  return made;
}

Root Root::ofGram(Matrix inputs, int64_t size, double share, Workers &workers) {
  double mean = meanDiagonal(inputs, size);
  double added = mean > 0 ? share * mean : share;
  Matrix diagonal(size);
  for (int64_t i = 0; i < size; ++i) {
    diagonal[i] = inputs[i * size + i];
    inputs[i * size + i] += added;
  }
  const double sum = largestSum(inputs.data(), size);
  Root made;
  made.size = size;
  if (factorCholesky(inputs.data(), size, workers)) {
    made.kind = RootForm::Cholesky;
    made.conditionNumber = estimateCondition(inputs.data(), size, sum);
    for (int64_t i = 0; i < size; ++i)
      std::fill_n(inputs.begin() + i * size + i + 1, size - i - 1, 0.0);
    made.root = std::move(inputs);
    return made;
  }
  // What is above the diagonal is still there.
  for (int64_t i = 0; i < size; ++i) {
    inputs[i * size + i] = diagonal[i];
    for (int64_t j = 0; j < i; ++j)
      inputs[i * size + j] = inputs[j * size + i];
  }
  return ofEigenvectors(inputs, size, added, workers);
}

//===----------------------------------------------------------------------===//
// Using them
//===----------------------------------------------------------------------===//

Matrix Root::conjugate(const Matrix &inner, Workers &workers) const {
  Matrix result = inner;
  if (kind == RootForm::Diagonal) {
    for (int64_t i = 0; i < size; ++i)
      for (int64_t j = 0; j < size; ++j)
        result[i * size + j] *= root[i] * root[j];
    return result;
  }
  // Some columns, or rows, need but what is below the diagonal of a triangular
  // root.
  const bool isLower = kind == RootForm::Cholesky;
  Matrix product(size * size);
  forEachBlock(size, workers, [&](int64_t at, int64_t count) {
    const int64_t from = isLower ? at : 0;
    blas::gemm(blas::asIs, blas::asIs, size, count, size - from, 1.0,
               inner.data() + from, size, root.data() + from * size + at, size,
               0.0, product.data() + at, size);
  });
  forEachBlock(size, workers, [&](int64_t at, int64_t count) {
    const int64_t from = isLower ? at : 0;
    blas::gemm(blas::transposed, blas::asIs, count, std::min(size, at + count),
               size - from, 1.0, root.data() + from * size + at, size,
               product.data() + from * size, size, 0.0,
               result.data() + at * size, size);
  });
  mirrorLower(result, size, workers);
  return result;
}

Matrix Root::multiply(const Matrix &m, int64_t rows, Workers &workers) const {
  if (kind == RootForm::Diagonal)
    return multiplyTransposed(m, rows, workers);
  Matrix result(rows * size);
  forEachBlock(size, workers, [&](int64_t at, int64_t count) {
    const int64_t from = kind == RootForm::Cholesky ? at : 0;
    blas::gemm(blas::asIs, blas::asIs, rows, count, size - from, 1.0,
               m.data() + from, size, root.data() + from * size + at, size, 0.0,
               result.data() + at, size);
  });
  return result;
}

Matrix Root::multiplyTransposed(const Matrix &m, int64_t rows,
                                Workers &workers) const {
  Matrix result(rows * size);
  if (kind == RootForm::Diagonal) {
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < size; ++j)
        result[i * size + j] = m[i * size + j] * root[j];
    return result;
  }
  forEachBlock(size, workers, [&](int64_t at, int64_t count) {
    const int64_t inner = kind == RootForm::Cholesky ? at + count : size;
    blas::gemm(blas::asIs, blas::transposed, rows, count, inner, 1.0, m.data(),
               size, root.data() + at * size, size, 0.0, result.data() + at,
               size);
  });
  return result;
}

Matrix Root::divideBy(Matrix m, int64_t rows, bool transposed,
                      Workers &workers) const {
  switch (kind) {
  case RootForm::Eigenvectors:
    return trn::multiply(m, inverse, rows, size, size, transposed, workers);
  case RootForm::Cholesky:
    divideByRoot(m.data(), rows, root.data(), size, transposed, workers);
    return m;
  case RootForm::Diagonal:
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < size; ++j)
        m[i * size + j] /= root[j];
    return m;
  }
  return m;
}

Matrix Root::divideLeft(Matrix m, int64_t columns, Workers &workers) const {
  if (kind == RootForm::Eigenvectors)
    return trn::multiply(inverse, m, size, size, columns, /*transposed=*/false,
                         workers);
  forEachBlock(columns, workers, [&](int64_t at, int64_t count) {
    if (kind == RootForm::Cholesky)
      return cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans,
                         CblasNonUnit, size, count, 1, root.data(), size,
                         m.data() + at, columns);
    for (int64_t i = 0; i < size; ++i)
      for (int64_t j = at; j < at + count; ++j)
        m[i * columns + j] /= root[i];
  });
  return m;
}
