//===- ResizeDim.h - Give a product another size ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SWEEP_RESIZEDIM_H
#define TRN_LIB_SWEEP_RESIZEDIM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::trn {

/// Gives a dimension of the products that `entry` computes another size, and
/// with it every tensor that has it because of that: through the indexing maps
/// of linalg, elementwise ops, reshapes that keep the dimension, and calls.
/// `name` is that of X[m, k] * W[k, n] and X[m, k] * U[k, r] * V[r, n], X being
/// the first argument and U the second one:
/// - `m`, or `rows`: of X, what nothing sums over
/// - `k`: of X, what is summed over
/// - `r`: of the second argument, what a later product sums over
/// - `n`: of the first result, what is not `m`
/// each beside dimensions of size 1 and batches. Fails where there is none or
/// more than one, and at an op that ties it to something else. With other rows
/// the module computes the same for each of them.
LogicalResult resizeDim(func::FuncOp entry, StringRef name, int64_t size);

/// Whether `entry` has a dimension of this name, or several that may be it.
/// Changes what `entry` shares, not what it computes.
bool hasDim(func::FuncOp entry, StringRef name);

/// Whether `resizeDim` knows this name.
bool isDimName(StringRef name);

} // namespace mlir::trn

#endif // TRN_LIB_SWEEP_RESIZEDIM_H
