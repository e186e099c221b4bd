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

/// Computes one step of a formula for a row: `count` outputs from `count`
/// values of x and of each read, all widened to f32; `parameters` begins with
/// the constants of the step. Of a fold: folds `count` values of the only input
/// into `output[0]`, one after the other.
using RowFunction = void (*)(const float *const *inputs, float *output,
                             int64_t count, llvm::ArrayRef<float> parameters);

/// The code of a step. Null where its function takes fewer values than the step
/// reads.
RowFunction findMap(const FormulaStep &step);

/// The code of a fold. Null for all but add, mul, max and min.
RowFunction findReduction(Function function);

} // namespace mlir::trn

#endif // TRN_INTERPRETER_ROWFUNCTIONS_H
