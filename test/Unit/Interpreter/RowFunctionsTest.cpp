//===- RowFunctionsTest.cpp - Tests of functions of rows ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Interpreter/RowFunctions.h"

#include "gtest/gtest.h"
#include <array>
#include <cmath>

using namespace mlir::trn;

namespace {

constexpr float scale = 2.0f, bias = -1.0f;
constexpr std::array<float, 5> inputs = {-2.0f, -0.5f, 0.25f, 1.0f, 3.0f};

std::array<float, 5> runActivation(Function function, Source scaleSource,
                                   Source biasSource) {
  std::array<float, 5> scales, biases, output;
  scales.fill(scale);
  biases.fill(bias);
  llvm::SmallVector<const float *> rows = {inputs.data()};
  if (scaleSource == Source::Read)
    rows.push_back(scales.data());
  if (biasSource == Source::Read)
    rows.push_back(biases.data());
  // What is an input must not be taken from the parameters.
  float parameters[] = {scaleSource == Source::Read ? 77.0f : scale,
                        biasSource == Source::Read ? 77.0f : bias};
  findMap({function, scaleSource, biasSource})(
      rows.data(), output.data(), output.size(), llvm::ArrayRef(parameters));
  return output;
}

float runBinary(Function function, Source source, bool reversed, float a,
                float b) {
  const float *rows[] = {&a, &b};
  float output = 0;
  findMap({function, source, Source::Constant, reversed})(rows, &output, 1,
                                                          {b});
  return output;
}

double slope(double (*function)(double), double x) {
  constexpr double step = 1e-5;
  return (function(x + step) - function(x - step)) / (2 * step);
}

} // namespace

TEST(RowFunctions, ActivationsComputeFunctionOfScaledAndBiased) {
  using Reference = double (*)(double);
  const std::pair<Function, Reference> functions[] = {
      {Function::Copy, [](double x) { return x; }},
      {Function::Relu, [](double x) { return std::max(x, 0.0); }},
      {Function::Silu, [](double x) { return x / (1 + std::exp(-x)); }},
      {Function::Gelu,
       [](double x) { return x * std::erfc(-x / std::sqrt(2.0)) / 2; }},
      // tanh as a quotient of powers.
      {Function::GeluApprxTanh,
       [](double x) {
         double u = std::sqrt(8 / M_PI) * (x + 0.044715 * std::pow(x, 3));
         return x / (1 + std::exp(-u));
       }},
      {Function::Softplus, [](double x) { return std::log(1 + std::exp(x)); }},
      {Function::Mish,
       [](double x) {
         double square = std::pow(1 + std::exp(x), 2);
         return x * (square - 1) / (square + 1);
       }},
      {Function::Sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }},
      {Function::Tanh, [](double x) { return std::tanh(x); }},
      {Function::Erf, [](double x) { return std::erf(x); }},
      {Function::Exp, [](double x) { return std::exp(x); }},
      {Function::Log, [](double x) { return std::log(x); }},
      {Function::Square, [](double x) { return x * x; }},
      {Function::Sqrt, [](double x) { return std::sqrt(x); }},
      {Function::Rsqrt, [](double x) { return 1 / std::sqrt(x); }},
      {Function::Reciprocal, [](double x) { return 1 / x; }},
      {Function::Abs, [](double x) { return std::fabs(x); }},
      {Function::Sin, [](double x) { return std::sin(x); }},
      {Function::Arctan, [](double x) { return std::atan(x); }},
      {Function::Sign, [](double x) { return double((x > 0) - (x < 0)); }},
      {Function::GeluApprxSigmoid,
       [](double x) { return x / (1 + std::exp(-1.702 * x)); }},
      // Derivatives as slopes of what they are derivatives of.
      {Function::SiluDx,
       [](double x) {
         return slope([](double x) { return x / (1 + std::exp(-x)); }, x);
       }},
      {Function::GeluDx,
       [](double x) {
         return slope(
             [](double x) { return x * std::erfc(-x / std::sqrt(2.0)) / 2; },
             x);
       }},
      {Function::GeluApprxSigmoidDx,
       [](double x) {
         return slope([](double x) { return x / (1 + std::exp(-1.702 * x)); },
                      x);
       }},
      {Function::ErfDx, [](double x) {
         return slope([](double x) { return std::erf(x); }, x);
       }}};
  for (const auto &[function, reference] : functions)
    for (Source scaleSource : {Source::Constant, Source::Read})
      for (Source biasSource : {Source::Constant, Source::Read}) {
        auto output = runActivation(function, scaleSource, biasSource);
        for (size_t i = 0; i < inputs.size(); ++i) {
          double expected = reference(inputs[i] * scale + bias);
          if (std::isnan(expected))
            EXPECT_TRUE(std::isnan(output[i]))
                << stringify(function).str() << " of " << inputs[i];
          else if (std::isinf(expected))
            EXPECT_EQ(output[i], expected)
                << stringify(function).str() << " of " << inputs[i];
          else
            EXPECT_NEAR(output[i], expected, 1e-6 * (1 + std::fabs(expected)))
                << stringify(function).str() << " of " << inputs[i];
        }
      }
}

