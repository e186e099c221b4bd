//===- Bundles.h - Tiles that share a bank ----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_BUNDLES_H
#define TRN_LIB_PLANNING_BUNDLES_H

#include "Evaluator.h"
#include "Products.h"

namespace mlir::trn::planning {

/// Tiles one below the other whose sums lie side by side in one bank, as those
/// of attention do: a few columns, and one more for what divides them. What is
/// computed of these single columns is one instruction for all tiles.
class Bundles : PlanFacts {
public:
  Bundles(Homes &homes, const Masks &masks, Evaluator &evaluator,
          Products &products)
      : PlanFacts(homes), homes(homes), masks(masks), emit(homes.emit),
        evaluator(evaluator), products(products) {}

  /// How many tiles of `nest` come together in blocks of so many rows; 1: each
  /// comes by itself.
  int64_t countTiles(unsigned nest, const Home &home, int64_t rows) const;
  /// Computes a block of `home` in bundles of `count` tiles, and calls `finish`
  /// with each of them.
  void multiply(unsigned nest, const Home &home, const Extents &extents,
                int64_t count, Emitter::TileBody finish);

private:
  llvm::SmallVector<BundledTile, 4> listTiles(unsigned nest,
                                              const Extents &extents,
                                              const BlockView &whole,
                                              const Tile &bundle);
  llvm::SmallVector<BundledTile, 4> listSteppedTiles(unsigned nest,
                                                     const Extents &extents,
                                                     const BlockView &whole,
                                                     const Tile &bundle,
                                                     int64_t step) const;
  void multiplyBundle(unsigned nest, const Home &home, const Extents &extents,
                      const BlockView &whole, const Tile &bundle,
                      int64_t neighbours);

  Homes &homes;
  const Masks &masks;
  Emitter &emit;
  Evaluator &evaluator;
  Products &products;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_BUNDLES_H
