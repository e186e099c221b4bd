//===- HostModel.h - A language model on the host ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_HOSTMODEL_H
#define TRN_MODEL_HOSTMODEL_H

#include "trn/Model/Checkpoint.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::trn {

struct Stream;

/// Runs a model in f32 on the host: the reference for compiled models. It goes
/// layer by layer for all sequences at once, so it needs memory for one layer
/// in f32, and one row of `hidden` elements per token. Values do not depend on
/// the number of threads.
class HostModel {
public:
  using Tokens = std::vector<int32_t>;
  /// Receives the finished share of the work.
  using Progress = llvm::function_ref<void(size_t done, size_t total)>;

  /// 0 threads means one per core.
  HostModel(const Checkpoint &checkpoint, unsigned threads)
      : checkpoint(checkpoint), threads(threads) {}

  const ModelConfig &config() const { return checkpoint.config(); }

  /// The normalised stream that the head reads, a row per token. Fails as
  /// `checkTokens` does, or if values are not finite.
  llvm::Expected<Stream> computeOutputs(llvm::ArrayRef<Tokens> sequences,
                                        Progress progress) const;
  /// For each sequence, the negative log-probability of each token except the
  /// first, given those before it. Fails as `computeOutputs` does.
  llvm::Expected<std::vector<std::vector<float>>>
  computeLosses(llvm::ArrayRef<Tokens> sequences, Progress progress) const;

private:
  const Checkpoint &checkpoint;
  unsigned threads;
};

/// Fails if a token is outside the model's vocabulary, or a sequence is empty
/// or too long for the model.
llvm::Error checkTokens(const ModelConfig &config,
                        llvm::ArrayRef<HostModel::Tokens> sequences);

} // namespace mlir::trn

#endif // TRN_MODEL_HOSTMODEL_H
