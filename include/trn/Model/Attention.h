//===- Attention.h - Positions that tokens attend to ------------*- C++ -*-===//
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

/// Some rows of one head of a sequence. They see no positions after the last of
/// them.
struct HeadBlock {
  int64_t head = 0, first = 0, count = 0;
  int64_t past = 0; // positions before row 0

  int64_t seen() const { return past + first + count; }
};

/// Heads of the last `rows` rows of a sequence, `past` rows being before them,
/// that lie side by side: of queries [rows, heads, headDim], and of keys and
/// values [past + rows, kvHeads, headDim].
class Heads {
public:
  Heads(int64_t headDim, int64_t heads, int64_t kvHeads,
        std::optional<int64_t> window, int64_t rows, int64_t past = 0)
      : width(headDim), heads(heads), shared(heads / kvHeads), rows(rows),
        past(past), window(window.value_or(past + rows)) {}

  /// Elements from one row to the next.
  int64_t queryPitch() const { return heads * width; }
  int64_t keyPitch() const { return heads / shared * width; }
  /// Where a block begins, and where the keys and values that it sees do.
  int64_t queryOffset(const HeadBlock &block) const {
    return block.first * queryPitch() + block.head * width;
  }
  int64_t keyOffset(const HeadBlock &block) const {
    return block.head / shared * width;
  }
  float scale() const;

  /// All blocks, those of one head after those of another. `weights` is room
  /// for their elements [count, seen].
  void forEachBlock(
      llvm::function_ref<void(const HeadBlock &, float *weights)> body) const;
  /// The shares [count, seen] of positions in what a block becomes, from
  /// rotated queries and keys.
  void weigh(const HeadBlock &block, const float *query, const float *key,
             float *weights) const;
  /// What `output` reads, [rows, heads, headDim].
  void mix(const float *query, const float *key, const float *value,
           float *mixed) const;

  const int64_t width;

private:
  int64_t heads, shared, rows, past, window;
};

} // namespace mlir::trn

#endif // TRN_MODEL_ATTENTION_H
