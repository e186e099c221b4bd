//===- Cholesky.h - Lower triangles L of L L^T, by threads ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// For f32 and f64. Work is shared out in blocks that do not depend on the
// number of threads.

#ifndef TRN_LIB_COMPRESS_CHOLESKY_H
#define TRN_LIB_COMPRESS_CHOLESKY_H

#include "trn/Model/Workers.h"

namespace mlir::trn {

/// Makes the lower triangle of a symmetric matrix L, for which it is L L^T; the
/// rest stays. False if there is none.
template <typename T>
bool factorCholesky(T *square, int64_t size, Workers &workers);

/// The largest sum of magnitudes in a row of a symmetric matrix, of which the
/// lower triangle is read: a norm.
template <typename T>
double largestSum(const T *square, int64_t size);

/// The condition of L L^T in that norm, estimated from L and the norm of L L^T.
template <typename T>
double estimateCondition(const T *root, int64_t size, double norm);

/// m L^-1 in the place of m [rows, size], or m L^-T.
template <typename T>
void divideByRoot(T *m, int64_t rows, const T *root, int64_t size,
                  bool transposed, Workers &workers);

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_CHOLESKY_H
