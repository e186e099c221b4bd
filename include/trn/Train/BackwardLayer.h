//===- BackwardLayer.h - Gradients at outputs of weights --------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRAIN_BACKWARDLAYER_H
#define TRN_TRAIN_BACKWARDLAYER_H

#include "trn/Model/HostModel.h"
#include "trn/Model/Stream.h"
#include "trn/Train/LayerGradient.h"

namespace mlir::trn {

/// Takes gradients of a loss from after `layer` to before it, where the stream
/// is `x`, some whole sequences at a time. `body` receives gradients at
/// outputs, and their number of rows. None depends on the number of threads.
void backwardLayer(
    const ModelConfig &config, const Layer &layer, const Rotary &rotary,
    const Stream &x, std::vector<float> &dx, unsigned threads,
    llvm::function_ref<void(const OutputGradients &, int64_t)> body);

/// Gradients after each layer, [tokens, hidden], of the summed cross-entropy of
/// all tokens except the stories' first. Layers are loaded one by one in both
/// directions; their inputs stay in memory. Fails as `HostModel` does.
llvm::Expected<std::vector<std::vector<float>>>
computeStreamGradients(const Checkpoint &checkpoint,
                       llvm::ArrayRef<HostModel::Tokens> stories,
                       unsigned threads, HostModel::Progress progress);

} // namespace mlir::trn

#endif // TRN_TRAIN_BACKWARDLAYER_H
