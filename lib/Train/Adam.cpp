//===- Adam.cpp - Steps against gradients ---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Train/Adam.h"

#include <cmath>

using namespace mlir::trn;

/// The means are of zeros, too, in the beginning, and so are divided by the
/// share of the gradients in them.
void Adam::step(llvm::MutableArrayRef<float> values,
                llvm::ArrayRef<float> gradients, double size) {
  ++steps;
  const float keepMean = float(options.meanDecay),
              keepSquares = float(options.squareDecay),
              epsilon = float(options.epsilon);
  const float rate =
      float(size / (1 - std::pow(options.meanDecay, double(steps))));
  const float squareShare =
      float(1 / (1 - std::pow(options.squareDecay, double(steps))));
  float *value = values.data(), *m = mean.data(), *v = squares.data();
  const float *gradient = gradients.data();
  for (size_t i = 0; i < values.size(); ++i) {
    m[i] = keepMean * m[i] + (1 - keepMean) * gradient[i];
    v[i] = keepSquares * v[i] + (1 - keepSquares) * gradient[i] * gradient[i];
    value[i] -= rate * m[i] / (std::sqrt(v[i] * squareShare) + epsilon);
  }
}

double mlir::trn::cosineRate(int64_t step, int64_t steps) {
  return 0.5 * (1 + std::cos(M_PI * double(step) / double(steps)));
}

double mlir::trn::rootMeanSquare(llvm::ArrayRef<float> values) {
  double squares = 0;
  for (float value : values)
    squares += double(value) * value;
  return values.empty() ? 0 : std::sqrt(squares / double(values.size()));
}
