//===- CompressOptions.h - How weights become factors -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_COMPRESS_COMPRESSOPTIONS_H
#define TRN_COMPRESS_COMPRESSOPTIONS_H

#include "trn/Compress/Neurons.h"
#include "trn/Model/Config.h"
#include <algorithm>
#include <optional>

namespace mlir::trn {

/// How factors are fitted to what the whole model does: from the inputs that
/// they have in the compressed model, those that read the stream to what their
/// weights make of the whole model's, and the last one of attention and MLP to
/// what makes the stream that of the whole model.
struct FitOptions {
  /// The pull towards the weights.
  double shrink = 0.1;
  /// The last one makes up for what the layers before have lost, too.
  bool mendsStream = true;
  /// Weights of attention that stay whole are fitted anew, too.
  bool refitsAttention = false;
};

/// How fitted factors of an MLP are trained on, to bring the stream of the
/// whole model about: by Adam, with steps that fall along a cosine. So that few
/// tokens are not learned by heart, some are altered: a share of the difference
/// of two others is added to them, and what the whole MLP makes of that is what
/// the factors should, too.
struct PolishOptions {
  int64_t steps = 200;
  /// Tokens that a step sees.
  int64_t rows = 1024;
  /// Of the root mean square of a factor: what the first step moves it by.
  double share = 0.05;
  /// So many tokens for each of the MLP's columns are altered, as a share of
  /// all that there are, and at least that share.
  double alteredTokens = 8, leastAltered = 0.25;
  /// The largest share of a difference.
  double mostShare = 1;

  double alteredShare(const ModelConfig &config, int64_t tokens) const {
    return std::clamp(alteredTokens * double(config.intermediate) /
                          double(tokens),
                      leastAltered, 1.0);
  }
};

/// Which errors of outputs are alike:
/// - Outputs: those of the same size
/// - Fisher: those that cost the same loss, as far as the covariance of its
///   gradients tells
enum class ErrorMetric : uint8_t { Outputs, Fisher };
llvm::StringRef stringify(ErrorMetric metric);

struct CompressOptions {
  /// What factors keep best that are not fitted.
  Method method = Method::Whiten;
  ErrorMetric metric = ErrorMetric::Outputs;
  /// Which neurons stay where some go.
  Scores scores = Scores::Greedy;
  std::optional<FitOptions> fit = FitOptions();
  std::optional<PolishOptions> polish = std::nullopt;
  FactorOptions factoring;
};

} // namespace mlir::trn

#endif // TRN_COMPRESS_COMPRESSOPTIONS_H
