//===- Norm.cpp - Gradients of root mean square norms ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Train/Norm.h"

#include <cblas.h>
#include <cmath>

/// With y = s g x and s = (x x / n + epsilon)^-1/2, ds / dx = -s^3 x / n.
void mlir::trn::backwardNormalize(const float *x, const float *dy, int64_t rows,
                                  llvm::ArrayRef<float> gains, double epsilon,
                                  float *dx, float *gainGradients) {
  const int64_t columns = gains.size();
  for (int64_t row = 0; row < rows; ++row) {
    float squares = cblas_sdot(columns, x, 1, x, 1);
    float scale = 1 / std::sqrt(squares / float(columns) + float(epsilon));
    float along = 0;
    for (int64_t i = 0; i < columns; ++i)
      along += dy[i] * gains[i] * x[i];
    along *= scale * scale * scale / float(columns);
    for (int64_t i = 0; i < columns; ++i)
      dx[i] += scale * gains[i] * dy[i] - along * x[i];
    if (gainGradients)
      for (int64_t i = 0; i < columns; ++i)
        gainGradients[i] += dy[i] * x[i] * scale;
    x += columns;
    dy += columns;
    dx += columns;
  }
}
