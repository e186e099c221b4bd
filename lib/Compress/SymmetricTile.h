//===- SymmetricTile.h - A tile of a symmetric matrix, times x --*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_SYMMETRICTILE_H
#define TRN_LIB_COMPRESS_SYMMETRICTILE_H

#include <cstdint>

namespace mlir::trn {

/// Of a tile A [rows, columns] and the one across the diagonal, which is its
/// transpose: adds A `right` to `toRows` and A^T `left` to `toColumns`. A is
/// read once, which is what takes time.
void addTileAndTurned(const float *a, int64_t pitch, int64_t rows,
                      int64_t columns, const float *left, const float *right,
                      float *toRows, float *toColumns);
void addTileAndTurned(const double *a, int64_t pitch, int64_t rows,
                      int64_t columns, const double *left, const double *right,
                      double *toRows, double *toColumns);

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_SYMMETRICTILE_H
