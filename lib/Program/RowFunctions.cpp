//===- RowFunctions.cpp - Functions of rows, by name ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/RowFunctions.h"

#include <algorithm>
#include <cmath>

using namespace mlir::trn;
using llvm::ArrayRef;
using llvm::StringRef;

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
  if constexpr (scaleSource == Source::Input)
    scales = inputs[next++];
  if constexpr (biasSource == Source::Input)
    biases = inputs[next++];
  for (int64_t i = 0; i < count; ++i) {
    float scale = parameters[0], bias = parameters[1];
    if constexpr (scaleSource == Source::Input)
      scale = scales[i];
    if constexpr (biasSource == Source::Input)
      bias = biases[i];
    output[i] = function(x[i] * scale + bias);
  }
}

template <Binary function, Source source, bool reversed>
static void binaryRow(const float *const *inputs, float *output, int64_t count,
                      ArrayRef<float> parameters) {
  for (int64_t i = 0; i < count; ++i) {
    float a = inputs[0][i], b;
    if constexpr (source == Source::Input)
      b = inputs[1][i];
    else
      b = parameters[0];
    output[i] = reversed ? function(b, a) : function(a, b);
  }
}

void mlir::trn::selectRow(const float *const *inputs, float *output,
                          int64_t count, ArrayRef<float>) {
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

namespace {
/// One function in each combination of sources.
struct Entry {
  StringRef name;
  RowFunction rows[4];
};
} // namespace

template <Unary function>
static Entry activation(StringRef name) {
  return {name,
          {activationRow<function, Source::Constant, Source::Constant>,
           activationRow<function, Source::Constant, Source::Input>,
           activationRow<function, Source::Input, Source::Constant>,
           activationRow<function, Source::Input, Source::Input>}};
}

template <Binary function>
static Entry binary(StringRef name) {
  return {name,
          {binaryRow<function, Source::Constant, false>,
           binaryRow<function, Source::Constant, true>,
           binaryRow<function, Source::Input, false>,
           binaryRow<function, Source::Input, true>}};
}

static RowFunction find(ArrayRef<Entry> table, StringRef name, bool first,
                        bool second) {
  for (const Entry &entry : table)
    if (entry.name == name)
      return entry.rows[2 * first + second];
  return nullptr;
}

RowFunction mlir::trn::findActivation(StringRef function, Source scale,
                                      Source bias) {
  static const Entry table[] = {activation<copyOf>("copy"),
                                activation<relu>("relu"),
                                activation<silu>("silu"),
                                activation<gelu>("gelu"),
                                activation<sigmoid>("sigmoid"),
                                activation<tanhOf>("tanh"),
                                activation<erfOf>("erf"),
                                activation<expOf>("exp"),
                                activation<logOf>("log"),
                                activation<square>("square"),
                                activation<sqrtOf>("sqrt"),
                                activation<rsqrt>("rsqrt"),
                                activation<reciprocal>("reciprocal"),
                                activation<absOf>("abs")};
  return find(table, function, scale == Source::Input, bias == Source::Input);
}

RowFunction mlir::trn::findBinary(StringRef function, Source b, bool reversed) {
  static const Entry table[] = {binary<add>("add"),   binary<sub>("sub"),
                                binary<mul>("mul"),   binary<div>("div"),
                                binary<maxOf>("max"), binary<minOf>("min")};
  return find(table, function, b == Source::Input, reversed);
}

RowFunction mlir::trn::findReduction(StringRef function) {
  static const std::pair<StringRef, RowFunction> table[] = {
      {"add", foldRow<add>}, {"max", foldRow<maxOf>}, {"min", foldRow<minOf>}};
  for (auto [name, rows] : table)
    if (name == function)
      return rows;
  return nullptr;
}
