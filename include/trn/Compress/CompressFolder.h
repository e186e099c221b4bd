//===- CompressFolder.h - From a checkpoint to one with factors -*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_COMPRESS_COMPRESSFOLDER_H
#define TRN_COMPRESS_COMPRESSFOLDER_H

#include "trn/Compress/CompressionJob.h"
#include "trn/Compress/Needs.h"
#include "trn/Compress/Team.h"

namespace mlir::trn {

/// The needs of the job. Reads the calibration text if there is one; else
/// assumes as many tokens as allowed.
llvm::Expected<Needs> estimateNeeds(const CompressionJob &job,
                                    const Checkpoint &checkpoint,
                                    std::vector<FactoredMatrix> &plan);

/// The manifest of a job before it is done.
llvm::json::Object describePlan(const CompressionJob &job,
                                const ModelConfig &config,
                                llvm::ArrayRef<FactoredMatrix> plan);

/// Factors the weights of `checkpoint` by `plan`, which may be empty, and
/// writes the folder with its manifest, trn_compress.json. Returns the
/// manifest; `plan` also receives the figures of each weight. Until completion,
/// finished layers are in its folder `.partial`. Equal inputs give equal bytes
/// for any number of threads. `phase` receives a word for the current step.
llvm::Expected<llvm::json::Object>
compressToFolder(const CompressionJob &job, const Checkpoint &checkpoint,
                 std::vector<FactoredMatrix> &plan, Team &team,
                 llvm::function_ref<void(llvm::StringRef)> phase,
                 HostModel::Progress progress);

} // namespace mlir::trn

#endif // TRN_COMPRESS_COMPRESSFOLDER_H
