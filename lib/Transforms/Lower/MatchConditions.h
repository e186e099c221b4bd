//===- MatchConditions.h - What engines have in place of them ---*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_LOWER_MATCHCONDITIONS_H
#define TRN_LIB_TRANSFORMS_LOWER_MATCHCONDITIONS_H

#include "trn/Machine/Function.h"

#include "mlir/IR/Operation.h"
#include <optional>

namespace mlir::trn {

/// x of `x > 0 ? x : 0`, of which a NaN is itself.
Value matchRelu(Operation *op);

/// The larger or the smaller one of two values.
struct Extreme {
  Function function;
  Value left, right;
};

/// What `x > y ? x : y` and its kin compute but for NaNs, which a condition may
/// hide; also `x > 0 ? x : k * x`, if k is above 0 and at most 1.
std::optional<Extreme> matchExtreme(Operation *op);

/// The last argument of `x > 0 ? x : k * (exp(x) - 1)`, an ELU, which is not
/// positive where x is not, if k is not negative.
Value matchElu(Operation *op);

/// x of `log1p(exp(x))`.
Value matchSoftplus(Operation *op);

/// v of selects that frontends write around a softplus, and that are v in any
/// case: `x is NaN ? x + 0 : v`, of which v is NaN, too, and `x > limit ? x :
/// v`, of which v is x there in f32.
Value matchGuard(Operation *op);

/// A function that is 1 where two values compare so, or where they do not.
struct Comparison {
  Function function;
  bool isOpposite = false;
};

/// What `op` compares, if engines can.
std::optional<Comparison> matchComparison(Operation *op);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_LOWER_MATCHCONDITIONS_H
