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
static float sinOf(float x) { return std::sin(x); }
static float arctanOf(float x) { return std::atan(x); }
// A NaN and zeros are their own sign.
static float sign(float x) { return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : x; }
/// x * factor, where a factor of zero wins over an infinite x.
static float damp(float x, float factor) {
  return factor == 0.0f ? 0.0f : x * factor;
}
static float geluApprxSigmoid(float x) { return x * sigmoid(1.702f * x); }
// (x * sigmoid(k * x))', whose second term vanishes far from zero.
static float sigmoidProductDx(float x, float k) {
  float s = sigmoid(k * x);
  return s + damp(k * x, s * (1.0f - s));
}
static float siluDx(float x) { return sigmoidProductDx(x, 1.0f); }
static float geluApprxSigmoidDx(float x) { return sigmoidProductDx(x, 1.702f); }
static float geluDx(float x) {
  constexpr float density = 0.39894228040143267794f; // 1 / sqrt(2 pi)
  return 0.5f * (1.0f + std::erf(x * 0.70710678118654752440f)) +
         damp(x, density * std::exp(-0.5f * x * x));
}
static float erfDx(float x) {
  constexpr float scale = 1.12837916709551257390f; // 2 / sqrt(pi)
  return scale * std::exp(-x * x);
}

static float add(float a, float b) { return a + b; }
static float sub(float a, float b) { return a - b; }
static float mul(float a, float b) { return a * b; }
static float div(float a, float b) { return a / b; }
static float maxOf(float a, float b) { return a > b || std::isnan(a) ? a : b; }
static float minOf(float a, float b) { return a < b || std::isnan(a) ? a : b; }
static float powOf(float a, float b) { return std::pow(a, b); }
static float fmodOf(float a, float b) { return std::fmod(a, b); }
static float modOf(float a, float b) {
  float rest = std::fmod(a, b);
  if (rest == 0.0f)
    return std::copysign(rest, b);
  return (rest < 0.0f) == (b < 0.0f) ? rest : rest + b;
}
static float eq(float a, float b) { return a == b; }
static float ne(float a, float b) { return a != b; }
static float gt(float a, float b) { return a > b; }
static float ge(float a, float b) { return a >= b; }
static float lt(float a, float b) { return a < b; }
static float le(float a, float b) { return a <= b; }
static float andOf(float a, float b) { return a != 0.0f && b != 0.0f; }
static float orOf(float a, float b) { return a != 0.0f || b != 0.0f; }
static float xorOf(float a, float b) { return (a != 0.0f) != (b != 0.0f); }

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

template <Source second, Source third>
static void selectRow(const float *const *inputs, float *output, int64_t count,
                      ArrayRef<float> parameters) {
  constexpr int thirdRead = second == Source::Read ? 2 : 1;
  constexpr int thirdConstant = second == Source::Read ? 0 : 1;
  for (int64_t i = 0; i < count; ++i) {
    float a, b;
    if constexpr (second == Source::Read)
      a = inputs[1][i];
    else
      a = parameters[0];
    if constexpr (third == Source::Read)
      b = inputs[thirdRead][i];
    else
      b = parameters[thirdConstant];
    output[i] = inputs[0][i] != 0.0f ? a : b;
  }
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
static RowFunction activation(const FormulaStep &step) {
  constexpr Source constant = Source::Constant, read = Source::Read;
  if (step.second == constant)
    return step.third == constant ? activationRow<function, constant, constant>
                                  : activationRow<function, constant, read>;
  return step.third == constant ? activationRow<function, read, constant>
                                : activationRow<function, read, read>;
}

template <Binary function>
static RowFunction binary(const FormulaStep &step) {
  if (step.third == Source::Read)
    return nullptr;
  if (step.second == Source::Constant)
    return step.reversed ? binaryRow<function, Source::Constant, true>
                         : binaryRow<function, Source::Constant, false>;
  return step.reversed ? binaryRow<function, Source::Read, true>
                       : binaryRow<function, Source::Read, false>;
}

static RowFunction select(const FormulaStep &step) {
  constexpr Source constant = Source::Constant, read = Source::Read;
  if (step.second == constant)
    return step.third == constant ? selectRow<constant, constant>
                                  : selectRow<constant, read>;
  return step.third == constant ? selectRow<read, constant>
                                : selectRow<read, read>;
}

RowFunction mlir::trn::findMap(const FormulaStep &step) {
  switch (step.function) {
  case Function::Copy:
    return activation<copyOf>(step);
  case Function::Relu:
    return activation<relu>(step);
  case Function::Silu:
    return activation<silu>(step);
  case Function::Gelu:
    return activation<gelu>(step);
  case Function::GeluApprxTanh:
    return activation<geluApprxTanh>(step);
  case Function::Softplus:
    return activation<softplus>(step);
  case Function::Mish:
    return activation<mish>(step);
  case Function::Sigmoid:
    return activation<sigmoid>(step);
  case Function::Tanh:
    return activation<tanhOf>(step);
  case Function::Erf:
    return activation<erfOf>(step);
  case Function::Exp:
    return activation<expOf>(step);
  case Function::Log:
    return activation<logOf>(step);
  case Function::Square:
    return activation<square>(step);
  case Function::Sqrt:
    return activation<sqrtOf>(step);
  case Function::Rsqrt:
    return activation<rsqrt>(step);
  case Function::Reciprocal:
    return activation<reciprocal>(step);
  case Function::Abs:
    return activation<absOf>(step);
  case Function::Sin:
    return activation<sinOf>(step);
  case Function::Arctan:
    return activation<arctanOf>(step);
  case Function::Sign:
    return activation<sign>(step);
  case Function::GeluApprxSigmoid:
    return activation<geluApprxSigmoid>(step);
  case Function::SiluDx:
    return activation<siluDx>(step);
  case Function::GeluDx:
    return activation<geluDx>(step);
  case Function::GeluApprxSigmoidDx:
    return activation<geluApprxSigmoidDx>(step);
  case Function::ErfDx:
    return activation<erfDx>(step);
  case Function::Add:
    return binary<add>(step);
  case Function::Sub:
    return binary<sub>(step);
  case Function::Mul:
    return binary<mul>(step);
  case Function::Div:
    return binary<div>(step);
  case Function::Max:
    return binary<maxOf>(step);
  case Function::Min:
    return binary<minOf>(step);
  case Function::Pow:
    return binary<powOf>(step);
  case Function::Mod:
    return binary<modOf>(step);
  case Function::Fmod:
    return binary<fmodOf>(step);
  case Function::Eq:
    return binary<eq>(step);
  case Function::Ne:
    return binary<ne>(step);
  case Function::Gt:
    return binary<gt>(step);
  case Function::Ge:
    return binary<ge>(step);
  case Function::Lt:
    return binary<lt>(step);
  case Function::Le:
    return binary<le>(step);
  case Function::And:
    return binary<andOf>(step);
  case Function::Or:
    return binary<orOf>(step);
  case Function::Xor:
    return binary<xorOf>(step);
  case Function::Select:
    return select(step);
  }
  return nullptr;
}

RowFunction mlir::trn::findReduction(Function function) {
  switch (function) {
  case Function::Add:
    return foldRow<add>;
  case Function::Mul:
    return foldRow<mul>;
  case Function::Max:
    return foldRow<maxOf>;
  case Function::Min:
    return foldRow<minOf>;
  default:
    return nullptr;
  }
}
