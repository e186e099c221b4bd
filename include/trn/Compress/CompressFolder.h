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

/// What the job will take. The text is read if one is given; else there are as
/// many tokens as it may have.
llvm::Expected<Needs> estimateNeeds(const CompressionJob &job,
                                    const Checkpoint &checkpoint,
                                    std::vector<FactoredMatrix> &plan);

/// The manifest of a job that was not done: what there will be.
llvm::json::Object describePlan(const CompressionJob &job,
                                const ModelConfig &config,
                                llvm::ArrayRef<FactoredMatrix> plan);

/// Factors the weights of `checkpoint` as `plan` says, none of them if it is
/// empty, and writes the folder
/// with its manifest, trn_compress.json, which it returns; what was found of
/// each weight is in `plan`, too. Until it is
/// complete, the layers that are done lie in its folder `.partial`. The same
/// inputs make the same bytes for any number of threads. `phase` gets a word
/// for what is done now.
llvm::Expected<llvm::json::Object>
compressToFolder(const CompressionJob &job, const Checkpoint &checkpoint,
                 std::vector<FactoredMatrix> &plan, Team &team,
                 llvm::function_ref<void(llvm::StringRef)> phase,
                 HostModel::Progress progress);

} // namespace mlir::trn

#endif // TRN_COMPRESS_COMPRESSFOLDER_H
