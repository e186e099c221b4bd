//===- LayerPass.h - Gradients of one layer of a model ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRAIN_LAYERPASS_H
#define TRN_LIB_TRAIN_LAYERPASS_H

#include "trn/Model/Stream.h"
#include "trn/Train/AttentionPass.h"
#include "trn/Train/LayerGradient.h"
#include "trn/Train/Mlp.h"

namespace mlir::trn {

/// The way back through one layer, from the stream x in front of it and the
/// gradients dx behind it.
class LayerPass {
public:
  LayerPass(const ModelConfig &config, const Layer &layer, const Rotary &rotary,
            const Stream &shape, unsigned threads);

  /// Computes again what lies behind the attention.
  void forwardAttention(const std::vector<float> &x);
  /// Afterwards: gradients of the factors of the MLP, and between both halves.
  void backwardMlp(const std::vector<float> &dx, LayerGradient &gradient);
  /// Afterwards: gradients of the factors of the attention, and dx in front.
  void backwardAttention(const std::vector<float> &x, std::vector<float> &dx,
                         LayerGradient &gradient);
  /// Afterwards, from the dx behind the layer: gradients at outputs.
  OutputGradients takeOutputGradients(std::vector<float> dx) {
    return {std::move(attention.queries),
            std::move(attention.keys),
            std::move(attention.values),
            std::move(middleGradient),
            std::move(mlp.gateValues),
            std::move(mlp.upValues),
            std::move(dx)};
  }

private:
  void forEachSequence(llvm::function_ref<void(RowRange)> body) const;

  const ModelConfig &config;
  const Layer &layer;
  unsigned threads;
  const Stream &shape;
  const int64_t rows, hidden;
  AttentionPass attention;
  MlpPass mlp;
  std::vector<float> attentionNormed, middle, mlpNormed, middleGradient,
      scratch; // [rows, hidden]
};

} // namespace mlir::trn

#endif // TRN_LIB_TRAIN_LAYERPASS_H
