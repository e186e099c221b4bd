//===- Needs.h - Needs of a compression -------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_COMPRESS_NEEDS_H
#define TRN_COMPRESS_NEEDS_H

#include "trn/Compress/CompressOptions.h"
#include "trn/Compress/RankPlan.h"
#include "trn/Model/HostModel.h"

namespace mlir::trn {

/// Tokens of a calibration, and of its longest sequence.
struct CalibrationSize {
  int64_t tokens = 0, longest = 0;

  static CalibrationSize of(llvm::ArrayRef<HostModel::Tokens> calibration);
};

/// Needs of `compressLayers` and of the output folder, estimated from sizes
/// alone.
struct Needs {
  /// Peak: a layer, the stream between layers, statistics of inputs and
  /// outputs, and a few sequences inside a layer.
  int64_t memoryBytes = 0;
  /// Disk space of the folder, and of an interrupted job's remains.
  int64_t diskBytes = 0;
  /// Multiplications and additions in f32, and in f64.
  double flops32 = 0, flops64 = 0;

  /// On this machine, by a trial of a few milliseconds.
  double estimateSeconds(unsigned threads) const;
};

/// Memory of the idle program, included in the estimate.
inline constexpr int64_t programBytes = 100'000'000;

/// All needs except disk space.
Needs estimateNeeds(const ModelConfig &config,
                    llvm::ArrayRef<FactoredMatrix> plan,
                    const CompressOptions &options,
                    CalibrationSize calibration);

/// `estimated: 1.70 GB of memory, ...`.
std::string describe(const Needs &needs, unsigned threads);

/// Fails if less memory is available now.
llvm::Error checkMemory(const Needs &needs);

} // namespace mlir::trn

#endif // TRN_COMPRESS_NEEDS_H
