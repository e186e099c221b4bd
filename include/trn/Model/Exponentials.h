//===- Exponentials.h - Exponentials of rows --------------------*- C++ -*-===//
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

/// The largest of `count` values, of which there is at least one; which one it
/// is if there are NaNs is not said.
float findHighest(const float *values, int64_t count);

/// Makes each value `exp((value - from) * scale)`, and returns their sum, in an
/// order that depends on nothing but `count`.
float exponentiate(float *values, int64_t count, float from, float scale);

/// `result = 1 / (1 + exp(-x))`; they may be the same.
void computeSigmoids(const float *x, int64_t count, float *result);

} // namespace mlir::trn

#endif // TRN_MODEL_EXPONENTIALS_H
