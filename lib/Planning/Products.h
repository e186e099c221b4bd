//===- Products.h - Products of tiles, in banks of PSUM ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_PRODUCTS_H
#define TRN_LIB_PLANNING_PRODUCTS_H

#include "Homes.h"
#include "Masks.h"

namespace mlir::trn::planning {

/// Computes the products of stages.
class Products : PlanFacts {
public:
  Products(Homes &homes, const Masks &masks)
      : PlanFacts(homes), homes(homes), masks(masks), emit(homes.emit) {}

  /// The sums of a tile of `nest`, in banks that it opens.
  llvm::SmallVector<BlockView, 2> sumUp(unsigned nest, const Extents &tile,
                                        int64_t rows, int64_t columns);
  /// The same in `banks` that are open.
  void sumUpIn(unsigned nest, const Extents &tile,
               llvm::ArrayRef<BlockView> banks);
  /// The same of every `step`-th row of `block`, from `first` on.
  void sumUpRows(unsigned nest, const Extents &block, int64_t first,
                 int64_t step, llvm::ArrayRef<BlockView> banks);
  /// Adds to the sums of a block whose banks are open, one row of tiles after
  /// the other: what is complete first is evicted while the rest is computed.
  void addTo(const Home &home, const Extents &extents);

private:
  using TermBody =
      llvm::function_ref<void(const Term &, const Extents &, LinearExpr)>;

  /// `body` for each piece that `nest` adds to its sums, which begin at
  /// `sumExtents`: its term, its extents, and 0 where the sums begin.
  void overContraction(unsigned nest, const Extents &extents,
                       const Extents &sumExtents, TermBody body);
  void multiply(unsigned nest, const Term &term, const Extents &extents,
                const BlockView &tile, const LinearExpr &index);
  void multiplyInBank(unsigned nest, const Term &term, const Extents &extents,
                      const BlockView &bank, const LinearExpr &index);
  void multiplyLive(unsigned nest, const Term &term, const Extents &extents,
                    const BlockView &bank, bool hasBegun);
  bool isBelow(unsigned nest, const Term &term) const;
  void addMask(unsigned nest, const Extents &extents,
               llvm::ArrayRef<BlockView> banks);

  Homes &homes;
  const Masks &masks;
  Emitter &emit;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_PRODUCTS_H
