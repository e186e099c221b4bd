//===- Tridiagonal.h - Symmetric matrices by threads ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_TRIDIAGONAL_H
#define TRN_LIB_COMPRESS_TRIDIAGONAL_H

#include "trn/Model/Workers.h"
#include <cstdint>
#include <vector>

namespace mlir::trn {

/// A symmetric matrix Q T Q^T, T being tridiagonal. Q is the product of
/// reflections I - tau v v^T, v being rows that start with zeros and a 1.
template <typename T>
struct Tridiagonal {
  int64_t size = 0;
  std::vector<T> diagonal, offDiagonal;
  std::vector<T> reflectors, taus; // [size, size], [size]
};

/// Of the upper triangle of `matrix` [size, size], row-major.
template <typename T>
Tridiagonal<T> tridiagonalize(std::vector<T> matrix, int64_t size,
                              Workers &workers);

/// Multiplies each of `count` rows by Q^T: eigenvectors of T become those of
/// the matrix.
template <typename T>
void turnBack(const Tridiagonal<T> &tridiagonal, T *rows, int64_t count,
              Workers &workers);

/// The eigenvalues of T, the largest one first, and as rows the eigenvectors of
/// the first `count`. Empty if an eigenvalue was not found.
struct TridiagonalEigen {
  std::vector<double> values, vectors;
};
TridiagonalEigen decomposeTridiagonal(std::vector<double> diagonal,
                                      std::vector<double> offDiagonal,
                                      int64_t count, Workers &workers);

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_TRIDIAGONAL_H
