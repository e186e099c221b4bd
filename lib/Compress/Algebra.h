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
#include <vector>

namespace mlir::trn {

using Matrix = std::vector<double>; // row-major

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

/// Makes the lower triangle of a symmetric matrix L, for which it is L L^T; the
/// rest stays. False if there is none.
bool factorCholesky(Matrix &square, int64_t size, Workers &workers);

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_ALGEBRA_H
