//===- ValuesTest.cpp - Tests of elementwise values -----------------------===//
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

/// Runs a kernel with arguments x (input) and y (result) and gives back y.
static std::vector<float> run(KernelBuilder &kernel, Array x, Array y) {
  Array arrays[] = {std::move(x), std::move(y)};
  std::optional<Fault> fault = kernel.run(arrays, 2);
  EXPECT_FALSE(fault) << fault->message;
  return arrays[1].values();
}

TEST(Values, CopiesRoundToNearestEven) {
  for (ElementType from : {bf16, f16, f32})
    for (ElementType to : {bf16, f16, f32}) {
      constexpr int64_t rows = 70, columns = 33;
      KernelBuilder kernel;
      int32_t x = kernel.argument(from, rows * columns);
      int32_t y = kernel.argument(to, rows * columns, /*result=*/true);
      int32_t tile = kernel.sbuf(to, rows, columns, 0);
      kernel.alloc(tile);
      kernel.copy(kernel.hbm(x, 0, {{rows, columns}, {columns, 1}}),
                  kernel.tile(tile, rows, 0, columns));
      kernel.copy(kernel.tile(tile, rows, 0, columns),
                  kernel.hbm(y, 0, {{rows, columns}, {columns, 1}}));
      Array data = Array::random(from, rows * columns, 3);
      std::vector<float> input = data.values();
      std::vector<float> output = run(kernel, data, Array(to, rows * columns));
      for (size_t i = 0; i < input.size(); ++i)
        ASSERT_EQ(output[i], roundTo(to, input[i]));
    }
}

TEST(Values, StridedCopyTransposesOnTheWay) {
  constexpr int64_t rows = 37, columns = 21;
  KernelBuilder kernel;
  int32_t x = kernel.argument(bf16, rows * columns);
  int32_t y = kernel.argument(bf16, rows * columns, /*result=*/true);
  int32_t tile = kernel.sbuf(bf16, columns, 2 * rows, 0);
  kernel.alloc(tile);
  // Partition c, element 2 r.
  kernel.copy(kernel.hbm(x, 0, {{columns, 1}, {rows, columns}}),
              kernel.tile(tile, 0, columns, 0, {{rows, 2}}));
  kernel.copy(kernel.tile(tile, 0, columns, 0, {{rows, 2}}),
              kernel.hbm(y, 0, {{columns, rows}, {rows, 1}}));
  Array data = Array::random(bf16, rows * columns, 4);
  std::vector<float> input = data.values();
  std::vector<float> output = run(kernel, data, Array(bf16, rows * columns));
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c)
      ASSERT_EQ(output[c * rows + r], input[r * columns + c]);
}

TEST(Values, CopyBetweenDifferentFactorings) {
  // x[6, 4] seen as [2, 3, 4] in HBM and as [2 partitions, 12] on chip.
  KernelBuilder kernel;
  int32_t x = kernel.argument(f32, 24);
  int32_t y = kernel.argument(f32, 24, /*result=*/true);
  int32_t tile = kernel.sbuf(f32, 2, 12, 0);
  kernel.alloc(tile);
  kernel.copy(kernel.hbm(x, 0, {{2, 12}, {3, 4}, {4, 1}}),
              kernel.tile(tile, 2, 0, 12));
  kernel.copy(kernel.tile(tile, 0, 2, 0, {{6, 2}, {2, 1}}),
              kernel.hbm(y, 0, {{24, 1}}));
  Array data = Array::random(f32, 24, 5);
  EXPECT_EQ(run(kernel, data, Array(f32, 24)), data.values());
}

