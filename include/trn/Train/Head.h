//===- Head.h - Losses at the head of a model -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRAIN_HEAD_H
#define TRN_TRAIN_HEAD_H

#include "trn/Model/Checkpoint.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>

namespace mlir::trn {

/// The end of a model, which is not trained: the last norm and the output
/// embedding. From rows x of the stream it computes a loss each, and sets `dx`
/// to the gradient of their sum times `scale`. It needs memory for the logits
/// of these rows, twice for divergences.
class Head {
public:
  /// Fails if a weight is not finite.
  static llvm::Expected<Head> load(const Checkpoint &checkpoint);

  /// The cross-entropy of the next tokens; 0 if a token is -1.
  void computeLosses(const float *x, llvm::ArrayRef<int32_t> tokens,
                     float scale, float *losses, float *dx) const;
  /// The Kullback-Leibler divergence from the predictions of another model,
  /// whose normalised stream is `others`.
  void computeDivergences(const float *x, const float *others, int64_t rows,
                          float scale, float *losses, float *dx) const;

private:
  using Buffer = std::unique_ptr<float[]>;
  Buffer computeLogits(const float *normed, int64_t rows) const;
  /// `backwardRow` replaces the logits of a row by their gradients.
  void compute(const float *x, int64_t rows, float *dx,
               llvm::function_ref<void(int64_t, float *)> backwardRow) const;

  int64_t hidden = 0, vocabulary = 0;
  double epsilon = 0;
  std::vector<float> gains, words; // [vocabulary, hidden]
};

} // namespace mlir::trn

#endif // TRN_TRAIN_HEAD_H
