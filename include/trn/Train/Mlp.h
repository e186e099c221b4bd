//===- Mlp.h - Gradients of gated MLPs --------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRAIN_MLP_H
#define TRN_TRAIN_MLP_H

#include "trn/Train/Linear.h"

namespace mlir::trn {

/// Gradients of the values of an MLP.
struct MlpGradient {
  LinearGradient gate, up, down;

  explicit MlpGradient(const Layer &layer)
      : gate(layer.gate), up(layer.up), down(layer.down) {}
};

/// Takes normalised rows h to `y = down(silu(gate(h)) * up(h))` and back, like
/// `LinearPass`.
class MlpPass {
public:
  MlpPass(const Layer &layer, int64_t rows);

  void forward(const float *h, float *y, RowRange rows);
  /// After `forward`. Adds to `dh`, unless that is null.
  void backward(const float *dy, float *dh, RowRange rows);
  /// After `backward`: adds the gradients of gate, up and down.
  void addTo(const float *h, const float *dy, RowRange rows,
             MlpGradient &gradient) const;

  LinearPass gate, up, down;
  /// For all rows. After `backward`, the first two hold gradients.
  std::vector<float> gateValues, upValues, gated;

private:
  int64_t width;
  std::vector<float> sigmoids, gatedGradients;
};

} // namespace mlir::trn

#endif // TRN_TRAIN_MLP_H
