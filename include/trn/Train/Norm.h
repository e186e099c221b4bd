//===- Norm.h - Gradients of root mean square norms -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRAIN_NORM_H
#define TRN_TRAIN_NORM_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace mlir::trn {

/// Adds to `dx` the gradients of x, and to `gainGradients`, unless null, those
/// of the gains. `dy` are the gradients of `normalize(x)`.
void backwardNormalize(const float *x, const float *dy, int64_t rows,
                       llvm::ArrayRef<float> gains, double epsilon, float *dx,
                       float *gainGradients);

} // namespace mlir::trn

#endif // TRN_TRAIN_NORM_H
