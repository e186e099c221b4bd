//===- Exponentials.h - Vectorized exponentials -----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_EXPONENTIALS_H
#define TRN_MODEL_EXPONENTIALS_H

#include <cstdint>

namespace mlir::trn {

/// The largest of `count` > 0 values. Unspecified if there are NaNs.
float findHighest(const float *values, int64_t count);

/// Replaces each value by `exp((value - from) * scale)`, and returns their sum,
/// in an order that depends on `count` alone.
float exponentiate(float *values, int64_t count, float from, float scale);

/// `result = 1 / (1 + exp(-x))`; both may be the same array.
void computeSigmoids(const float *x, int64_t count, float *result);

} // namespace mlir::trn

#endif // TRN_MODEL_EXPONENTIALS_H
