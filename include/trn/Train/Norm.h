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

/// From gradients `dy` of `normalize(x)` adds those of x to `dx`, and those of
/// the gains to `gainGradients`, unless that is null.
void backwardNormalize(const float *x, const float *dy, int64_t rows,
                       llvm::ArrayRef<float> gains, double epsilon, float *dx,
                       float *gainGradients);

} // namespace mlir::trn

#endif // TRN_TRAIN_NORM_H
