//===- LayerInputs.cpp - What comes to the weights of a layer ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayerInputs.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;

LayerInputs mlir::trn::runLayer(const ModelConfig &config, const Layer &layer,
                                const Rotary &rotary, float *x, int64_t rows) {
  LayerInputs inputs;
  auto add = [&](const std::vector<float> &values) {
    for (auto [i, value] : llvm::enumerate(values))
      x[i] += value;
  };
  AttentionValues attention = computeMixed(config, layer, rotary, x, rows);
  add(layer.output.apply(attention.mixed.data(), rows));
  inputs.attention = std::move(attention.normed);
  inputs.mixed = std::move(attention.mixed);
  MlpValues mlp = computeGated(config, layer, x, rows);
  add(layer.down.apply(mlp.gated.data(), rows));
  inputs.mlp = std::move(mlp.normed);
  inputs.gated = std::move(mlp.gated);
  return inputs;
}