TEST(Values, TransposeBetweenTypesAndSpaces) {
  constexpr int64_t rows = 45, columns = 100;
  for (ElementType to : {bf16, f32}) {
    KernelBuilder kernel;
    int32_t x = kernel.argument(bf16, rows * columns);
    int32_t y = kernel.argument(to, rows * columns, /*result=*/true);
    int32_t in = kernel.sbuf(bf16, rows, columns, 0);
    int32_t psum = kernel.psum(to, columns, rows, 7);
    int32_t out = kernel.sbuf(to, columns, rows, 512);
    for (int32_t buffer : {in, psum, out})
      kernel.alloc(buffer);
    kernel.copy(kernel.hbm(x, 0, {{rows, columns}, {columns, 1}}),
                kernel.tile(in, rows, 0, columns));
    kernel.execute(Engine::Tensor, Semantics::Transpose,
                   {kernel.tile(in, rows, 0, columns)},
                   kernel.tile(psum, columns, 0, rows));
    kernel.copy(kernel.tile(psum, columns, 0, rows),
                kernel.tile(out, columns, 0, rows));
    kernel.copy(kernel.tile(out, columns, 0, rows),
                kernel.hbm(y, 0, {{columns, rows}, {rows, 1}}));
    Array data = Array::random(bf16, rows * columns, 6);
    std::vector<float> input = data.values();
    std::vector<float> output = run(kernel, data, Array(to, rows * columns));
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < columns; ++c)
        ASSERT_EQ(output[c * rows + r], input[r * columns + c]);
  }
}

/// Blocks that lie apart in a partition become rows below each other.
TEST(Values, TransposeCountsFreeDimensionsAsOne) {
  constexpr int64_t rows = 45, blocks = 3, width = 33, apart = 40;
  KernelBuilder kernel;
  int32_t x = kernel.argument(bf16, rows * blocks * apart);
  int32_t y = kernel.argument(f32, blocks * width * rows, /*result=*/true);
  int32_t in = kernel.sbuf(bf16, rows, blocks * apart, 0);
  int32_t psum = kernel.psum(f32, blocks * width, rows, 7);
  int32_t out = kernel.sbuf(f32, blocks * width, rows, 512);
  for (int32_t buffer : {in, psum, out})
    kernel.alloc(buffer);
  kernel.copy(kernel.hbm(x, 0, {{rows, blocks * apart}, {blocks * apart, 1}}),
              kernel.tile(in, rows, 0, blocks * apart));
  Access tiles = kernel.tile(in, rows, 5, width);
  tiles.dims.insert(tiles.dims.begin() + 1, {blocks, apart});
  Access turned = kernel.tile(psum, blocks * width, 0, rows);
  kernel.execute(Engine::Tensor, Semantics::Transpose, {tiles}, turned);
  kernel.copy(turned, kernel.tile(out, blocks * width, 0, rows));
  kernel.copy(kernel.tile(out, blocks * width, 0, rows),
              kernel.hbm(y, 0, {{blocks * width, rows}, {rows, 1}}));
  Array data = Array::random(bf16, rows * blocks * apart, 6);
  std::vector<float> input = data.values();
  std::vector<float> output =
      run(kernel, data, Array(f32, blocks * width * rows));
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t b = 0; b < blocks; ++b)
      for (int64_t c = 0; c < width; ++c)
        ASSERT_EQ(output[(b * width + c) * rows + r],
                  input[r * blocks * apart + b * apart + 5 + c]);
}

TEST(Values, MapRepeatsAColumnAlongTheRow) {
  constexpr int64_t rows = 64, columns = 1500;
  KernelBuilder kernel;
  int32_t x = kernel.argument(bf16, rows * columns);
  int32_t y = kernel.argument(bf16, rows * columns, /*result=*/true);
  int32_t tile = kernel.sbuf(bf16, rows, columns, 0);
  int32_t scale = kernel.sbuf(f32, rows, 1, 4096);
  kernel.alloc(tile);
  kernel.alloc(scale);
  kernel.copy(kernel.hbm(x, 0, {{rows, columns}, {columns, 1}}),
              kernel.tile(tile, rows, 0, columns));
  int32_t row = kernel.beginLoop(rows);
  kernel.copy(kernel.hbm(x, LinearExpr::counter(row, columns), {{1, 1}}),
              kernel.tile(scale, LinearExpr::counter(row), 1, 0, {{1, 1}}));
  kernel.endLoop();
  // In place, which elementwise work allows.
  Instruction &map = kernel.execute(
      Engine::Scalar, Semantics::Map,
      {kernel.tile(tile, rows, 0, columns), kernel.tile(scale, rows, 0, 1)},
      kernel.tile(tile, rows, 0, columns));
  map.formula = {{Function::Copy, Source::Read}};
  map.parameters = {1, 0.5f};
  kernel.copy(kernel.tile(tile, rows, 0, columns),
              kernel.hbm(y, 0, {{rows, columns}, {columns, 1}}));
  Array data = Array::random(bf16, rows * columns, 7);
  std::vector<float> input = data.values();
  std::vector<float> output = run(kernel, data, Array(bf16, rows * columns));
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c)
      ASSERT_EQ(
          output[r * columns + c],
          roundTo(bf16, input[r * columns + c] * input[r * columns] + 0.5f));
}

