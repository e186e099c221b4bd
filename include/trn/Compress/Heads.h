//===- Heads.h - The choice of attention heads ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_COMPRESS_HEADS_H
#define TRN_COMPRESS_HEADS_H

#include "trn/Compress/Neurons.h"

namespace mlir::trn {

/// Heads of queries. Those with the same head of keys are adjacent and form a
/// group.
struct HeadCounts {
  int64_t heads = 0, groups = 0;

  int64_t perGroup() const { return heads / groups; }
};

/// The numbers, in order, of the heads of queries that stay. `output` [out,
/// heads x width] reads `width` elements per head; `statistics` are of these
/// and of the wanted outputs. First chooses whole groups, then heads in each.
/// Scores are those of neurons, summed over each group or head.
std::vector<int64_t> chooseHeads(llvm::ArrayRef<float> output, int64_t out,
                                 int64_t width, HeadCounts all, HeadCounts left,
                                 Scores scores, double shrink,
                                 const FitStatistics &statistics,
                                 unsigned threads);

/// The numbers of all elements of some heads.
std::vector<int64_t> elementsOf(llvm::ArrayRef<int64_t> heads, int64_t width);

} // namespace mlir::trn

#endif // TRN_COMPRESS_HEADS_H
