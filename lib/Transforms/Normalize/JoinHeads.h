//===- JoinHeads.h - Heads that share keys are rows -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_NORMALIZE_JOINHEADS_H
#define TRN_LIB_TRANSFORMS_NORMALIZE_JOINHEADS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::trn {

/// Few rows of heads that share keys become rows of one product, where only a
/// mask keeps them apart. It is repeated, if it is known before a run. Returns
/// whether there are any.
bool joinHeads(func::FuncOp func);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_NORMALIZE_JOINHEADS_H
