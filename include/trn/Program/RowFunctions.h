//===- RowFunctions.h - Functions of rows, by name --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_ROWFUNCTIONS_H
#define TRN_PROGRAM_ROWFUNCTIONS_H

#include "trn/Program/Instruction.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::trn {

/// Where the second value of an instruction comes from: the instruction's
/// constants or one more input.
enum class Source : uint8_t { Constant, Input };

/// `function(x * scale + bias)`. Inputs: x, then the scale and the bias that
/// are inputs; parameters: scale, bias (those that are inputs are ignored).
/// Functions: copy, relu, silu, gelu, sigmoid, tanh, erf, exp, log, square,
/// sqrt, rsqrt, reciprocal, abs. Null for any other name.
RowFunction findActivation(llvm::StringRef function, Source scale, Source bias);

/// `function(a, b)`. Inputs: a, and b if it is an input; parameters: b.
/// Functions: add, sub, mul, div, max, min. Null for any other name.
/// `reversed` computes `function(b, a)`.
RowFunction findBinary(llvm::StringRef function, Source b, bool reversed);

/// `condition != 0 ? a : b`. Inputs: condition, a and b.
void selectRow(const float *const *inputs, float *output, int64_t count,
               llvm::ArrayRef<float> parameters);

/// Folds all values of its input into the first output, which holds the value
/// to start from. Functions: add, max, min. Null for any other name.
RowFunction findReduction(llvm::StringRef function);

} // namespace mlir::trn

#endif // TRN_PROGRAM_ROWFUNCTIONS_H
