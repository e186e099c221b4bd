//===- Dimensions.h - Dimensions of equal size by definition ----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dimensions of tensors that must be equal, whatever their size, are tied:
//
// ```
// %y = linalg.matmul ins(%x, %u) outs(%z)     (%x, 0) ~ (%y, 0) ~ (%z, 0)
//                                             (%x, 1) ~ (%u, 0)
//                                             (%u, 1) ~ (%y, 1) ~ (%z, 1)
// ```
//
// Sizes that merely are equal tie nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_ANALYSIS_DIMENSIONS_H
#define TRN_ANALYSIS_DIMENSIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace mlir::trn {

/// A tensor and the position of one of its dimensions.
using Dimension = std::pair<Value, int64_t>;

class Dimensions {
public:
  /// Reads the bodies of `functions`, and their calls of each other.
  explicit Dimensions(ArrayRef<func::FuncOp> functions);

  bool areTied(Dimension a, Dimension b) const {
    return classes.isEquivalent(a, b);
  }
  /// Whether some product or reduction sums over `dimension`.
  bool isSummed(Dimension dimension) const;
  /// Whether all operands of some product have `dimension`: the product is
  /// repeated for each of its indices.
  bool isBatch(Dimension dimension) const;
  /// Whether `op`, a linalg op, computes an index from `dimension` and others,
  /// such as d0 + d1.
  bool isMixed(Operation *op, Dimension dimension) const;
  /// Whether it is unknown which dimensions `op` ties.
  bool isOpaque(Operation *op) const { return opaque.contains(op); }

private:
  void tie(Dimension a, Dimension b) { classes.unionSets(a, b); }
  /// Ties all dimensions of two tensors of one shape.
  void tieAll(Value a, Value b);
  void tieLinalg(linalg::LinalgOp op);
  /// Ties the dimensions that a reshape neither splits nor merges.
  void tieReshape(Value narrow, Value wide,
                  ArrayRef<ReassociationIndices> groups);
  /// Ties the dimensions of `tensor` to those that give their sizes.
  void tieSizes(Value tensor, ArrayRef<OpFoldResult> sizes);
  void tieReturn(func::ReturnOp ret);
  /// False if nothing is known about the op.
  bool tieCall(func::CallOp call, ArrayRef<func::FuncOp> functions);
  bool tieOp(Operation *op, ArrayRef<func::FuncOp> functions);

  llvm::EquivalenceClasses<Dimension> classes;
  SmallVector<Dimension> summed, batches;
  SmallVector<std::pair<Operation *, Dimension>> mixed;
  SmallPtrSet<Operation *, 4> opaque;
};

} // namespace mlir::trn

#endif // TRN_ANALYSIS_DIMENSIONS_H
