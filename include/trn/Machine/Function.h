//===- Function.h - Functions of the engines --------------------*- C++ -*-===//
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

/// A function of elements, or one that folds many values.
enum class Function : uint8_t {
  // Of one value. Silu is x * sigmoid(x). Gelu is the one with erf,
  // gelu_apprx_tanh the one with tanh, gelu_apprx_sigmoid x * sigmoid(1.702 *
  // x). Softplus is log(1 + exp(x)), and mish x * tanh(softplus(x)). Names with
  // _dx are derivatives.
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
  // Of two values. Up to min, the result of a NaN is a NaN.
  Add,
  Sub,
  Mul,
  Div,
  Max,
  Min,
  /// As in C: pow(NaN, 0) is 1.
  Pow,
  /// The remainder with the sign of the divisor (Mod), or of the dividend
  /// (Fmod).
  Mod,
  Fmod,
  /// Comparisons and logic yield 1 or 0. All but zero is true, NaN too.
  Eq,
  Ne,
  Gt,
  Ge,
  Lt,
  Le,
  And,
  Or,
  Xor,
  /// Of three values: `a != 0 ? b : c`.
  Select,
};
constexpr int64_t numFunctions = int64_t(Function::Select) + 1;

/// The number of arguments.
int64_t arity(Function function);

/// The name, in lower case.
llvm::StringRef stringify(Function function);
/// The inverse of `stringify`.
std::optional<Function> parseFunction(llvm::StringRef name);

} // namespace mlir::trn

#endif // TRN_MACHINE_FUNCTION_H
