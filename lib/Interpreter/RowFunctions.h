//===- RowFunctions.h - The code of formulas --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_INTERPRETER_ROWFUNCTIONS_H
#define TRN_INTERPRETER_ROWFUNCTIONS_H

#include "trn/Program/Instruction.h"

namespace mlir::trn {

/// Computes one row of a `Map`: `count` outputs from `count` values of each
/// read, all widened to f32. Of a `Reduce`: folds `count` values of the only
/// read into `output[0]`, one after the other.
using RowFunction = void (*)(const float *const *inputs, float *output,
                             int64_t count, llvm::ArrayRef<float> parameters);

/// The code of a `Map`. Null where a function takes fewer values than the
/// formula reads, or more.
RowFunction findMap(const Formula &formula);

/// The code of a `Reduce`. Null for all but add, max and min.
RowFunction findReduction(Function function);

} // namespace mlir::trn

#endif // TRN_INTERPRETER_ROWFUNCTIONS_H
