//===- SplitSearch.h - Whether values could be split otherwise --*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_PARTITION_SPLITSEARCH_H
#define TRN_LIB_TRANSFORMS_PARTITION_SPLITSEARCH_H

#include "Layout.h"

#include "llvm/ADT/DenseMap.h"
#include <map>

namespace mlir::trn {

/// A request to split a dimension of an argument, or a loop of an op that only
/// its results have.
struct SplitRequest {
  const void *of;
  unsigned position;
  Axes axes;
};

/// How values are split, and the loops of ops.
struct Splits {
  /// Whether any core can make a piece of operand `number` of `op`, or only its
  /// type matters.
  bool isFree(Operation *op, unsigned number) const;

  DenseMap<Value, Layout> layouts;
  /// Of ops that were visited.
  DenseMap<Operation *, SmallVector<Axes>> loops;
};

/// Finds out whether values could be split otherwise, back to the arguments of
/// their function. It has one question.
class SplitSearch {
public:
  SplitSearch(const CoreGrid &grid, const Splits &splits)
      : grid(grid), splits(splits) {}

  /// Whether `value` could be split over `axes`.
  bool canSplit(Value value, unsigned dim, Axes axes);
  /// What must be requested for that.
  ArrayRef<SplitRequest> requests() const { return found; }

private:
  bool canSplitTensor(Value value, unsigned dim, Axes axes);
  bool canSplitResult(OpResult result, unsigned dim, Axes axes);
  bool canSplitSource(OpResult reshaped, unsigned dim, Axes axes);

  const CoreGrid &grid;
  const Splits &splits;
  SmallVector<SplitRequest> found;
  std::map<std::tuple<void *, unsigned, Axes>, bool> answers;
};

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_PARTITION_SPLITSEARCH_H
