//===- ReduceTest.cpp - Tests of reductions -------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::trn;

static constexpr ElementType bf16 = ElementType::BF16, f16 = ElementType::F16,
                             f32 = ElementType::F32;

namespace {
struct Case {
  ElementType from, to;
  int64_t rows;
  /// Free dims, with gaps between their elements.
  std::vector<Access::Dim> dims;
};
} // namespace

/// The free offsets of `dims` in row-major order, by counting them all up.
static std::vector<int64_t> offsetsOf(llvm::ArrayRef<Access::Dim> dims) {
  std::vector<int64_t> offsets = {0};
  for (const Access::Dim &dim : dims) {
    std::vector<int64_t> next;
    for (int64_t offset : offsets)
      for (int64_t i = 0; i < dim.size; ++i)
        next.push_back(offset + i * dim.stride);
    offsets = next;
  }
  return offsets;
}

static float fold(Function function, float a, float b) {
  if (function == Function::Add)
    return a + b;
  if (std::isnan(a) || std::isnan(b))
    return std::nanf("");
  return function == Function::Max ? std::max(a, b) : std::min(a, b);
}

/// Reduces each row of `data` and returns the column.
static std::vector<float> reduce(const Case &test, Function function,
                                 Array data, int64_t width, unsigned threads) {
  KernelBuilder kernel;
  int32_t x = kernel.argument(test.from, test.rows * width);
  int32_t y = kernel.argument(test.to, test.rows, /*result=*/true);
  int32_t tile = kernel.sbuf(test.from, test.rows, width, 0);
  int32_t column = kernel.sbuf(test.to, test.rows, 1, width * 4);
  kernel.alloc(tile);
  kernel.alloc(column);
  kernel.copy(kernel.hbm(x, 0, {{test.rows, width}, {width, 1}}),
              kernel.tile(tile, test.rows, 0, width));
  kernel
      .execute(Engine::Vector, Semantics::Reduce,
               {kernel.tile(tile, 0, test.rows, 0, test.dims)},
               kernel.tile(column, test.rows, 0, 1))
      .fold = Fold{function};
  kernel.copy(kernel.tile(column, test.rows, 0, 1),
              kernel.hbm(y, 0, {{test.rows, 1}, {1, 1}}));
  Array arrays[] = {std::move(data), Array(test.to, test.rows)};
  std::optional<Fault> fault = kernel.run(arrays, threads);
  EXPECT_FALSE(fault) << fault->message;
  return arrays[1].values();
}

TEST(Reduce, FoldsEachPartitionInOrder) {
  const Case cases[] = {
      {f32, f32, 1, {{1, 1}}},
      {f32, f32, 128, {{1, 1}}},
      {f32, bf16, 1, {{1500, 1}}},
      {bf16, f32, 37, {{513, 1}}},
      {bf16, bf16, 128, {{1024, 1}}},
      {f16, f32, 128, {{1025, 1}}},
      {f32, f32, 64, {{301, 2}}},
      {bf16, f16, 5, {{3, 700}, {7, 90}, {11, 1}}},
      {f32, f32, 9, {{4, 5}, {3, 40}, {2, 2}}},
      {f16, f32, 33, {{2, 1}, {600, 2}}},
      {f32, f32, 128, {{8192, 1}}},
  };
  for (const Case &test : cases) {
    std::vector<int64_t> offsets = offsetsOf(test.dims);
    int64_t width = *std::max_element(offsets.begin(), offsets.end()) + 1;
    Array data = Array::random(test.from, test.rows * width, 11);
    std::vector<float> input = data.values();
    for (Function function : {Function::Add, Function::Max, Function::Min})
      for (unsigned threads : {1, 4}) {
        std::vector<float> output =
            reduce(test, function, data, width, threads);
        for (int64_t row = 0; row < test.rows; ++row) {
          const float *values = &input[row * width];
          float expected = values[offsets[0]];
          for (size_t i = 1; i < offsets.size(); ++i)
            expected = fold(function, expected, values[offsets[i]]);
          ASSERT_EQ(output[row], roundTo(test.to, expected))
              << stringify(function).str() << ", row " << row << ", "
              << offsets.size() << " values";
        }
      }
  }
}

TEST(Reduce, KeepsWhatIsNotANumber) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  const float nan = std::nanf("");
  struct Row {
    float values[3], sum, max, min;
  };
  const Row rows[] = {
      {{1, nan, 2}, nan, nan, nan},      {{nan, 1, 2}, nan, nan, nan},
      {{1, 2, nan}, nan, nan, nan},      {{inf, 1, 2}, inf, inf, 1},
      {{1, -inf, 2}, -inf, 2, -inf},     {{inf, 0, -inf}, nan, inf, -inf},
      {{3e38f, 3e38f, 0}, inf, 3e38f, 0}};
  constexpr int64_t count = std::size(rows);
  Array data(f32, count * 3);
  for (int64_t i = 0; i < count; ++i)
    storeFloats(f32, rows[i].values, data.bytes.data() + i * 12, 3);
  Case test = {f32, f32, count, {{3, 1}}};
  auto expect = [&](Function function, float Row::*member) {
    std::vector<float> output = reduce(test, function, data, 3, 1);
    for (int64_t i = 0; i < count; ++i)
      EXPECT_TRUE(std::isnan(rows[i].*member) ? std::isnan(output[i])
                                              : output[i] == rows[i].*member)
          << stringify(function).str() << " of row " << i << " is "
          << output[i];
  };
  expect(Function::Add, &Row::sum);
  expect(Function::Max, &Row::max);
  expect(Function::Min, &Row::min);
  // A sum of negative zeros keeps its sign.
  Array zeros(bf16, 2);
  const float negative[] = {-0.0f, -0.0f};
  storeFloats(bf16, negative, zeros.bytes.data(), 2);
  EXPECT_TRUE(std::signbit(
      reduce({bf16, bf16, 1, {{2, 1}}}, Function::Add, zeros, 2, 1)[0]));
}

TEST(Reduce, ReadsOnlyWhatWasWritten) {
  KernelBuilder kernel;
  int32_t tile = kernel.at("tile").sbuf(f32, 128, 8, 0);
  int32_t column = kernel.at("column").sbuf(f32, 128, 1, 64);
  kernel.alloc(tile);
  kernel.alloc(column);
  kernel.at("memset").fill(kernel.tile(tile, 128, 0, 7), 1);
  kernel.at("reduce")
      .execute(Engine::Vector, Semantics::Reduce,
               {kernel.tile(tile, 128, 0, 8)}, kernel.tile(column, 128, 0, 1))
      .fold = Fold{Function::Add};
  std::optional<Fault> fault = kernel.run();
  ASSERT_TRUE(fault);
  EXPECT_EQ(kernel.nameOf(fault->op), "reduce");
  EXPECT_EQ(fault->message,
            "reads partition 0, byte 28 of a buffer, which was never written");
}

TEST(Reduce, RefusesAResultInsideOfWhatIsReduced) {
  KernelBuilder kernel;
  int32_t tile = kernel.sbuf(f32, 128, 8, 0);
  kernel.alloc(tile);
  kernel.fill(kernel.tile(tile, 128, 0, 8), 1);
  kernel
      .execute(Engine::Vector, Semantics::Reduce,
               {kernel.tile(tile, 128, 0, 8)}, kernel.tile(tile, 128, 0, 1))
      .fold = Fold{Function::Add};
  std::optional<Fault> fault = kernel.run();
  ASSERT_TRUE(fault);
  EXPECT_NE(fault->message.find("overlap in part"), std::string::npos);
}