TEST(Values, MapOfReadsAloneTakesNoConstants) {
  constexpr int64_t count = 8;
  KernelBuilder kernel;
  int32_t x = kernel.argument(f32, count);
  int32_t y = kernel.argument(f32, count, /*result=*/true);
  int32_t tile = kernel.sbuf(f32, 1, count, 0);
  Access row = kernel.tile(tile, 1, 0, count);
  kernel.alloc(tile);
  kernel.copy(kernel.hbm(x, 0, {{1, count}, {count, 1}}), row);
  kernel.execute(Engine::Vector, Semantics::Map, {row, row}, row).formula = {
      {Function::Add, Source::Read}};
  kernel.execute(Engine::Vector, Semantics::Map, {row, row, row}, row)
      .formula = {{Function::Select, Source::Read, Source::Read}};
  kernel.copy(row, kernel.hbm(y, 0, {{1, count}, {count, 1}}));
  Array data = Array::random(f32, count, 3);
  std::vector<float> input = data.values();
  std::vector<float> output = run(kernel, data, Array(f32, count));
  for (int64_t i = 0; i < count; ++i)
    EXPECT_EQ(output[i], 2 * input[i]);
}

TEST(Values, IotaCountsThroughLongStridedRows) {
  constexpr int64_t rows = 3, columns = 2500;
  KernelBuilder kernel;
  kernel.argument(f32, 1);
  int32_t y = kernel.argument(f32, rows * columns, /*result=*/true);
  int32_t tile = kernel.sbuf(f32, rows, 2 * columns, 0);
  kernel.alloc(tile);
  Access everySecond = kernel.tile(tile, 0, rows, 1, {{columns, 2}});
  kernel.execute(Engine::GpSimd, Semantics::Iota, {}, everySecond)
      .parameters = {7, 10000, -2};
  kernel.copy(everySecond, kernel.hbm(y, 0, {{rows, columns}, {columns, 1}}));
  std::vector<float> output =
      run(kernel, Array(f32, 1), Array(f32, rows * columns));
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c)
      ASSERT_EQ(output[r * columns + c], 7 + 10000 * r - 2 * c);
}

TEST(Values, RotatedSlotsKeepTheirOwnBytes) {
  // Both slots are filled before either is read.
  KernelBuilder kernel;
  int32_t x = kernel.argument(f32, 1);
  int32_t y = kernel.argument(f32, 8, /*result=*/true);
  int32_t tile = kernel.sbuf(f32, 1, 4, 0, /*slots=*/2);
  (void)x;
  int32_t loop = kernel.beginLoop(2);
  kernel.alloc(tile);
  kernel.fill(kernel.tile(tile, 1, 0, 4), 3);
  kernel.copy(kernel.tile(tile, 1, 0, 4),
              kernel.hbm(y, LinearExpr::counter(loop, 4), {{4, 1}}));
  kernel.endLoop();
  EXPECT_EQ(run(kernel, Array(f32, 1), Array(f32, 8)),
            std::vector<float>(8, 3));
}

TEST(Values, ScratchInHbmKeepsWhatWasWritten) {
  KernelBuilder kernel;
  int32_t x = kernel.argument(bf16, 50);
  int32_t y = kernel.argument(bf16, 50, /*result=*/true);
  int32_t scratch = kernel.scratch(f32, 50);
  kernel.copy(kernel.hbm(x, 0, {{50, 1}}), kernel.hbm(scratch, 0, {{50, 1}}));
  kernel.copy(kernel.hbm(scratch, 0, {{50, 1}}), kernel.hbm(y, 0, {{50, 1}}));
  Array data = Array::random(bf16, 50, 8);
  EXPECT_EQ(run(kernel, data, Array(bf16, 50)), data.values());
}
