//===- Evaluator.h - From sums to what is stored ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_EVALUATOR_H
#define TRN_LIB_PLANNING_EVALUATOR_H

#include "Copies.h"
#include "Homes.h"
#include "Masks.h"

namespace mlir::trn::planning {

/// One of several tiles whose sums lie side by side.
struct BundledTile {
  Extents extents;
  BlockView to;
  /// Of `extents` it has each `step`-th row from the first one on.
  int64_t first = 0, step = 1;
  llvm::SmallVector<BlockView, 2> sums = {};
};

/// Computes the expressions of stages, tile by tile.
class Evaluator : PlanFacts {
public:
  Evaluator(Homes &homes, const Masks &masks, Copies &copies)
      : PlanFacts(homes), homes(homes), masks(masks), copies(copies) {}

  /// What becomes of `sums`, of the tile `to` of the result of `nest`.
  void evaluate(unsigned nest, const Extents &extents,
                llvm::ArrayRef<BlockView> sums, const BlockView &to);
  /// Some columns of a tile, of whose sums `sums` has all.
  void evaluateRun(unsigned nest, const Extents &extents, const MaskedRun &run,
                   llvm::ArrayRef<BlockView> sums, const BlockView &to);
  /// The same for tiles that have equal parts of `bank`.
  void evaluateBundle(unsigned nest, BlockView bank,
                      llvm::MutableArrayRef<BundledTile> tiles);

private:
  class Evaluation;

  Homes &homes;
  const Masks &masks;
  Copies &copies;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_EVALUATOR_H
