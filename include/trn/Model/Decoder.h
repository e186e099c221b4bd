//===- Decoder.h - A language model, token by token -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_DECODER_H
#define TRN_MODEL_DECODER_H

#include "trn/Model/Checkpoint.h"
#include "trn/Model/Workers.h"

namespace mlir::trn {

class Rotary;
struct ResidentLayer;

/// Runs a model in f32 on the host, one or a few tokens at a time. Keys and
/// values of earlier tokens are kept, so none is computed again. All weights
/// stay in memory. Results equal those of `HostModel` except for the order of
/// sums, and do not depend on the number of threads.
class Decoder {
public:
  /// Loads the weights of a model and allocates memory for `positions` tokens,
  /// at most its limit. Fails if a weight is not finite or memory is short. 0
  /// threads means one per core.
  static llvm::Expected<std::unique_ptr<Decoder>>
  create(const Checkpoint &checkpoint, int64_t positions, unsigned threads);
  ~Decoder();

  const ModelConfig &config() const { return checkpoint.config(); }
  /// Number of tokens so far.
  int64_t length() const { return past; }

  /// The logits after `tokens` (at least one), which follow all earlier ones;
  /// valid until the next call. Fails if a token is outside the vocabulary, if
  /// there is no room for it, or if a value is not finite. The decoder is then
  /// unusable.
  llvm::Expected<llvm::ArrayRef<float>> feed(llvm::ArrayRef<int32_t> tokens);

private:
  Decoder(const Checkpoint &checkpoint, int64_t positions, unsigned threads);
  llvm::Error load();
  llvm::Error checkMemory() const;
  llvm::Error check(llvm::ArrayRef<int32_t> tokens) const;
  llvm::Expected<std::vector<float>>
  embed(llvm::ArrayRef<int32_t> tokens) const;
  llvm::Error runLayers(std::vector<float> &x);
  void addAttention(size_t layer, std::vector<float> &x, int64_t rows);
  void addMlp(size_t layer, std::vector<float> &x, int64_t rows);

  /// For all earlier tokens, [past, kvHeads, headDim].
  struct Cache {
    std::vector<float> keys, values;
  };

  const Checkpoint &checkpoint;
  int64_t positions, past = 0;
  Workers workers;
  std::vector<ResidentLayer> layers;
  std::vector<Cache> caches;
  std::vector<float> norm, logits;
  struct Head;
  std::unique_ptr<Head> head;
  std::unique_ptr<Rotary> rotary;
};

} // namespace mlir::trn

#endif // TRN_MODEL_DECODER_H
