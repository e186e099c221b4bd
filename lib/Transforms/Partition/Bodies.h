//===- Bodies.h - What a sum or a padding may pass --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_PARTITION_BODIES_H
#define TRN_LIB_TRANSFORMS_PARTITION_BODIES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::trn {

/// Whether `op` sums terms, from zero on.
bool isSum(linalg::LinalgOp op);

/// Whether `op` does the same to the sum of several tensors as to each of them,
/// but for roundings, if they are its operand `number`.
bool isLinearIn(linalg::LinalgOp op, unsigned number);

/// Whether the results of `op` are zero where all operands are that `isZero`
/// accepts, as long as the others are finite.
bool isZeroWhere(linalg::LinalgOp op,
                 llvm::function_ref<bool(OpOperand &)> isZero);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_PARTITION_BODIES_H
