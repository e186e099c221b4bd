//===- Algebra.h - Dense matrices in f64, by threads ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Products are shared out in blocks that do not depend on the number of
// threads, and so neither do their sums.

#ifndef TRN_LIB_COMPRESS_ALGEBRA_H
#define TRN_LIB_COMPRESS_ALGEBRA_H

#include "trn/Model/Workers.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <vector>

namespace mlir::trn {

using Matrix = std::vector<double>; // row-major

/// `body` for the starts and the sizes of all blocks of `count`, a few hundred
/// rows or columns each.
void forEachBlock(int64_t count, Workers &workers,
                  llvm::function_ref<void(int64_t, int64_t)> body);

/// `left * right`, or `left * right^T`.
Matrix multiply(const Matrix &left, const Matrix &right, int64_t rows,
                int64_t inner, int64_t columns, bool transposed,
                Workers &workers);
/// `left * right` or `left * right^T` for a `right` in f32, computed in f64 if
/// that is asked for.
std::vector<float> project(const Matrix &left, llvm::ArrayRef<float> right,
                           int64_t rows, int64_t inner, int64_t columns,
                           bool transposed, bool inF64, Workers &workers);

/// `m^T m`, or `m m^T`, of a matrix [rows, columns].
Matrix gram(const Matrix &m, int64_t rows, int64_t columns, bool ofColumns,
            Workers &workers);
/// The same for one in f32, whose columns are scaled first if `scales` are
/// given. In f64, or summed up in f32 by parts; no copy of it is made.
Matrix gram(llvm::ArrayRef<float> m, int64_t rows, int64_t columns,
            bool ofColumns, llvm::ArrayRef<double> scales, bool inF64,
            Workers &workers);

double squareOf(llvm::ArrayRef<float> values);
double meanDiagonal(const Matrix &square, int64_t size);
/// Makes a square matrix whose lower triangle is known symmetric.
void mirrorLower(Matrix &square, int64_t size, Workers &workers);

/// Some columns of a matrix [rows, columns] as rows of `transposed`, in another
/// type.
template <typename To, typename From>
void transposeColumns(const From &m, int64_t rows, int64_t columns,
                      int64_t begin, int64_t count, To *transposed) {
  // By what stays in the cache.
  const int64_t few = 32;
  for (int64_t at = 0; at < rows; at += few)
    for (int64_t j = begin; j < begin + count; ++j)
      for (int64_t i = at; i < std::min(rows, at + few); ++i)
        transposed[j * rows + i] = To(m[i * columns + j]);
}

/// A matrix [rows, columns] with its rows as columns, in another type.
template <typename To, typename From>
std::vector<To> transpose(const From &m, int64_t rows, int64_t columns) {
  std::vector<To> transposed(rows * columns);
  transposeColumns(m, rows, columns, 0, columns, transposed.data());
  return transposed;
}

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_ALGEBRA_H
