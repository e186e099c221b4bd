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
#include <set>

namespace mlir::trn {

/// The weights of a layer, and what Hugging Face calls them in it.
constexpr unsigned weightsOfLayer = 7;
std::array<Linear *, weightsOfLayer> listWeights(Layer &layer);
std::string moduleOf(unsigned layer, unsigned weight);

/// Gradients of the factors of a layer; empty for what is not trained.
using LayerGradient = std::array<LinearGradient, weightsOfLayer>;
/// Zeros for all factors but those of `frozen` modules.
std::vector<LayerGradient>
makeGradients(std::vector<Layer> &layers,
              const std::set<std::string> &frozen = {});

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
  /// After `forward`: takes the gradients of what it made to those of what it
  /// read, and adds to those of factors that are not empty.
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
