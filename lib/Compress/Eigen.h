//===- Eigen.h - The largest eigenvectors -----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_EIGEN_H
#define TRN_LIB_COMPRESS_EIGEN_H

#include "Algebra.h"
#include "trn/Compress/Factors.h"

namespace mlir::trn {

/// Up to this size f32 saves no time worth its errors, and threads have no work
/// worth sharing.
constexpr int64_t smallSize = 1024;

struct Eigenvectors {
  Matrix values;  // all, the largest one first
  Matrix vectors; // of so many as were asked for, as rows
  /// How they were found, and why not as was asked.
  Svd svd;
  std::string reason;
};

/// Of `symmetric` [size, size], `count` of them. The bytes do not depend on the
/// number of threads.
Eigenvectors decompose(const Matrix &symmetric, int64_t size, int64_t count,
                       Svd svd, Workers &workers);

/// All eigenvalues, the largest one first.
Matrix findEigenvalues(const Matrix &symmetric, int64_t size, Workers &workers);

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_EIGEN_H
