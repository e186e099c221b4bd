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

/// Runs the model on `calibration`, factors its MLPs layer by layer as `plan`
/// says, writes all tensors to `writer` and the errors into `plan`.
llvm::Error compressModel(const Checkpoint &checkpoint,
                          llvm::ArrayRef<HostModel::Tokens> calibration,
                          Method method, unsigned threads,
                          std::vector<FactoredMatrix> &plan,
                          ModelWriter &writer, HostModel::Progress progress);

} // namespace mlir::trn

#endif // TRN_COMPRESS_COMPRESS_H
