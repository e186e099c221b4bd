//===- Algebra.h - Dense matrices in f64 ------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_ALGEBRA_H
#define TRN_LIB_COMPRESS_ALGEBRA_H

#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace mlir::trn {

using Matrix = std::vector<double>; // row-major

/// What is added to the mean diagonal of a Gram matrix, relative to it.
constexpr double jitter = 1e-6;

/// `left * right`, or `left * right^T`.
Matrix multiply(const Matrix &left, const Matrix &right, int64_t rows,
                int64_t inner, int64_t columns, bool transposed);
/// `m^T m`, or `m m^T`, of a matrix [rows, columns].
Matrix gram(const Matrix &m, int64_t rows, int64_t columns, bool ofColumns);
double norm(llvm::ArrayRef<double> values);
double meanDiagonal(const Matrix &square, int64_t size);
/// The eigenvectors of `symmetric` as rows, the largest eigenvalue first.
Matrix decompose(Matrix symmetric, int64_t size, Matrix &values);

/// A root S of a symmetric matrix S S^T, lower triangular or any, and how to
/// divide by it.
class Root {
public:
  /// Of a Gram matrix [size, size] plus `share` of its mean diagonal.
  static Root ofGram(Matrix inputs, int64_t size, double share);
  static Root ofDiagonal(llvm::ArrayRef<double> diagonal);

  const Matrix &matrix() const { return root; }
  /// `m S^-1`, m having `rows` rows.
  Matrix divide(Matrix m, int64_t rows) const;
  /// `S^-1 m`, m having `columns` columns.
  Matrix divideLeft(Matrix m, int64_t columns) const;

private:
  int64_t size = 0;
  Matrix root;
  /// Its inverse, unless it is lower triangular.
  Matrix inverse;
};

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_ALGEBRA_H