TEST(RowFunctions, SoftplusOfLargeValuesIsFinite) {
  const float x[] = {200, -200, std::nanf(""), INFINITY, -INFINITY};
  const float *rows[] = {x};
  float parameters[] = {1, 0};
  std::array<float, 5> output;
  findMap({Function::Softplus})(rows, output.data(), 5,
                                llvm::ArrayRef(parameters));
  EXPECT_EQ(output[0], 200);
  EXPECT_EQ(output[1], 0);
  EXPECT_TRUE(std::isnan(output[2]));
  EXPECT_EQ(output[3], INFINITY);
  EXPECT_EQ(output[4], 0);
}

TEST(RowFunctions, BinariesTakeTheSecondValueFromEitherSource) {
  for (Source source : {Source::Constant, Source::Read}) {
    EXPECT_EQ(runBinary(Function::Add, source, false, 3, 4), 7);
    EXPECT_EQ(runBinary(Function::Sub, source, false, 3, 4), -1);
    EXPECT_EQ(runBinary(Function::Sub, source, true, 3, 4), 1);
    EXPECT_EQ(runBinary(Function::Mul, source, false, 3, 4), 12);
    EXPECT_EQ(runBinary(Function::Div, source, false, 3, 4), 0.75f);
    EXPECT_EQ(runBinary(Function::Div, source, true, 3, 6), 2);
    // As a reciprocal: adding a bias would lose the sign of zero.
    EXPECT_EQ(runBinary(Function::Div, source, true, -0.0f, 1), -INFINITY);
    EXPECT_EQ(runBinary(Function::Max, source, false, 3, 4), 4);
    EXPECT_EQ(runBinary(Function::Min, source, false, 3, 4), 3);
  }
}

TEST(RowFunctions, ReductionsStartFromTheirOutput) {
  auto reduce = [](Function function, float start, std::vector<float> row) {
    const float *rows[] = {row.data()};
    findReduction(function)(rows, &start, int64_t(row.size()), {});
    return start;
  };
  EXPECT_EQ(reduce(Function::Add, 1, {2, 3}), 6);
  EXPECT_EQ(reduce(Function::Max, 1, {-2, 3, 2}), 3);
  EXPECT_EQ(reduce(Function::Min, 1, {2, -3, 2}), -3);
  EXPECT_EQ(reduce(Function::Mul, 2, {3, -4}), -24);
  EXPECT_EQ(reduce(Function::Max, 7, {}), 7);
  // One after the other: 2^24 + 1 is 2^24 in f32.
  EXPECT_EQ(reduce(Function::Add, 0x1p24f, {1, 1}), 0x1p24f);
  for (Function function : {Function::Add, Function::Max, Function::Min}) {
    EXPECT_TRUE(std::isnan(reduce(function, 1, {2, std::nanf(""), 3})));
    EXPECT_TRUE(std::isnan(reduce(function, std::nanf(""), {2})));
  }
}

TEST(RowFunctions, ANaNIsNotLost) {
  float nan = std::nanf("");
  for (Function function : {Function::Add, Function::Sub, Function::Mul,
                            Function::Div, Function::Max, Function::Min})
    for (bool reversed : {false, true})
      EXPECT_TRUE(
          std::isnan(runBinary(function, Source::Read, reversed, nan, 1.0f)))
          << stringify(function).str();
  float output = 0, parameters[] = {1, 0};
  const float *rows[] = {&nan};
  findMap({Function::Relu})(rows, &output, 1, llvm::ArrayRef(parameters));
  EXPECT_TRUE(std::isnan(output));
}

TEST(RowFunctions, SelectTakesTheSecondValueWhereTheFirstIsNotZero) {
  const float conditions[] = {1, 0, -0.0f, std::nanf("")}, a[] = {1, 2, 3, 4},
              b[] = {5, 6, 7, 8};
  const float *rows[] = {conditions, a, b};
  std::array<float, 4> output;
  findMap({Function::Select, Source::Read, Source::Read})(rows, output.data(),
                                                          4, {});
  EXPECT_EQ(output, (std::array<float, 4>{1, 6, 7, 4}));
}

