//===- Root.h - Roots of means of x x^T -------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_ROOT_H
#define TRN_LIB_COMPRESS_ROOT_H

#include "Algebra.h"
#include "trn/Compress/Factors.h"

namespace mlir::trn {

/// What is added to the mean diagonal of a Gram matrix, relative to it.
constexpr double jitter = 1e-6;

/// A root S of a symmetric matrix S S^T: diagonal, lower triangular, or any.
class Root {
public:
  /// Of a Gram matrix [size, size] plus `share` of its mean diagonal: by
  /// Cholesky, or by its eigenvectors if that fails.
  static Root ofGram(Matrix inputs, int64_t size, double share,
                     Workers &workers);
  static Root ofEigenvectors(const Matrix &inputs, int64_t size, double added,
                             Workers &workers);
  static Root ofDiagonal(Matrix diagonal);

  /// S^T G S for a symmetric G.
  Matrix conjugate(const Matrix &inner, Workers &workers) const;
  /// m S, m having `rows` rows.
  Matrix multiply(const Matrix &m, int64_t rows, Workers &workers) const;
  /// m S^T, m having `rows` rows.
  Matrix multiplyTransposed(const Matrix &m, int64_t rows,
                            Workers &workers) const;
  /// m S^-1, m having `rows` rows.
  Matrix divide(Matrix m, int64_t rows, Workers &workers) const {
    return divideBy(std::move(m), rows, /*transposed=*/false, workers);
  }
  /// m S^-T, m having `rows` rows.
  Matrix divideTransposed(Matrix m, int64_t rows, Workers &workers) const {
    return divideBy(std::move(m), rows, /*transposed=*/true, workers);
  }
  /// S^-1 m, m having `columns` columns.
  Matrix divideLeft(Matrix m, int64_t columns, Workers &workers) const;

  RootForm form() const { return kind; }
  /// The condition of S S^T, as estimated in the norm of sums.
  double condition() const { return conditionNumber; }

private:
  Matrix divideBy(Matrix m, int64_t rows, bool transposed,
                  Workers &workers) const;

  RootForm kind = RootForm::Diagonal;
  int64_t size = 0;
  Matrix root;    // the diagonal only, if it is all
  Matrix inverse; // unless S is diagonal or triangular
  double conditionNumber = 0;
};

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_ROOT_H
