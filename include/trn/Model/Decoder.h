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

/// Runs a model in f32 on the host, one token or a few at a time: keys and
/// values of those that came before are kept, so that none is computed again.
/// All weights stay in memory. What it computes is what `HostModel` does, but
/// for the order of sums, and does not depend on the number of threads.
class Decoder {
public:
  /// Loads the weights of a model and makes room for `positions` tokens, at
  /// most as many as it takes. Fails if a weight is not finite, or if there is
  /// less memory than needed. With 0 threads, as many as there are cores.
  static llvm::Expected<std::unique_ptr<Decoder>>
  create(const Checkpoint &checkpoint, int64_t positions, unsigned threads);
  ~Decoder();

  const ModelConfig &config() const { return checkpoint.config(); }
  /// How many tokens there were.
  int64_t length() const { return past; }

  /// The logits of what follows after `tokens`, of which there is at least one,
  /// and which follow after all that there were before; valid until the next
  /// call. Fails if a token is outside of the vocabulary, or there is no room
  /// for it, or if a value is not finite; it is of no more use then.
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

  /// Of all tokens before, [past, kvHeads, headDim].
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
