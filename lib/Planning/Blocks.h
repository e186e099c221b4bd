//===- Blocks.h - Blocks of matrices that nests use -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_BLOCKS_H
#define TRN_LIB_PLANNING_BLOCKS_H

#include "PlanFacts.h"
#include "trn/Planning/Walk.h"

namespace mlir::trn::planning {

BlockView partOf(BlockView block, const Tile &tile);
/// `region` of a matrix in the buffer that holds `block` of it.
BlockView inBuffer(BlockView region, const BlockView &block);
/// Lets the blocks of an instruction have the shape of one that repeats;
/// columns are broadcast.
void takeApart(llvm::ArrayRef<BlockView *> blocks);

/// Which blocks of matrices nests and homes use, and where these lie in HBM.
class Blocks : PlanFacts {
public:
  using Over = std::optional<unsigned>;

  explicit Blocks(const PlanFacts &facts);

  /// What `nests` use of the matrix; `over` is the dim of the term with it.
  BlockView inHbm(unsigned matrix, llvm::ArrayRef<unsigned> nests,
                  const Extents &extents, Over over = std::nullopt) const;
  /// What `home` holds of its matrix.
  BlockView heldBy(const Home &home, const Extents &extents) const;
  /// `block` of a matrix in HBM, of which each partition takes rows that lie
  /// beside each other.
  BlockView byPartitions(BlockView block, const Extents &extents) const;

private:
  LinearExpr batchOf(unsigned matrix, llvm::ArrayRef<unsigned> batches,
                     const Extents &extents) const;

  llvm::SmallVector<bool, 16> offChip; // by matrix
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_BLOCKS_H
