//===- MatrixView.h - Tensors that products take for matrices ---*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_MATRIXVIEW_H
#define TRN_LIB_TRANSFORMS_MATRIXVIEW_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <map>

namespace mlir::trn {

/// What a loop of a product runs over. Loops of one iteration in all operands,
/// or in the result only, are `Unit`.
enum class LoopKind : uint8_t { Row, Column, Summed, Batch, Unit };

/// The kinds of the loops of a product of its first and its second input with
/// these maps; none if it is no product. Indices are loops, or constants.
std::optional<SmallVector<LoopKind>>
classifyLoops(ArrayRef<AffineMap> maps, ArrayRef<utils::IteratorType> iterators,
              ArrayRef<int64_t> sizes);

/// How the dimensions of a tensor become two.
struct MatrixView {
  /// Moves the dimensions first, unless it is empty.
  SmallVector<int64_t> permutation;
  /// Those before it become the first one.
  size_t split = 0;
  LoopKind first, second;
};

/// Looks at the operands of one product. A loop of one iteration can be at any
/// place.
class ProductViews {
public:
  ProductViews(linalg::LinalgOp op, ArrayRef<LoopKind> kinds)
      : op(op), kinds(kinds), sizes(op.getStaticLoopRanges()) {
    orders[LoopKind::Row] = chooseOrder(LoopKind::Row, 0, 2);
    orders[LoopKind::Column] = chooseOrder(LoopKind::Column, 1, 2);
    orders[LoopKind::Summed] = chooseOrder(LoopKind::Summed, 0, 1);
  }

  /// `first` comes first if nothing says which one does.
  MatrixView viewAs(unsigned operand, LoopKind first, LoopKind second) const;
  int64_t sizeOf(LoopKind kind) const {
    int64_t size = 1;
    for (auto [loopKind, loopSize] : llvm::zip(kinds, sizes))
      size *= loopKind == kind ? loopSize : 1;
    return size;
  }

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

  mutable linalg::LinalgOp op;
  ArrayRef<LoopKind> kinds;
  SmallVector<int64_t> sizes;
  /// In which order the long loops of a kind become one.
  std::map<LoopKind, SmallVector<unsigned>> orders;
};

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_MATRIXVIEW_H
