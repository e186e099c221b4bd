//===- CalledFunctions.h - The call graph below a function ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_ANALYSIS_CALLEDFUNCTIONS_H
#define TRN_ANALYSIS_CALLEDFUNCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::trn {

/// The functions with a body that calls from `entry` reach, itself first.
/// Callers come before callees, except in recursion.
SmallVector<func::FuncOp> findCalledFunctions(func::FuncOp entry);

} // namespace mlir::trn

#endif // TRN_ANALYSIS_CALLEDFUNCTIONS_H
