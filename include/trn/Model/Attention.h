//===- Attention.h - Heads and positions of attention -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_ATTENTION_H
#define TRN_MODEL_ATTENTION_H

#include "trn/Model/Config.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::trn {

/// Some rows of one head of a sequence. They see no position after the last
/// one.
struct HeadBlock {
  int64_t head = 0, first = 0, count = 0;
  int64_t past = 0; // positions before row 0

  int64_t seen() const { return past + first + count; }
};

/// The heads of the last `rows` rows of a sequence, after `past` rows. Queries
/// are [rows, heads, headDim]; keys and values are [past + rows, kvHeads,
/// headDim].
class Heads {
public:
  Heads(int64_t headDim, int64_t heads, int64_t kvHeads,
        std::optional<int64_t> window, int64_t rows, int64_t past = 0)
      : width(headDim), heads(heads), shared(heads / kvHeads), rows(rows),
        past(past), window(window.value_or(past + rows)) {}

  /// Elements between rows.
  int64_t queryPitch() const { return heads * width; }
  int64_t keyPitch() const { return heads / shared * width; }
  /// Offsets of a block in queries, and of its visible keys and values.
  int64_t queryOffset(const HeadBlock &block) const {
    return block.first * queryPitch() + block.head * width;
  }
  int64_t keyOffset(const HeadBlock &block) const {
    return block.head / shared * width;
  }
  float scale() const;

  /// Calls `body` for all blocks, head by head. `weights` is memory for [count,
  /// seen] elements of a block.
  void forEachBlock(
      llvm::function_ref<void(const HeadBlock &, float *weights)> body) const;
  /// Softmax weights [count, seen] of a block, from rotated queries and keys.
  void weigh(const HeadBlock &block, const float *query, const float *key,
             float *weights) const;
  /// The input of `output`, [rows, heads, headDim].
  void mix(const float *query, const float *key, const float *value,
           float *mixed) const;

  const int64_t width;

private:
  int64_t heads, shared, rows, past, window;
};

} // namespace mlir::trn

#endif // TRN_MODEL_ATTENTION_H
