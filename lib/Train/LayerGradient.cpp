//===- LayerGradient.cpp - Gradients of the factors of layers -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Train/LayerGradient.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;

std::array<Linear *, weightsOfLayer> mlir::trn::listWeights(Layer &layer) {
  return {&layer.query, &layer.key, &layer.value, &layer.output,
          &layer.gate,  &layer.up,  &layer.down};
}

std::string mlir::trn::moduleOf(unsigned layer, unsigned weight) {
  static constexpr llvm::StringLiteral names[weightsOfLayer] = {
      "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj",
      "self_attn.o_proj", "mlp.gate_proj",    "mlp.up_proj",
      "mlp.down_proj"};
  return llvm::formatv("model.layers.{0}.{1}", layer, names[weight]);
}

std::vector<LayerGradient>
mlir::trn::makeGradients(std::vector<Layer> &layers,
                         const std::set<std::string> &frozen,
                         const std::set<std::string> &whole) {
  std::vector<LayerGradient> gradients(layers.size());
  for (unsigned number = 0; number < layers.size(); ++number)
    for (auto [weight, linear] : llvm::enumerate(listWeights(layers[number]))) {
      const std::string module = moduleOf(number, weight);
      if (linear->rank ? !frozen.count(module) : whole.count(module))
        gradients[number][weight] = LinearGradient(*linear);
    }
  return gradients;
}
