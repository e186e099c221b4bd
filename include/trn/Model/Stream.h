//===- Stream.h - The residual stream of a model ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_STREAM_H
#define TRN_MODEL_STREAM_H

#include "trn/Model/Checkpoint.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::trn {

/// The residual stream of several sequences, a row per token.
struct Stream {
  std::vector<int64_t> starts; // of sequences, and the end
  std::vector<float> values;   // [tokens, hidden]
  int64_t hidden = 0;

  size_t numSequences() const { return starts.size() - 1; }
  float *rows(size_t sequence) {
    return values.data() + starts[sequence] * hidden;
  }
  int64_t numRows(size_t sequence) const {
    return starts[sequence + 1] - starts[sequence];
  }
  int64_t longest() const;
  /// Sequences `begin` to `end`.
  Stream slice(size_t begin, size_t end) const;
  void add(size_t sequence, const std::vector<float> &more) {
    float *x = rows(sequence);
    for (float value : more)
      *x++ += value;
  }
  /// Calls `body` with number and rows of each sequence, on several threads.
  void forEach(unsigned threads,
               llvm::function_ref<void(size_t, float *, int64_t)> body);
  /// Calls `body` with the first row and the rows of each block, possibly of
  /// several sequences, on several threads.
  void forEachBlock(unsigned threads,
                    llvm::function_ref<void(size_t, float *, int64_t)> body);
  /// Fails if layer `layer` left a value that is not finite.
  llvm::Error checkFinite(int64_t layer) const;
};

/// The embeddings of tokens, which must be in the vocabulary.
Stream embed(const Checkpoint &checkpoint,
             llvm::ArrayRef<std::vector<int32_t>> sequences);

} // namespace mlir::trn

#endif // TRN_MODEL_STREAM_H
