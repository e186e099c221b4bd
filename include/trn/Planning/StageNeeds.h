//===- StageNeeds.h - What a stage takes of a core --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_STAGENEEDS_H
#define TRN_PLANNING_STAGENEEDS_H

#include "trn/Planning/Graph.h"

namespace mlir::trn {
struct Machine;
} // namespace mlir::trn

namespace mlir::trn::planning {

/// Whether `stage` has work that ScalarE and VectorE can both do.
bool hasChoice(const Graph &graph, const Stage &stage, const Machine &machine);

/// The columns of which a block of `stage` has whole multiples, as some repeat,
/// change places, or are a group or a head; else 1.
int64_t wholeColumnsOf(const Graph &graph, const Stage &stage);

/// Loops cut `dim` into multiples of so many: of the partitions and of these.
int64_t unitOf(const Graph &graph, unsigned dim, const Machine &machine);

/// The banks of PSUM for the sums of a tile, or of each bank's width of it.
/// Sums computed beside others share their bank.
int64_t banksOf(const Graph &graph, const Stage &stage);

/// How many tiles one below the other have their sums side by side in a bank,
/// in blocks of so many `columns`: one if all are more than the partitions.
int64_t tilesInBank(const Graph &graph, const Stage &stage, int64_t columns,
                    const Machine &machine);

/// The banks of PSUM for sums of so many rows and columns; saturates.
uint64_t sumBanksOf(const Graph &graph, const Stage &stage, int64_t rows,
                    int64_t columns, const Machine &machine);

/// The most banks that a tile of `stage` may take side by side on `machine`:
/// all, unless instructions reach fewer; 1 if its sums cannot be so wide.
int64_t mostBanksOf(const Graph &graph, const Stage &stage,
                    const Machine &machine);

/// Whether tiles of `stage` may be a bundle: it divides sums of a product, or
/// the like, by what it computes of one more column of that alone.
bool mayBundle(const Graph &graph, const Stage &stage, const Machine &machine);
/// How many have room in a bank.
int64_t mostInBundle(const Graph &graph, const Stage &stage,
                     const Machine &machine);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_STAGENEEDS_H
