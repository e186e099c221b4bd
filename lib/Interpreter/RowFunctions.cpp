//===- RowFunctions.cpp - The code of formulas ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowFunctions.h"

#include <algorithm>
#include <cmath>

using namespace mlir::trn;
using llvm::ArrayRef;

using Unary = float (*)(float);
using Binary = float (*)(float, float);

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static float copyOf(float x) { return x; }
// A NaN stays NaN, as in an engine that compares.
static float relu(float x) { return x < 0.0f ? 0.0f : x; }
static float sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }
static float silu(float x) { return x / (1.0f + std::exp(-x)); }
static float gelu(float x) {
  return 0.5f * x * (1.0f + std::erf(x * 0.70710678118654752440f));
}
static float geluApprxTanh(float x) {
  constexpr float scale = 0.79788456080286535588f; // sqrt(2 / pi)
  return 0.5f * x * (1.0f + std::tanh(scale * (x + 0.044715f * x * x * x)));
}
// Where exp(x) would be infinite it is x.
static float softplus(float x) {
  return relu(x) + std::log1p(std::exp(-std::fabs(x)));
}
static float mish(float x) { return x * std::tanh(softplus(x)); }
static float tanhOf(float x) { return std::tanh(x); }
static float erfOf(float x) { return std::erf(x); }
static float expOf(float x) { return std::exp(x); }
static float logOf(float x) { return std::log(x); }
static float square(float x) { return x * x; }
static float sqrtOf(float x) { return std::sqrt(x); }
static float rsqrt(float x) { return 1.0f / std::sqrt(x); }
static float reciprocal(float x) { return 1.0f / x; }
static float absOf(float x) { return std::fabs(x); }

static float add(float a, float b) { return a + b; }
static float sub(float a, float b) { return a - b; }
static float mul(float a, float b) { return a * b; }
static float div(float a, float b) { return a / b; }
static float maxOf(float a, float b) { return a > b || std::isnan(a) ? a : b; }
static float minOf(float a, float b) { return a < b || std::isnan(a) ? a : b; }

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

template <Unary function, Source scaleSource, Source biasSource>
static void activationRow(const float *const *inputs, float *output,
                          int64_t count, ArrayRef<float> parameters) {
  const float *x = inputs[0];
  const float *scales = nullptr, *biases = nullptr;
  int next = 1;
  if constexpr (scaleSource == Source::Read)
    scales = inputs[next++];
  if constexpr (biasSource == Source::Read)
    biases = inputs[next++];
  for (int64_t i = 0; i < count; ++i) {
    float scale = parameters[0], bias = parameters[1];
    if constexpr (scaleSource == Source::Read)
      scale = scales[i];
    if constexpr (biasSource == Source::Read)
      bias = biases[i];
    output[i] = function(x[i] * scale + bias);
  }
}

template <Binary function, Source source, bool reversed>
static void binaryRow(const float *const *inputs, float *output, int64_t count,
                      ArrayRef<float> parameters) {
  for (int64_t i = 0; i < count; ++i) {
    float a = inputs[0][i], b;
    if constexpr (source == Source::Read)
      b = inputs[1][i];
    else
      b = parameters[0];
    output[i] = reversed ? function(b, a) : function(a, b);
  }
}

static void selectRow(const float *const *inputs, float *output, int64_t count,
                      ArrayRef<float>) {
  for (int64_t i = 0; i < count; ++i)
    output[i] = inputs[0][i] != 0.0f ? inputs[1][i] : inputs[2][i];
}

template <Binary function>
static void foldRow(const float *const *inputs, float *output, int64_t count,
                    ArrayRef<float>) {
  for (int64_t i = 0; i < count; ++i)
    *output = function(*output, inputs[0][i]);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

template <Unary function>
static RowFunction activation(const Formula &formula) {
  constexpr Source constant = Source::Constant, read = Source::Read;
  if (formula.second == constant)
    return formula.third == constant
               ? activationRow<function, constant, constant>
               : activationRow<function, constant, read>;
  return formula.third == constant ? activationRow<function, read, constant>
                                   : activationRow<function, read, read>;
}

template <Binary function>
static RowFunction binary(const Formula &formula) {
  if (formula.third == Source::Read)
    return nullptr;
  if (formula.second == Source::Constant)
    return formula.reversed ? binaryRow<function, Source::Constant, true>
                            : binaryRow<function, Source::Constant, false>;
  return formula.reversed ? binaryRow<function, Source::Read, true>
                          : binaryRow<function, Source::Read, false>;
}

RowFunction mlir::trn::findMap(const Formula &formula) {
  switch (formula.function) {
  case Function::Copy:
    return activation<copyOf>(formula);
  case Function::Relu:
    return activation<relu>(formula);
  case Function::Silu:
    return activation<silu>(formula);
  case Function::Gelu:
    return activation<gelu>(formula);
  case Function::GeluApprxTanh:
    return activation<geluApprxTanh>(formula);
  case Function::Softplus:
    return activation<softplus>(formula);
  case Function::Mish:
    return activation<mish>(formula);
  case Function::Sigmoid:
    return activation<sigmoid>(formula);
  case Function::Tanh:
    return activation<tanhOf>(formula);
  case Function::Erf:
    return activation<erfOf>(formula);
  case Function::Exp:
    return activation<expOf>(formula);
  case Function::Log:
    return activation<logOf>(formula);
  case Function::Square:
    return activation<square>(formula);
  case Function::Sqrt:
    return activation<sqrtOf>(formula);
  case Function::Rsqrt:
    return activation<rsqrt>(formula);
  case Function::Reciprocal:
    return activation<reciprocal>(formula);
  case Function::Abs:
    return activation<absOf>(formula);
  case Function::Add:
    return binary<add>(formula);
  case Function::Sub:
    return binary<sub>(formula);
  case Function::Mul:
    return binary<mul>(formula);
  case Function::Div:
    return binary<div>(formula);
  case Function::Max:
    return binary<maxOf>(formula);
  case Function::Min:
    return binary<minOf>(formula);
  case Function::Select:
    return formula.numReads() == 3 ? selectRow : nullptr;
  }
  return nullptr;
}

RowFunction mlir::trn::findReduction(Function function) {
  switch (function) {
  case Function::Add:
    return foldRow<add>;
  case Function::Max:
    return foldRow<maxOf>;
  case Function::Min:
    return foldRow<minOf>;
  default:
    return nullptr;
  }
}
