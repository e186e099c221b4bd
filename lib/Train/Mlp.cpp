//===- Mlp.cpp - Gradients of gated MLPs ----------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Train/Mlp.h"

#include "trn/Model/Exponentials.h"

using namespace mlir::trn;

MlpPass::MlpPass(const Layer &layer, int64_t rows)
    : gate(layer.gate, rows), up(layer.up, rows), down(layer.down, rows),
      gateValues(rows * layer.gate.out), upValues(rows * layer.up.out),
      gated(rows * layer.down.in), width(layer.down.in),
      sigmoids(rows * layer.gate.out), gatedGradients(rows * layer.down.in) {}

void MlpPass::forward(const float *h, float *y, RowRange rows) {
  gate.forward(h, gateValues.data(), rows);
  up.forward(h, upValues.data(), rows);
  const int64_t begin = rows.first * width, end = begin + rows.count * width;
  computeSigmoids(gateValues.data() + begin, end - begin,
                  sigmoids.data() + begin);
  for (int64_t i = begin; i < end; ++i)
    gated[i] = gateValues[i] * sigmoids[i] * upValues[i];
  down.forward(gated.data(), y, rows);
}

/// With s = sigmoid(g): d(g s) / dg = s + g s (1 - s).
void MlpPass::backward(const float *dy, float *dh, RowRange rows) {
  const int64_t begin = rows.first * width, end = begin + rows.count * width;
  std::fill(gatedGradients.begin() + begin, gatedGradients.begin() + end, 0);
  down.backward(dy, gatedGradients.data(), rows);
  for (int64_t i = begin; i < end; ++i) {
    float s = sigmoids[i], silu = gateValues[i] * s;
    float gradient = gatedGradients[i];
    gateValues[i] = gradient * upValues[i] * (s + silu * (1 - s));
    upValues[i] = gradient * silu;
  }
  gate.backward(gateValues.data(), dh, rows);
  up.backward(upValues.data(), dh, rows);
}

void MlpPass::addTo(const float *h, const float *dy, RowRange rows,
                    MlpGradient &gradient) const {
  gate.addTo(h, gateValues.data(), rows, gradient.gate);
  up.addTo(h, upValues.data(), rows, gradient.up);
  down.addTo(gated.data(), dy, rows, gradient.down);
}
