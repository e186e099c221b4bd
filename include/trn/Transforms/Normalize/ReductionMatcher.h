//===- ReductionMatcher.h - Reductions in linalg ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_NORMALIZE_REDUCTIONMATCHER_H
#define TRN_TRANSFORMS_NORMALIZE_REDUCTIONMATCHER_H

#include "trn/Machine/Function.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::trn {

/// What a generic makes one number of, for each index of its other loops.
struct MatchedReduction {
  /// Add, Max or Min.
  Function function = Function::Add;
  /// The scalar in its body that is reduced.
  Value value;
  /// The loop that it is reduced over.
  unsigned loop = 0;
};

/// Whether `op` reduces, and is no product: `trn-normalize-rows` makes a
/// generic of it.
bool isReduction(Operation *op);

/// The reduction that `op` is. Otherwise, none, and `obstacle` says what keeps
/// a kernel from it.
std::optional<MatchedReduction> matchReduction(linalg::LinalgOp op,
                                               std::string *obstacle = nullptr);

/// The dimension of what a reduction computes, of this `shape`, that is rows of
/// a kernel; the others are batches. Where products leave a choice, which they
/// do for dimensions that `isBatch` does not hold for, it is the largest one,
/// and the last of these: a kernel takes one step for each index of a batch.
int64_t chooseRows(ArrayRef<int64_t> shape,
                   llvm::function_ref<bool(int64_t)> isBatch);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_NORMALIZE_REDUCTIONMATCHER_H
