//===- Interleave.h - Dims of which partitions have neighbours -*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_INTERLEAVE_H
#define TRN_PLANNING_INTERLEAVE_H

#include "trn/Planning/Plan.h"

namespace mlir::trn::planning {

/// Holds `plan_c11` of `dim` in a plan that is sound otherwise, but that it
/// fills tiles.
llvm::Error checkInterleaved(const Graph &graph, const Plan &plan,
                             unsigned dim);

/// Whether an input that has `dim` in its rows is narrow: what its rows cost an
/// engine of the DMA beside their bytes counts then.
bool hasNarrowWeight(const Graph &graph, unsigned dim);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_INTERLEAVE_H
