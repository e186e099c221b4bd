//===- Transfers.h - Blocks on their way to and from HBM --------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_TRANSFERS_H
#define TRN_LIB_PLANNING_TRANSFERS_H

#include "Blocks.h"
#include "Emitter.h"

namespace mlir::trn::planning {

/// Moves blocks of matrices between HBM and their homes.
class Transfers : PlanFacts {
public:
  Transfers(const PlanFacts &facts, Emitter &emit);

  /// Fills `home` with what it holds of its matrix, from the first index of
  /// `held` on.
  void load(const Home &home, const BlockView &held, const Extents &extents);
  /// Stores `from`, which is `region` of the matrix of `home`.
  void store(const Home &home, const BlockView &from, const BlockView &region,
             const Extents &extents);
  /// The same of rows of which each partition has `count` neighbours.
  void storeNeighbours(const BlockView &from, const BlockView &region,
                       int64_t count);
  /// One side is in HBM. Each head there takes its columns.
  void move(const BlockView &from, const BlockView &to);

  /// How many neighbouring rows come to one partition, or leave it.
  int64_t neighboursIn(const Home &home) const {
    return neighbours[&home - plan.homes.data()];
  }
  /// Whether columns of the matrix, of an interleaved dim, come in their order.
  bool hasColumnsInOrder(unsigned matrix) const {
    return columnsInOrder[matrix];
  }

  const Blocks blocks;

private:
  /// What a transfer moves, in HBM and on chip.
  using Pair = std::pair<BlockView, BlockView>;
  void overNeighbours(const BlockView &region, const BlockView &there,
                      int64_t count, llvm::function_ref<void(Pair)> body);
  void loadNeighbours(const BlockView &region, const BlockView &to,
                      int64_t count);
  void loadByTurning(const BlockView &region, const BlockView &to);
  void fillBeside(const Home &home, const BlockView &region, BlockView to);
  void loadWithGaps(const BlockView &hbm, const BlockView &to);
  llvm::SmallVector<Pair, 2> asTransferred(const Home &home,
                                           const BlockView &region,
                                           const BlockView &there,
                                           const Extents &extents) const;

  Emitter &emit;
  const llvm::SmallVector<int64_t, 16> neighbours;  // by home
  const llvm::SmallVector<bool, 16> columnsInOrder; // by matrix
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_TRANSFERS_H