TEST(RowFunctions, SelectTakesConstants) {
  const float conditions[] = {1, 0}, a[] = {2, 3};
  const float *rows[] = {conditions, a};
  float output[2];
  auto select = [&](Source second, Source third,
                    std::initializer_list<float> parameters) {
    findMap({Function::Select, second, third})(rows, output, 2, parameters);
    return std::pair(output[0], output[1]);
  };
  EXPECT_EQ(select(Source::Read, Source::Constant, {9}), std::pair(2.f, 9.f));
  EXPECT_EQ(select(Source::Constant, Source::Read, {9}), std::pair(9.f, 3.f));
  EXPECT_EQ(select(Source::Constant, Source::Constant, {8, 9}),
            std::pair(8.f, 9.f));
}

TEST(RowFunctions, ComparisonsAndLogicYieldOneOrZero) {
  auto values = [](Function function, float a, float b) {
    return runBinary(function, Source::Read, false, a, b);
  };
  const float nan = std::nanf("");
  EXPECT_EQ(values(Function::Eq, 2, 2), 1);
  EXPECT_EQ(values(Function::Eq, nan, nan), 0);
  EXPECT_EQ(values(Function::Ne, 2, 2), 0);
  EXPECT_EQ(values(Function::Ne, nan, 2), 1);
  EXPECT_EQ(values(Function::Gt, 3, 2), 1);
  EXPECT_EQ(values(Function::Ge, 2, 2), 1);
  EXPECT_EQ(values(Function::Lt, 2, 2), 0);
  EXPECT_EQ(values(Function::Le, 2, nan), 0);
  EXPECT_EQ(values(Function::And, 2, -0.0f), 0);
  EXPECT_EQ(values(Function::And, 2, nan), 1);
  EXPECT_EQ(values(Function::Or, 0, 3), 1);
  EXPECT_EQ(values(Function::Or, 0, 0), 0);
  EXPECT_EQ(values(Function::Xor, 2, 3), 0);
  EXPECT_EQ(values(Function::Xor, 0, 3), 1);
}

TEST(RowFunctions, RemaindersHaveTheSignOfTheDivisorOrTheDividend) {
  auto values = [](Function function, float a, float b) {
    return runBinary(function, Source::Constant, false, a, b);
  };
  EXPECT_EQ(values(Function::Mod, 7, 3), 1);
  EXPECT_EQ(values(Function::Mod, -7, 3), 2);
  EXPECT_EQ(values(Function::Mod, 7, -3), -2);
  EXPECT_EQ(values(Function::Mod, -7, -3), -1);
  EXPECT_EQ(values(Function::Fmod, -7, 3), -1);
  EXPECT_EQ(values(Function::Fmod, 7, -3), 1);
  EXPECT_TRUE(std::signbit(values(Function::Mod, 6, -3)));
  EXPECT_TRUE(std::isnan(values(Function::Mod, 1, 0)));
  EXPECT_EQ(values(Function::Pow, 2, 10), 1024);
  EXPECT_EQ(values(Function::Pow, 4, -0.5f), 0.5f);
}

TEST(RowFunctions, DerivativesVanishFarFromZero) {
  for (Function function :
       {Function::SiluDx, Function::GeluDx, Function::GeluApprxSigmoidDx}) {
    const float x[] = {-INFINITY, INFINITY, -3e38f, 3e38f, std::nanf("")};
    const float *rows[] = {x};
    float parameters[] = {1, 0}, output[5];
    findMap({function})(rows, output, 5, parameters);
    EXPECT_EQ(output[0], 0) << stringify(function).str();
    EXPECT_EQ(output[1], 1);
    EXPECT_EQ(output[2], 0);
    EXPECT_EQ(output[3], 1);
    EXPECT_TRUE(std::isnan(output[4]));
  }
}

TEST(RowFunctions, EveryFunctionHasCode) {
  for (int64_t i = 0; i < numFunctions; ++i) {
    auto function = static_cast<Function>(i);
    Source third = arity(function) == 2 ? Source::Constant : Source::Read;
    EXPECT_TRUE(findMap({function, Source::Read, third}))
        << stringify(function).str();
  }
}

TEST(RowFunctions, WhatNoInstructionComputesIsNull) {
  EXPECT_FALSE(findMap({Function::Add, Source::Read, Source::Read}));
  EXPECT_FALSE(findReduction(Function::Exp));
  EXPECT_FALSE(findReduction(Function::Sub));
}
