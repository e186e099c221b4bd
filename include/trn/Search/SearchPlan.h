//===- SearchPlan.h - The best plan by simulation ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SEARCH_SEARCHPLAN_H
#define TRN_SEARCH_SEARCHPLAN_H

#include "trn/Search/Demands.h"
#include "trn/Search/FoundPlan.h"

namespace mlir::trn::search {

/// Simulates at most `effort` plans for `source`. Where several batches are
/// computed at once, it does so twice, and times a few with more of them.
/// Strips and batches are alike, so many of them are planned as fewer. Up to 64
/// plans are then simulated with all. Of those at most 1 % slower than the
/// fastest, returns the one that is fastest with a slower DMA. Fails with the
/// obstacle if none fits. The result depends on nothing but the arguments.
llvm::Expected<FoundPlan> searchPlan(const planning::Graph &source,
                                     const Demands &demands,
                                     const Machine &machine, int64_t effort);

} // namespace mlir::trn::search

#endif // TRN_SEARCH_SEARCHPLAN_H
