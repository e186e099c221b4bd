//===- Needs.h - What a compression will take -------------------*- C++ -*-===//
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

/// What `compressLayers` and the folder that is written need, estimated from
/// sizes alone.
struct Needs {
  /// At most at any time: a layer, what flows between layers, what is known of
  /// inputs and outputs, and a few sequences inside of a layer.
  int64_t memoryBytes = 0;
  /// Of the folder, and of what an interruption would leave in it.
  int64_t diskBytes = 0;
  /// Multiplications and additions in f32, and in f64.
  double flops32 = 0, flops64 = 0;

  /// On this machine, which is tried for a few milliseconds.
  double estimateSeconds(unsigned threads) const;
};

/// What the program takes that does nothing; it is counted.
inline constexpr int64_t programBytes = 100'000'000;

/// All but the room on disk.
Needs estimateNeeds(const ModelConfig &config,
                    llvm::ArrayRef<FactoredMatrix> plan,
                    const CompressOptions &options,
                    CalibrationSize calibration);

/// `estimated: 1.70 GB of memory, ...`.
std::string describe(const Needs &needs, unsigned threads);

/// Fails if this machine has less memory now.
llvm::Error checkMemory(const Needs &needs);

} // namespace mlir::trn

#endif // TRN_COMPRESS_NEEDS_H
