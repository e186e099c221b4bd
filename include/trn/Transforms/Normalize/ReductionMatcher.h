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

/// A reduction in a generic: one number for each index of the other loops.
struct MatchedReduction {
  /// Add, Max or Min.
  Function function = Function::Add;
  /// The scalar in its body that is reduced.
  Value value;
  /// The reduced loop.
  unsigned loop = 0;
};

/// Whether `op` is a reduction, not a product; `trn-normalize-rows` makes a
/// generic of it.
bool isReduction(Operation *op);

/// The reduction of `op`. If there is none, `obstacle` says why no kernel can
/// compute it.
std::optional<MatchedReduction> matchReduction(linalg::LinalgOp op,
                                               std::string *obstacle = nullptr);

/// The same of a reduction of any number of loops, of which it names the first.
std::optional<MatchedReduction> matchFold(linalg::LinalgOp op,
                                          std::string *obstacle = nullptr);

/// The dimension of a reduction's result, of this `shape`, that becomes the
/// rows of a kernel; the others are batches. It is the largest one without
/// `isBatch`, and the last of equals: a kernel takes one step for each batch
/// index.
int64_t chooseRows(ArrayRef<int64_t> shape,
                   llvm::function_ref<bool(int64_t)> isBatch);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_NORMALIZE_REDUCTIONMATCHER_H
