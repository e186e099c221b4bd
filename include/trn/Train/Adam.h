//===- Adam.h - Steps against gradients -------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRAIN_ADAM_H
#define TRN_TRAIN_ADAM_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace mlir::trn {

/// Kingma, Ba: Adam, a method for stochastic optimization, 2015.
struct AdamOptions {
  double meanDecay = 0.9, squareDecay = 0.99, epsilon = 1e-12;
};

/// Adam's memory of the gradients of one tensor.
class Adam {
public:
  Adam(size_t size, const AdamOptions &options = {})
      : options(options), mean(size), squares(size) {}

  /// Moves each value by about `size`.
  void step(llvm::MutableArrayRef<float> values,
            llvm::ArrayRef<float> gradients, double size);

private:
  AdamOptions options;
  int64_t steps = 0;
  std::vector<float> mean, squares;
};

/// From 1 at step 0 to 0 at step `steps`, along a cosine.
double cosineRate(int64_t step, int64_t steps);

double rootMeanSquare(llvm::ArrayRef<float> values);

} // namespace mlir::trn

#endif // TRN_TRAIN_ADAM_H
