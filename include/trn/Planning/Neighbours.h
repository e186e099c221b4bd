//===- Neighbours.h - Rows that come to one partition -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_NEIGHBOURS_H
#define TRN_PLANNING_NEIGHBOURS_H

#include "trn/Planning/Plan.h"

namespace mlir::trn::planning {

/// By home of `plan`: how many neighbouring rows of the matrix each partition
/// loads, where nothing but a transposition by the tensor engine reads it.
///
/// Rows of HBM that lie beside each other move as one, and short ones cost the
/// DMA as much as longer ones. Tile t has the t-th row of each partition. The
/// tensor engine writes the columns that it makes of these into their places,
/// as far apart as there are tiles. So the transpose is the same as ever.
///
/// It is as many rows as one bank has tiles, or fewer, if loops cut the matrix
/// into others. A last partition may have fewer. With 1 the rows lie on the
/// partitions one by one, as where a mask cuts them or the plan sets them
/// apart.
///
/// Rows of results of attention are stored in the same way. Tile t has every
/// n-th row: those columns are the stationary operand of its product. Under a
/// mask it is every second one, as more would multiply what is hidden.
llvm::SmallVector<int64_t, 16>
findNeighbours(const Graph &graph, const Plan &plan, const Machine &machine);

/// How many of so many rows of a result, the first ones, have `count`
/// neighbours. Those behind them lie as tiles: all that are left, if one tile
/// takes them, or if partitions had not as many each.
int64_t rowsOfNeighbours(int64_t rows, int64_t count, const Machine &machine);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_NEIGHBOURS_H
