//===- Function.cpp - What engines compute of values ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Machine/Function.h"

using namespace mlir::trn;

static constexpr llvm::StringLiteral names[numFunctions] = {
    "copy", "relu", "silu", "gelu", "gelu_apprx_tanh", "softplus", "mish",
    "sigmoid", "tanh", "erf", "exp", "log", "square", "sqrt", "rsqrt",
    "reciprocal", "abs", "sin", "arctan", "sign", "gelu_apprx_sigmoid",
    "silu_dx", "gelu_dx", "gelu_apprx_sigmoid_dx", "erf_dx",
    // Of two.
    "add", "sub", "mul", "div", "max", "min", "pow", "mod", "fmod", "eq", "ne",
    "gt", "ge", "lt", "le", "and", "or", "xor", "select"};

int64_t mlir::trn::arity(Function function) {
  if (function == Function::Select)
    return 3;
  return function < Function::Add ? 1 : 2;
}

llvm::StringRef mlir::trn::stringify(Function function) {
  return names[static_cast<unsigned>(function)];
}

std::optional<Function> mlir::trn::parseFunction(llvm::StringRef name) {
  for (int64_t i = 0; i < numFunctions; ++i)
    if (names[i] == name)
      return static_cast<Function>(i);
  return std::nullopt;
}
