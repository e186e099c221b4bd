//===- SpeedUp.h - Sizes of MLPs for a time ---------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_TRN_COMPRESS_SPEEDUP_H
#define TRN_TOOLS_TRN_COMPRESS_SPEEDUP_H

#include "ModelledTimes.h"
#include "trn/Compress/Allocate.h"

namespace mlir::trn {

/// How many times as fast MLPs shall be, if that was asked for.
std::optional<double> getSpeedUp();
/// Fails if that is no speed-up, or is asked for with what cannot be.
llvm::Error checkSpeedUp(const CompressionJob &job, bool isDryRun);

/// Says of a plan that has nothing to change what that means for a speed-up.
llvm::Error explainNoSizes(llvm::Error error, const RankChoice &choice);

/// What sizes of MLPs bring in a model, at one number of rows.
struct SpeedUpResult {
  double asked = 0;
  /// Modelled milliseconds of the MLPs' kernels in the model.
  double whole = 0, left = 0;
  /// What the loss of a token is estimated to rise by, in nats.
  double loss = 0;

  double factor() const { return whole / left; }
  llvm::json::Object toJSON() const;
};

/// Gives the MLPs that `plan` changes the sizes, multiples of `block` or all,
/// with the least estimated loss of those with which all MLPs together are as
/// many times as fast as was asked for. Fails with the largest speed-up where
/// that cannot be had.
llvm::Expected<SpeedUpResult>
allocateTime(const CompressionJob &job, const Checkpoint &checkpoint,
             const TimedKernels &kernels, int64_t block,
             std::vector<FactoredMatrix> &plan, HostModel::Progress progress);

} // namespace mlir::trn

#endif // TRN_TOOLS_TRN_COMPRESS_SPEEDUP_H
