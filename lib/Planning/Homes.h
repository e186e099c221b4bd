//===- Homes.h - Buffers that the loops of a plan open ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_HOMES_H
#define TRN_LIB_PLANNING_HOMES_H

#include "Transfers.h"
#include "trn/Planning/RowsBelow.h"
#include "llvm/ADT/DenseMap.h"
#include <deque>

namespace mlir::trn::planning {

/// Where a home lies while it is open.
struct Live {
  /// The buffer, and the first index of rows and columns that it holds.
  BlockView block = {};
  /// Its sums outside of the tile: banks by rows, columns and sum, or by sum a
  /// buffer in SBUF, and where what is summed over begins.
  llvm::SmallVector<BlockView, 8> sums = {};
  Extents sumExtents = {};
};

/// Opens and fills homes, and knows where blocks of matrices lie.
class Homes : public PlanFacts {
public:
  using Over = Blocks::Over;

  Homes(const PlanFacts &facts, Emitter &emit)
      : PlanFacts(facts), emit(emit), transfers(facts, emit),
        blocks(transfers.blocks),
        rowsBelow(findRowsBelow(graph, plan, machine)),
        areForAll(plan.homes.size()), live(plan.homes.size()) {}

  /// Those that `group` needs inside of `depth` loops, and no nest before.
  void openAll(NestRange group, unsigned depth, const Extents &extents);
  bool opensAt(const Home &home, NestRange group, unsigned depth) const;
  void open(const Home &home, const Extents &extents);
  /// Those that the kernel loads once, outside of loops over batches.
  void openForAllBatches(const Extents &extents);
  /// Inputs outside of all loops that do not differ for indices of the batch
  /// dim `dim`, until others are opened for these.
  void openForAll(NestRange nests, unsigned dim, const Extents &extents);
  void closeForAll() { areForAll.assign(plan.homes.size(), false); }

  /// The buffer of a home, which `place` lets it be for some iteration.
  int32_t allocate(const Home &home, const Extents &extents);
  BlockView place(const Home &home, int32_t buffer,
                  const Extents &extents) const;
  void load(const Home &home, const Extents &extents);
  /// Homes inside of `level` loops that `group` opens again and again,
  /// `extents` being the largest, get their slots.
  void beginRotation(NestRange group, unsigned level, const Extents &extents);
  void endRotation(unsigned level);

  /// The sums of a tile, each in a bank of its own or behind another one.
  llvm::SmallVector<BlockView, 2> openBanks(unsigned nest, int64_t rows,
                                            int64_t columns);
  void openSums(const Home &home, const Extents &extents);

  Live &liveOf(const Home &home) { return live[&home - plan.homes.data()]; }
  const Live &liveOf(const Home &home) const {
    return live[&home - plan.homes.data()];
  }
  BlockView inHome(const Home &home, unsigned nest, const Extents &extents,
                   Over over = std::nullopt) const;
  BlockView inSums(const Home &home, unsigned sum,
                   const Extents &extents) const;
  /// What `nest` reads of a matrix: its home there or, if none, in HBM.
  BlockView operand(unsigned matrix, unsigned nest, const Extents &extents,
                    Over over = std::nullopt) const;
  /// Rows that buffers have below those of other terms.
  llvm::ArrayRef<RowsBelow> allRowsBelow() const { return rowsBelow; }

  Emitter &emit;
  Transfers transfers;
  const Blocks &blocks;

private:
  int32_t allocate(const Home &home, const Extents &extents, int64_t slots);
  llvm::SmallVector<BlockView, 2> openTilesInBanks(unsigned nest, int64_t rows,
                                                   int64_t columns);
  const RowsBelow *findGuest(const Home &home) const;
  const RowsBelow *findHost(const Home &home) const;
  bool isConstantBelow(const Home &home) const;
  void fillBelow(const RowsBelow &below);

  const llvm::SmallVector<RowsBelow, 1> rowsBelow;
  llvm::SmallVector<bool, 16> areForAll; // by home: open for all these indices
  llvm::SmallVector<Live, 8> live;       // by home
  /// Buffers that homes take in turn in iterations that are written out.
  llvm::DenseMap<const Home *, std::deque<int32_t>> rotations;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_HOMES_H
