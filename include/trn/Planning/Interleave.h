//===- Interleave.h - Dims interleaved over partitions ----------*- C++ -*-===//
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

/// Checks `plan_c11` of `dim`, except that it fills a tile. The rest of the
/// plan must be sound.
llvm::Error checkInterleaved(const Graph &graph, const Plan &plan,
                             unsigned dim);

/// By matrix: whether it has an interleaved dim in its columns, in the order of
/// HBM: it lies there, or is computed beside what does. Its transposition takes
/// columns that are as far apart as a partition has indices. In all others,
/// tiles of the columns follow each other.
llvm::SmallVector<bool, 16> findColumnsInOrder(const Graph &graph,
                                               const Plan &plan);

/// Whether an input with `dim` in its rows is narrow. The DMA's fixed cost of
/// each row then matters beside its bytes.
bool hasNarrowWeight(const Graph &graph, unsigned dim);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_INTERLEAVE_H
