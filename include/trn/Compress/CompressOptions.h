//===- CompressOptions.h - Options for making factors -----------*- C++ -*-===//
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

/// Fits factors to the whole model, given their inputs in the compressed model.
/// Weights that read the stream are fitted to the outputs that the whole model
/// has there. The last weight of attention and of an MLP is fitted to bring the
/// stream to that of the whole model.
struct FitOptions {
  /// Strength of the pull towards the weights.
  double shrink = 0.1;
  /// The last weight also makes up for losses of earlier layers.
  bool mendsStream = true;
  /// Whole weights of attention are fitted again, too.
  bool refitsAttention = false;
};

/// Trains fitted factors of an MLP further, to restore the stream of the whole
/// model: by Adam, with steps that fall along a cosine. Some tokens are altered
/// against overfitting: each gets a share of the difference of two others. The
/// target is then the whole MLP's output for the altered token.
struct PolishOptions {
  int64_t steps = 200;
  /// Tokens per step.
  int64_t rows = 1024;
  /// Size of the first step, relative to the root mean square of a factor.
  double share = 0.05;
  /// Altered tokens per column of the MLP, as a share of all tokens, and the
  /// least such share.
  double alteredTokens = 8, leastAltered = 0.25;
  /// The largest share of a difference that is added.
  double mostShare = 1;

  double alteredShare(const ModelConfig &config, int64_t tokens) const {
    return std::clamp(alteredTokens * double(config.intermediate) /
                          double(tokens),
                      leastAltered, 1.0);
  }
};

/// The measure of output errors:
/// - Outputs: their size
/// - Fisher: their cost in loss, by the covariance of its gradients
enum class ErrorMetric : uint8_t { Outputs, Fisher };
llvm::StringRef stringify(ErrorMetric metric);

struct CompressOptions {
  /// What factors preserve best if they are not fitted.
  Method method = Method::Whiten;
  ErrorMetric metric = ErrorMetric::Outputs;
  /// The choice of neurons that stay.
  Scores scores = Scores::Greedy;
  std::optional<FitOptions> fit = FitOptions();
  std::optional<PolishOptions> polish = std::nullopt;
  FactorOptions factoring;
};

} // namespace mlir::trn

#endif // TRN_COMPRESS_COMPRESSOPTIONS_H
