//===- MatrixView.h - Tensors that products take for matrices ---*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_NORMALIZE_MATRIXVIEW_H
#define TRN_LIB_TRANSFORMS_NORMALIZE_MATRIXVIEW_H

#include "trn/Transforms/Normalize/ProductLoops.h"

#include <map>

namespace mlir::trn {

/// How the dimensions of a tensor become those of matrices: batches, and two
/// others, of which one is the last.
struct MatrixView {
  struct Dim {
    /// A loop of the product of matrices.
    unsigned loop;
    /// The dimensions of the tensor, which are neighbours; if there are none,
    /// it is new.
    ReassociationIndices source = {};
  };
  /// Moves the dimensions first, unless it is empty.
  SmallVector<int64_t> permutation;
  SmallVector<Dim, 4> dims;

  bool isIdentity() const {
    return permutation.empty() &&
           llvm::all_of(dims, [](auto &dim) { return dim.source.size() == 1; });
  }
};

/// Looks at the operands of one product. A loop of one iteration can be at any
/// place. The product of matrices runs over the batches in the order in which
/// the result has them, and then over rows, columns and what is summed.
class ProductViews {
public:
  ProductViews(linalg::LinalgOp op, ArrayRef<LoopKind> kinds);

  /// `first` comes first if nothing says which one does.
  MatrixView viewAs(unsigned operand, LoopKind first, LoopKind second) const;
  /// The iterations of the loops of the product of matrices.
  SmallVector<int64_t> loopSizes() const;

private:
  /// The loop of each dimension of an operand; none for a constant index.
  SmallVector<std::optional<unsigned>> loopsOf(unsigned operand) const;
  bool isLong(std::optional<unsigned> loop) const {
    return loop && sizes[*loop] != 1;
  }
  /// The long loops of `kind` in the order in which an operand has them, and
  /// whether they are neighbours there.
  std::pair<SmallVector<unsigned>, bool> find(unsigned operand,
                                              LoopKind kind) const;
  SmallVector<unsigned> chooseOrder(LoopKind kind, unsigned a,
                                    unsigned b) const;
  bool comesFirst(unsigned operand, LoopKind first, LoopKind second) const;
  bool comesLast(unsigned operand, LoopKind first, LoopKind second) const;
  unsigned loopOf(LoopKind kind) const {
    return batches.size() + unsigned(kind);
  }
  bool isBatch(const MatrixView::Dim &dim) const {
    return dim.loop < batches.size();
  }
  /// Adds a dimension for `kind`, which has no long loop, to `view`.
  void addUnit(MatrixView &view, ArrayRef<std::optional<unsigned>> loops,
               LoopKind kind, LoopKind other, bool comesFirst) const;

  mutable linalg::LinalgOp op;
  ArrayRef<LoopKind> kinds;
  SmallVector<int64_t> sizes;
  /// In which order the long loops of a kind become one.
  std::map<LoopKind, SmallVector<unsigned>> orders;
  SmallVector<unsigned> batches;
};

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_NORMALIZE_MATRIXVIEW_H
