//===- Compress.h - Language models with factored MLPs ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_COMPRESS_COMPRESS_H
#define TRN_COMPRESS_COMPRESS_H

#include "trn/Compress/Factor.h"
#include "trn/Model/HostModel.h"
#include "trn/Model/ModelWriter.h"

namespace mlir::trn {

/// One weight of the MLPs, and what becomes of it.
struct FactoredMatrix {
  std::string module; // model.layers.0.mlp.gate_proj
  int64_t out = 0, in = 0, rank = 0;
  /// Why it stays whole, or empty.
  std::string keptDense = {};
  double weightError = 0, outputError = 0, lastSigma = 0;

  int64_t parameters() const {
    return keptDense.empty() ? rank * (out + in) : out * in;
  }
};

/// How ranks are chosen: one for all, or the nearest multiple of `block` for
/// which `ratio` of the parameters of a matrix are removed.
struct RankChoice {
  int64_t rank = 0; // 0: by ratio
  double ratio = 0;
  int64_t block = 0;
};

/// All weights of the MLPs of a model with their ranks; they stay whole where
/// factors would have no fewer parameters.
std::vector<FactoredMatrix> planRanks(const ModelConfig &config,
                                      const RankChoice &choice);

struct CompressOptions {
  Method method = Method::Whiten;
  /// If given, factors do not approximate weights: from the inputs that they
  /// have in the compressed model, those of gate and up are fitted to what gate
  /// and up of the whole model make of theirs, and those of down to what brings
  /// the stream of the whole model about. The shrinkage towards the weights.
  std::optional<double> closed = std::nullopt;
  unsigned threads = 0; // 0: as many as there are cores
};

/// Runs the model on `calibration`, factors its MLPs layer by layer as `plan`
/// says, writes all tensors to `writer` and the errors into `plan`.
llvm::Error compressModel(const Checkpoint &checkpoint,
                          llvm::ArrayRef<HostModel::Tokens> calibration,
                          const CompressOptions &options,
                          std::vector<FactoredMatrix> &plan,
                          ModelWriter &writer, HostModel::Progress progress);

} // namespace mlir::trn

#endif // TRN_COMPRESS_COMPRESS_H
