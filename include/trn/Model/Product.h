//===- Product.h - Products of matrices in f32 ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_PRODUCT_H
#define TRN_MODEL_PRODUCT_H

#include "trn/Support/FloatTypes.h"

namespace mlir::trn {

/// A factor of a product, row by row; rows are `pitch` elements apart.
struct ProductFactor {
  const float *values;
  int64_t pitch;
  bool isTransposed = false; // is read as columns
};
inline ProductFactor transposed(const float *values, int64_t pitch) {
  return {values, pitch, true};
}

/// `result[rows, columns] = kept * result + scale * left right`, where `left`
/// is [rows, inner] and `right` [inner, columns] after transposition. Runs on
/// the calling thread alone: callers share work, and get the same sums for any
/// number of threads.
void multiply(int64_t rows, int64_t columns, int64_t inner, ProductFactor left,
              ProductFactor right, float *result, int64_t resultPitch,
              float kept = 0, float scale = 1);

/// `result[rows] = matrix x` for `matrix` [rows, columns] of f32 or bf16,
/// aligned as its type. Sums are in f32, in an order that depends on `columns`
/// alone. Runs on the calling thread.
void multiplyVector(ElementType type, const void *matrix, int64_t rows,
                    int64_t columns, const float *x, float *result);

} // namespace mlir::trn

#endif // TRN_MODEL_PRODUCT_H
