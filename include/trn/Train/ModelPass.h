//===- ModelPass.h - Gradients of all layers of a model ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRAIN_MODELPASS_H
#define TRN_TRAIN_MODELPASS_H

#include "trn/Model/Stream.h"
#include "trn/Train/Linear.h"
#include <array>

namespace mlir::trn {

/// The weights of a layer, and what Hugging Face calls them in it.
constexpr unsigned weightsOfLayer = 7;
std::array<Linear *, weightsOfLayer> listWeights(Layer &layer);
llvm::StringRef nameOfWeight(unsigned weight); // self_attn.q_proj

/// Gradients of the factors of a layer; empty for weights that are whole.
using LayerGradient = std::array<LinearGradient, weightsOfLayer>;

/// Takes the stream of some sequences through all layers and back. It remembers
/// what goes into each, and computes the rest again on the way back, so that it
/// needs the memory of one layer. Gradients do not depend on the number of
/// threads.
class ModelPass {
public:
  /// `layers` may change between two ways there and back.
  ModelPass(const ModelConfig &config, std::vector<Layer> &layers,
            const Rotary &rotary, unsigned threads)
      : config(config), layers(layers), rotary(rotary), threads(threads),
        inputs(layers.size()) {}

  void forward(Stream &x);
  /// After `forward`: from the gradients of what it made to those of factors,
  /// which become `gradients`.
  void backward(Stream &dx, std::vector<LayerGradient> &gradients);

private:
  const ModelConfig &config;
  std::vector<Layer> &layers;
  const Rotary &rotary;
  unsigned threads;
  std::vector<std::vector<float>> inputs; // of each layer
};

/// `body` for pieces of `rows` rows, the same ones for any number of threads.
void forEachPiece(int64_t rows, unsigned threads,
                  llvm::function_ref<void(RowRange)> body);

} // namespace mlir::trn

#endif // TRN_TRAIN_MODELPASS_H
