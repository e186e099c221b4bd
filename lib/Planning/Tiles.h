//===- Tiles.h - The tiles inside the loops of a plan -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_TILES_H
#define TRN_LIB_PLANNING_TILES_H

#include "Bundles.h"
#include "Transpositions.h"

namespace mlir::trn::planning {

/// Computes the results of nests inside of their loops, tile by tile.
class Tiles : PlanFacts {
public:
  Tiles(Homes &homes, const Masks &masks);

  void compute(unsigned nest, const Extents &extents);
  /// What is complete when `group` inside of `depth` loops is: sums are
  /// evicted, and results stored.
  void complete(NestRange group, unsigned depth, const Extents &extents);

private:
  void multiply(unsigned nest, const Home &home, const Extents &extents);
  void multiplyTile(unsigned nest, const Home &home, const Extents &extents,
                    const Tile &tile, const BlockView &to);
  void storeRows(const Home &home, const BlockView &from, const BlockView &hbm);
  void reduce(unsigned nest, const Home &home, const Extents &extents);
  int64_t reducePiece(unsigned nest, const Extents &extents,
                      const BlockView &columns, const LinearExpr &first);
  void reduceGroups(unsigned nest, const Home &home, const Extents &extents);
  void evictSums(const Home &home, const Extents &extents);

  Homes &homes;
  const Masks &masks;
  Emitter &emit;
  Copies copies;
  Evaluator evaluator;
  Products products;
  Bundles bundles;
  Transpositions transpositions;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_TILES_H
