//===- NormHeads.h - Norms of all heads at once -----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_NORMALIZE_NORMHEADS_H
#define TRN_LIB_TRANSFORMS_NORMALIZE_NORMHEADS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::trn {

/// Lets norms of heads norm the rows of all heads where a product computes
/// these.
void normHeads(func::FuncOp func);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_NORMALIZE_NORMHEADS_H
