//===- LayerGradient.h - Gradients of the factors of layers -----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRAIN_LAYERGRADIENT_H
#define TRN_TRAIN_LAYERGRADIENT_H

#include "trn/Train/Linear.h"
#include <array>
#include <set>

namespace mlir::trn {

/// The weights of a layer, and their names by Hugging Face.
constexpr unsigned weightsOfLayer = 7;
std::array<Linear *, weightsOfLayer> listWeights(Layer &layer);
std::string moduleOf(unsigned layer, unsigned weight);

/// Gradients at the outputs of the weights of a layer, [rows, out] each.
using OutputGradients = std::array<std::vector<float>, weightsOfLayer>;

/// Gradients of a layer; empty for weights that are not trained.
using LayerGradient = std::array<LinearGradient, weightsOfLayer>;
/// Zeros for all factors except those of `frozen` modules, and for the weights
/// of `whole` modules.
std::vector<LayerGradient>
makeGradients(std::vector<Layer> &layers,
              const std::set<std::string> &frozen = {},
              const std::set<std::string> &whole = {});

} // namespace mlir::trn

#endif // TRN_TRAIN_LAYERGRADIENT_H
