//===- Score.h - How well a language model knows a text ---------*- C++ -*-===//
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

/// How well a model predicts stories, all their tokens weighted alike.
struct Perplexity {
  int64_t stories = 0, tokens = 0; // that are predicted
  double nll = 0;                  // in all

  /// e to the mean.
  double value() const;
};

llvm::Expected<Perplexity>
measurePerplexity(const HostModel &model,
                  llvm::ArrayRef<HostModel::Tokens> stories,
                  HostModel::Progress progress);

/// Computes the logits after each token of a sequence, a row for each.
using SequenceLogits = llvm::function_ref<llvm::Expected<llvm::ArrayRef<float>>(
    llvm::ArrayRef<int32_t> tokens)>;

/// The same by a model that is not on the host.
llvm::Expected<Perplexity>
measurePerplexity(SequenceLogits model,
                  llvm::ArrayRef<HostModel::Tokens> stories,
                  HostModel::Progress progress);

/// A beginning, how it may go on, and which of these is right.
struct ChoiceItem {
  HostModel::Tokens context;
  std::vector<HostModel::Tokens> choices;
  /// Bytes of each choice, if known; otherwise none.
  std::vector<int64_t> lengths;
  int64_t answer = 0;
};

/// How often the choice that a model finds most probable is the right one, the
/// first of equals; `perByte` weighs by the length of each, if that is known of
/// all.
struct ChoiceAccuracy {
  int64_t items = 0, right = 0;
  std::optional<int64_t> rightPerByte;
};

llvm::Expected<ChoiceAccuracy> measureChoices(const HostModel &model,
                                              llvm::ArrayRef<ChoiceItem> items,
                                              HostModel::Progress progress);

} // namespace mlir::trn

#endif // TRN_MODEL_SCORE_H
