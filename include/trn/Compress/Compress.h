//===- Compress.h - Language models with factored weights -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_COMPRESS_COMPRESS_H
#define TRN_COMPRESS_COMPRESS_H

#include "trn/Compress/CompressOptions.h"
#include "trn/Compress/LayerStore.h"
#include "trn/Compress/RankPlan.h"
#include "trn/Compress/Team.h"
#include "trn/Model/HostModel.h"

namespace mlir::trn {

/// Runs the model on `calibration`, factors its weights layer by layer by
/// `plan`, and saves factors and figures of each layer in `store`. Layers
/// already there are not factored again. On return all layers are there,
/// whichever member of `team` factored them.
llvm::Error compressLayers(const Checkpoint &checkpoint,
                           llvm::ArrayRef<HostModel::Tokens> calibration,
                           const CompressOptions &options,
                           std::vector<FactoredMatrix> &plan,
                           const LayerStore &store, Team &team,
                           HostModel::Progress progress);

} // namespace mlir::trn

#endif // TRN_COMPRESS_COMPRESS_H
