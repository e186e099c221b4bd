//===- Score.h - Scores of a language model ---------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_SCORE_H
#define TRN_MODEL_SCORE_H

#include "trn/Model/HostModel.h"

namespace mlir::trn {

/// How well a model predicts stories; all their tokens have equal weight.
struct Perplexity {
  int64_t stories = 0, tokens = 0; // that are predicted
  double nll = 0;                  // in all

  /// exp of the mean.
  double value() const;
};

llvm::Expected<Perplexity>
measurePerplexity(const HostModel &model,
                  llvm::ArrayRef<HostModel::Tokens> stories,
                  HostModel::Progress progress);

/// Computes the logits after each token of a sequence, a row each.
using SequenceLogits = llvm::function_ref<llvm::Expected<llvm::ArrayRef<float>>(
    llvm::ArrayRef<int32_t> tokens)>;

/// The same for a model that is not on the host.
llvm::Expected<Perplexity>
measurePerplexity(SequenceLogits model,
                  llvm::ArrayRef<HostModel::Tokens> stories,
                  HostModel::Progress progress);

/// A beginning, its possible continuations, and the right one.
struct ChoiceItem {
  HostModel::Tokens context;
  std::vector<HostModel::Tokens> choices;
  /// Bytes of each choice, or empty if unknown.
  std::vector<int64_t> lengths;
  int64_t answer = 0;
};

/// How often the most probable choice (the first of equals) is the right one.
/// `perByte` divides by lengths, if all are known.
struct ChoiceAccuracy {
  int64_t items = 0, right = 0;
  std::optional<int64_t> rightPerByte;
};

llvm::Expected<ChoiceAccuracy> measureChoices(const HostModel &model,
                                              llvm::ArrayRef<ChoiceItem> items,
                                              HostModel::Progress progress);

} // namespace mlir::trn

#endif // TRN_MODEL_SCORE_H
