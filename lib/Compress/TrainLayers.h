//===- TrainLayers.h - Train the factors of all layers ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_TRAINLAYERS_H
#define TRN_LIB_COMPRESS_TRAINLAYERS_H

#include "trn/Compress/CompressionJob.h"
#include "trn/Compress/LayerStore.h"
#include "trn/Compress/Needs.h"

namespace mlir::trn {

/// Trains the factors of `plan` that lie in `from` as the job says, and leaves
/// them in `to` with their weight errors, and the adapter where it was asked
/// for. Does nothing if they are in `to` already. Returns the losses of steps.
llvm::Expected<llvm::json::Array>
trainLayers(const CompressionJob &job, const Checkpoint &checkpoint,
            llvm::ArrayRef<HostModel::Tokens> stories,
            std::vector<FactoredMatrix> &plan, const LayerStore &from,
            const LayerStore &to, HostModel::Progress progress);

/// Adds what that needs, on a text of so many stories, to what else is needed.
void addTrainingNeeds(const TrainingJob &training, const ModelConfig &config,
                      llvm::ArrayRef<FactoredMatrix> plan, CalibrationSize text,
                      int64_t stories, unsigned threads, Needs &needs);

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_TRAINLAYERS_H
