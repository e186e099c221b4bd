//===- Heads.h - Which heads of attention stay ------------------*- C++ -*-===//
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

/// Heads of queries; those that read the same head of keys lie side by side and
/// are a group.
struct HeadCounts {
  int64_t heads = 0, groups = 0;

  int64_t perGroup() const { return heads / groups; }
};

/// The numbers, in their order, of the heads of queries that stay, of those
/// whose elements, `width` each, `output` [out, heads x width] reads: first
/// whole groups are chosen, then heads in each of them. `statistics` are of
/// these elements and the wanted outputs; scores are those of neurons, summed
/// up over what goes together.
std::vector<int64_t> chooseHeads(llvm::ArrayRef<float> output, int64_t out,
                                 int64_t width, HeadCounts all, HeadCounts left,
                                 Scores scores, double shrink,
                                 const FitStatistics &statistics,
                                 unsigned threads);

/// The numbers of all elements of some heads.
std::vector<int64_t> elementsOf(llvm::ArrayRef<int64_t> heads, int64_t width);

} // namespace mlir::trn

#endif // TRN_COMPRESS_HEADS_H
