//===- Scores.h - Numbers that no mask has changed --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_NORMALIZE_SCORES_H
#define TRN_TRANSFORMS_NORMALIZE_SCORES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::trn {

/// Whether `scalar`, in the body of `op`, is a sum of a product that is only
/// scaled, shifted, rounded or capped by numbers and weights. So it is far
/// above what masks put in its place. Other arguments may be masks: a sum with
/// one is no such score.
bool isPlainScore(linalg::GenericOp op, Value scalar);

/// Whether masks hide scores with `number`. It is minus infinity then, the
/// lowest number of its type, or at most -1e9.
bool isFarBelowScores(const APFloat &number);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_NORMALIZE_SCORES_H
