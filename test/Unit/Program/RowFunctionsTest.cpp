//===- RowFunctionsTest.cpp - Tests of functions of rows ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/RowFunctions.h"

#include "gtest/gtest.h"
#include <array>
#include <cmath>

using namespace mlir::trn;

namespace {

constexpr float scale = 2.0f, bias = -1.0f;
constexpr std::array<float, 5> inputs = {-2.0f, -0.5f, 0.25f, 1.0f, 3.0f};

std::array<float, 5> runActivation(llvm::StringRef name, Source scaleSource,
                                   Source biasSource) {
  std::array<float, 5> scales, biases, output;
  scales.fill(scale);
  biases.fill(bias);
  llvm::SmallVector<const float *> rows = {inputs.data()};
  if (scaleSource == Source::Input)
    rows.push_back(scales.data());
  if (biasSource == Source::Input)
    rows.push_back(biases.data());
  // What is an input must not be taken from the parameters.
  float parameters[] = {scaleSource == Source::Input ? 77.0f : scale,
                        biasSource == Source::Input ? 77.0f : bias};
  findActivation(name, scaleSource, biasSource)(
      rows.data(), output.data(), output.size(), llvm::ArrayRef(parameters));
  return output;
}

float runBinary(llvm::StringRef name, Source source, bool reversed, float a,
                float b) {
  const float *rows[] = {&a, &b};
  float output = 0;
  findBinary(name, source, reversed)(rows, &output, 1, {b});
  return output;
}

} // namespace

TEST(RowFunctions, ActivationsComputeFunctionOfScaledAndBiased) {
  using Reference = double (*)(double);
  const std::pair<const char *, Reference> functions[] = {
      {"copy", [](double x) { return x; }},
      {"relu", [](double x) { return std::max(x, 0.0); }},
      {"silu", [](double x) { return x / (1 + std::exp(-x)); }},
      {"gelu", [](double x) { return x * std::erfc(-x / std::sqrt(2.0)) / 2; }},
      {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
      {"tanh", [](double x) { return std::tanh(x); }},
      {"erf", [](double x) { return std::erf(x); }},
      {"exp", [](double x) { return std::exp(x); }},
      {"log", [](double x) { return std::log(x); }},
      {"square", [](double x) { return x * x; }},
      {"sqrt", [](double x) { return std::sqrt(x); }},
      {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
      {"reciprocal", [](double x) { return 1 / x; }},
      {"abs", [](double x) { return std::fabs(x); }}};
  for (const auto &[name, reference] : functions)
    for (Source scaleSource : {Source::Constant, Source::Input})
      for (Source biasSource : {Source::Constant, Source::Input}) {
        auto output = runActivation(name, scaleSource, biasSource);
        for (size_t i = 0; i < inputs.size(); ++i) {
          double expected = reference(inputs[i] * scale + bias);
          if (std::isnan(expected))
            EXPECT_TRUE(std::isnan(output[i])) << name << " of " << inputs[i];
          else if (std::isinf(expected))
            EXPECT_EQ(output[i], expected) << name << " of " << inputs[i];
          else
            EXPECT_NEAR(output[i], expected, 1e-6 * (1 + std::fabs(expected)))
                << name << " of " << inputs[i];
        }
      }
}

TEST(RowFunctions, BinariesTakeTheSecondValueFromEitherSource) {
  for (Source source : {Source::Constant, Source::Input}) {
    EXPECT_EQ(runBinary("add", source, false, 3, 4), 7);
    EXPECT_EQ(runBinary("sub", source, false, 3, 4), -1);
    EXPECT_EQ(runBinary("sub", source, true, 3, 4), 1);
    EXPECT_EQ(runBinary("mul", source, false, 3, 4), 12);
    EXPECT_EQ(runBinary("div", source, false, 3, 4), 0.75f);
    EXPECT_EQ(runBinary("div", source, true, 3, 6), 2);
    EXPECT_EQ(runBinary("max", source, false, 3, 4), 4);
    EXPECT_EQ(runBinary("min", source, false, 3, 4), 3);
  }
}

TEST(RowFunctions, ReductionsStartFromTheirOutput) {
  auto reduce = [](llvm::StringRef name, float start, std::vector<float> row) {
    const float *rows[] = {row.data()};
    findReduction(name)(rows, &start, int64_t(row.size()), {});
    return start;
  };
  EXPECT_EQ(reduce("add", 1, {2, 3}), 6);
  EXPECT_EQ(reduce("max", 1, {-2, 3, 2}), 3);
  EXPECT_EQ(reduce("min", 1, {2, -3, 2}), -3);
  EXPECT_EQ(reduce("max", 7, {}), 7);
  // One after the other: 2^24 + 1 is 2^24 in f32.
  EXPECT_EQ(reduce("add", 0x1p24f, {1, 1}), 0x1p24f);
  for (const char *name : {"add", "max", "min"}) {
    EXPECT_TRUE(std::isnan(reduce(name, 1, {2, std::nanf(""), 3})));
    EXPECT_TRUE(std::isnan(reduce(name, std::nanf(""), {2})));
  }
}

TEST(RowFunctions, ANaNIsNotLost) {
  float nan = std::nanf("");
  for (const char *name : {"add", "sub", "mul", "div", "max", "min"})
    for (bool reversed : {false, true})
      EXPECT_TRUE(
          std::isnan(runBinary(name, Source::Input, reversed, nan, 1.0f)))
          << name;
  float output = 0, parameters[] = {1, 0};
  const float *rows[] = {&nan};
  findActivation("relu", Source::Constant, Source::Constant)(
      rows, &output, 1, llvm::ArrayRef(parameters));
  EXPECT_TRUE(std::isnan(output));
}

TEST(RowFunctions, UnknownNamesAreNull) {
  EXPECT_EQ(findActivation("none", Source::Constant, Source::Constant),
            nullptr);
  EXPECT_EQ(findReduction("none"), nullptr);
  EXPECT_EQ(findBinary("none", Source::Constant, false), nullptr);
}
