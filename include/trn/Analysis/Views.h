//===- Views.h - Ops of host code that are views ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_ANALYSIS_VIEWS_H
#define TRN_ANALYSIS_VIEWS_H

#include "mlir/IR/Operation.h"

namespace mlir::trn {

/// Whether the result of `op` has memory of its first operand. It has all of
/// it, in another shape, or a part whose rows lie behind each other.
bool isView(Operation *op);

} // namespace mlir::trn

#endif // TRN_ANALYSIS_VIEWS_H
