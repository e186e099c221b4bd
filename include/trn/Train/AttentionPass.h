//===- AttentionPass.h - Gradients of attention -----------------*- C++ -*-===//
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

/// Takes normalised rows h through attention and back. Works like `LinearPass`,
/// but on whole sequences from their first tokens on.
class AttentionPass {
public:
  AttentionPass(const ModelConfig &config, const Layer &layer,
                const Rotary &rotary, int64_t rows);

  void forward(const float *h, float *y, RowRange sequence);
  /// After `forward`. Adds to `dh`.
  void backward(const float *dy, float *dh, RowRange sequence);

  LinearPass query, key, value, output;
  /// For all rows. After `backward`, the first three hold gradients of the
  /// results of `query`, `key` and `value`.
  std::vector<float> queries, keys, values, mixed;

private:
  /// The rows of a sequence; the last two are null without head norms.
  struct Rows {
    float *query, *key, *value, *mixed, *plainQuery, *plainKey;
  };
  Rows rowsOf(RowRange sequence);
  /// From gradients of `mixed` to those of rotated queries and keys, and of
  /// values.
  void backwardMix(const Rows &rows, const float *mixedGradients,
                   RowRange sequence);
  /// Takes gradients back through the rotation and the head norm, if any.
  void backwardHeads(float *gradients, const float *plain, int64_t rows,
                     int64_t heads, const std::vector<float> &gains) const;

  const ModelConfig &config;
  const Layer &layer;
  const Rotary &rotary;
  /// Values before head norms, if there are any.
  std::vector<float> plainQueries, plainKeys;
  std::vector<float> mixedGradients;
};

} // namespace mlir::trn

#endif // TRN_TRAIN_ATTENTIONPASS_H
