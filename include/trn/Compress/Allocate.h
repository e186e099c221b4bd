//===- Allocate.h - Ranks from singular values ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_COMPRESS_ALLOCATE_H
#define TRN_COMPRESS_ALLOCATE_H

#include "trn/Compress/CompressFolder.h"

namespace mlir::trn {

/// A weight that is to share parameters with others.
struct Spectrum {
  int64_t out = 0, in = 0;
  std::vector<double> sigmas; // all, the largest one first
};

/// Ranks, multiples of `block`, with at most `parameters` in all, but at least
/// one block for each: the next block goes where it lowers the share of the
/// squares of singular values that is lost most for its parameters. 0 for a
/// weight that stays whole, for it gets so much rank that factors would be no
/// smaller.
std::vector<int64_t> allocateRanks(llvm::ArrayRef<Spectrum> weights,
                                   int64_t block, int64_t parameters);

/// Singular values of what factors would keep best, for each weight of `plan`
/// that gets some: one pass of the model.
llvm::Expected<std::vector<Spectrum>>
measureSpectra(const Checkpoint &checkpoint,
               llvm::ArrayRef<HostModel::Tokens> calibration, Method method,
               unsigned threads, llvm::ArrayRef<FactoredMatrix> plan,
               HostModel::Progress progress);

/// Shares the parameters of the factors of `plan` out again, in blocks.
llvm::Error allocatePlan(const CompressionJob &job,
                         const Checkpoint &checkpoint, int64_t block,
                         std::vector<FactoredMatrix> &plan,
                         HostModel::Progress progress);

} // namespace mlir::trn

#endif // TRN_COMPRESS_ALLOCATE_H
