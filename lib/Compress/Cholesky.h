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
#include <vector>

namespace mlir::trn {

/// Makes the lower triangle of a symmetric matrix L, for which it is L L^T; the
/// rest stays. False if there is none.
template <typename T>
bool factorCholesky(std::vector<T> &square, int64_t size, Workers &workers);

/// The largest sum of magnitudes in a row: a norm.
template <typename T>
double largestSum(const std::vector<T> &square, int64_t size);

/// The condition of L L^T in that norm, estimated from L and the norm of L L^T.
template <typename T>
double estimateCondition(const std::vector<T> &root, int64_t size, double norm);

/// m L^-1 in the place of m [rows, size], or m L^-T.
template <typename T>
void divideByRoot(std::vector<T> &m, int64_t rows, const std::vector<T> &root,
                  int64_t size, bool transposed, Workers &workers);

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_CHOLESKY_H
