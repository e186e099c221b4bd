//===- Function.h - What engines compute of values --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MACHINE_FUNCTION_H
#define TRN_MACHINE_FUNCTION_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace mlir::trn {

/// What an engine computes element by element, or folds many values with.
enum class Function : uint8_t {
  // Of one value. Silu is x * sigmoid(x), gelu the one with erf,
  // gelu_apprx_tanh the one with tanh and gelu_apprx_sigmoid
  // x * sigmoid(1.702 * x), softplus log(1 + exp(x)), and mish
  // x * tanh(softplus(x)). What ends in _dx is a derivative.
  Copy,
  Relu,
  Silu,
  Gelu,
  GeluApprxTanh,
  Softplus,
  Mish,
  Sigmoid,
  Tanh,
  Erf,
  Exp,
  Log,
  Square,
  Sqrt,
  Rsqrt,
  Reciprocal,
  Abs,
  Sin,
  Arctan,
  Sign,
  GeluApprxSigmoid,
  SiluDx,
  GeluDx,
  GeluApprxSigmoidDx,
  ErfDx,
  // Of two. Up to min, a NaN is never lost.
  Add,
  Sub,
  Mul,
  Div,
  Max,
  Min,
  /// As in C: of a NaN and zero it is 1.
  Pow,
  /// The remainder with the sign of the divisor, and that of the dividend.
  Mod,
  Fmod,
  /// Comparisons and logic: 1 or 0. What is not zero holds, NaN too.
  Eq,
  Ne,
  Gt,
  Ge,
  Lt,
  Le,
  And,
  Or,
  Xor,
  /// Of three: `a != 0 ? b : c`.
  Select,
};
constexpr int64_t numFunctions = int64_t(Function::Select) + 1;

/// How many values it takes.
int64_t arity(Function function);

/// The name, in lower case.
llvm::StringRef stringify(Function function);
/// The inverse of `stringify`.
std::optional<Function> parseFunction(llvm::StringRef name);

} // namespace mlir::trn

#endif // TRN_MACHINE_FUNCTION_H
