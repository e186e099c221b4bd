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
#include "trn/Train/LayerGradient.h"

namespace mlir::trn {

/// Takes the stream of some sequences through all layers and back. It keeps the
/// input of each layer, and computes the rest again on the way back, so it
/// needs the memory of one layer. Gradients do not depend on the number of
/// threads.
class ModelPass {
public:
  /// `layers` may change after each pass in both directions.
  ModelPass(const ModelConfig &config, std::vector<Layer> &layers,
            const Rotary &rotary, unsigned threads)
      : config(config), layers(layers), rotary(rotary), threads(threads),
        inputs(layers.size()) {}

  void forward(Stream &x);
  /// After `forward`: takes the gradients of its results to those of its
  /// inputs, and adds to those of factors that are not empty.
  void backward(Stream &dx, std::vector<LayerGradient> &gradients);

private:
  const ModelConfig &config;
  std::vector<Layer> &layers;
  const Rotary &rotary;
  unsigned threads;
  std::vector<std::vector<float>> inputs; // of each layer
};

} // namespace mlir::trn

#endif // TRN_TRAIN_MODELPASS_H
