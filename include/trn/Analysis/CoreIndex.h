//===- CoreIndex.h - Code that asks which core runs it ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_ANALYSIS_COREINDEX_H
#define TRN_ANALYSIS_COREINDEX_H

#include "mlir/IR/Value.h"

namespace mlir::trn {

/// Whether `op` asks which core of a grid runs it, or how many there are.
bool asksForCore(Operation *op);

/// The value of `result`, of such an op, on core `core`. None if the grid is
/// missing or has no static size.
std::optional<int64_t> evaluateOnCore(OpResult result, int64_t core);

} // namespace mlir::trn

#endif // TRN_ANALYSIS_COREINDEX_H
