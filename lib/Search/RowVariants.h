//===- RowVariants.h - Engines work on rows of their own --------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SEARCH_ROWVARIANTS_H
#define TRN_LIB_SEARCH_ROWVARIANTS_H

#include "trn/Planning/Plan.h"

namespace mlir::trn::search {

/// What the first stage of rows leaves comes ahead, so that engines work on
/// rows of their own; what strips are transposed to is there for all of them.
std::optional<planning::Schedule> skew(planning::Schedule schedule);

/// What is computed of rows in front of the products comes tile by tile, and
/// ahead of these: one engine reduces a tile, another one computes the one
/// before.
std::optional<planning::Schedule> tileRows(planning::Schedule schedule,
                                           const Machine &machine);

/// All that strips are computed to comes ahead of what reads it, so that
/// engines work on strips of their own; maxima of products come tile by tile.
/// `engine` takes what is transposed, and the results, out of PSUM.
std::optional<planning::Schedule> pipeline(planning::Schedule schedule,
                                           planning::RowEngine engine,
                                           const Machine &machine);

/// Two batches at once, or eight of few rows: one has something to do while the
/// other one waits. Or the few rows of four on all partitions.
void jamBatches(std::vector<planning::Schedule> &bases, bool isNarrow,
                const Machine &machine);

/// Heads of attention at once: two, in step or half a strip apart, or four of
/// which two are at work.
std::vector<planning::Schedule> jamHeads(const planning::Schedule &one);

} // namespace mlir::trn::search

#endif // TRN_LIB_SEARCH_ROWVARIANTS_H
