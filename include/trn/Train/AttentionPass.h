//===- AttentionPass.h - Attention.h ----------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRAIN_ATTENTIONPASS_H
#define TRN_TRAIN_ATTENTIONPASS_H

#include "trn/Train/Linear.h"

namespace mlir::trn {

/// Takes rows h, which are normalised, through attention and back, as a
/// `LinearPass` does, but whole sequences from their first tokens on.
class AttentionPass {
public:
  AttentionPass(const ModelConfig &config, const Layer &layer,
                const Rotary &rotary, int64_t rows);

  void forward(const float *h, float *y, RowRange sequence);
  /// After `forward`. Adds to `dh`.
  void backward(const float *dy, float *dh, RowRange sequence);

  LinearPass query, key, value, output;
  /// Of all rows. After `backward` the first three are gradients of what
  /// `query`, `key` and `value` make.
  std::vector<float> queries, keys, values, mixed;

private:
  /// The rows of a sequence; the last two are null without norms of heads.
  struct Rows {
    float *query, *key, *value, *mixed, *plainQuery, *plainKey;
  };
  Rows rowsOf(RowRange sequence);
  /// From gradients of `mixed` to those of what is rotated, and of values.
  void backwardMix(const Rows &rows, const float *mixedGradients,
                   RowRange sequence);
  /// Undoes the rotation and, for what had it, the norm of gradients.
  void backwardHeads(float *gradients, const float *plain, int64_t rows,
                     int64_t heads, const std::vector<float> &gains) const;

  const ModelConfig &config;
  const Layer &layer;
  const Rotary &rotary;
  /// Before their norms, if there are any.
  std::vector<float> plainQueries, plainKeys;
  std::vector<float> mixedGradients;
};

} // namespace mlir::trn

#endif // TRN_TRAIN_ATTENTIONPASS_H
