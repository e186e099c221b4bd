//===- LateLoadTest.cpp - Tests of loads that are executed late -----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products read what a load moved where it came from. No value may show that.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {
/// X[4, 2]^T times tiles [4, 3] of W[4, width] in SBUF, of which what follows
/// changes some. Sums are exact. Of the wider W, tiles may be copied.
class LateLoad
    : public testing::TestWithParam<std::tuple<ElementType, int, int64_t>> {
protected:
  static constexpr int64_t k = 4, m = 2, n = 3, results = 2;

  ElementType type = std::get<0>(GetParam());
  int64_t width = std::get<2>(GetParam());
  KernelBuilder kernel;
  int32_t x = kernel.argument(type, k *m);
  int32_t w = kernel.argument(type, k *width);
  int32_t o = kernel.argument(ElementType::F32, results * m * n, true);
  int32_t xTile = kernel.sbuf(type, k, m, 0);
  int32_t wTile = kernel.sbuf(type, k, width, 64);
  int32_t out = kernel.sbuf(ElementType::F32, m, n, 8192);
  int32_t psum = kernel.psum(ElementType::F32, m, n, 0);
  /// What SBUF holds of W.
  std::vector<float> expected = std::vector<float>(k * width);
  std::vector<float> sums;
  std::vector<Array> arrays = {numbers(k * m, 1), numbers(k * width, 5),
                               Array(ElementType::F32, results * m * n)};

  Array numbers(int64_t count, int first) {
    std::vector<float> values(count);
    for (int64_t i = 0; i < count; ++i)
      values[i] = float((i * 7 + first) % 19) - 9;
    Array array(type, count);
    storeFloats(type, values.data(), array.bytes.data(), count);
    return array;
  }

  void SetUp() override {
    for (int32_t buffer : {xTile, wTile, psum, out})
      kernel.alloc(buffer);
    kernel.copy(kernel.hbm(x, 0, {{k, m}, {m, 1}}),
                kernel.tile(xTile, k, 0, m));
  }

  /// Columns [from, from + count) of W to those from `to` on.
  void load(int64_t from, int64_t count, int64_t to) {
    kernel.copy(kernel.hbm(w, from, {{k, width}, {count, 1}}),
                kernel.tile(wTile, k, to, count));
    std::vector<float> values = arrays[1].values();
    for (int64_t row = 0; row < k; ++row)
      for (int64_t i = 0; i < count; ++i)
        expected[row * width + to + i] = values[row * width + from + i];
  }

  void fill(int64_t column, int64_t count, float value) {
    kernel.fill(kernel.tile(wTile, k, column, count), value);
    for (int64_t row = 0; row < k; ++row)
      std::fill_n(expected.begin() + row * width + column, count, value);
  }

  void multiply(int64_t column) {
    read(column);
    kernel.copy(kernel.tile(psum, m, 0, n), kernel.tile(out, m, 0, n));
    kernel.copy(kernel.tile(out, m, 0, n),
                kernel.hbm(o, int64_t(sums.size()), {{m, n}, {n, 1}}));
    std::vector<float> values = arrays[0].values();
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        float sum = 0;
        for (int64_t row = 0; row < k; ++row)
          sum += values[row * m + i] * expected[row * width + column + j];
        sums.push_back(sum);
      }
  }

  /// For what it reads alone.
  void read(int64_t column) {
    kernel.matmul(kernel.tile(xTile, k, 0, m), kernel.tile(wTile, k, column, n),
                  kernel.tile(psum, m, 0, n));
  }

  void expectSums() {
    std::optional<Fault> fault = kernel.run(arrays, std::get<1>(GetParam()));
    ASSERT_FALSE(fault) << fault->message;
    EXPECT_EQ(arrays[2].values(), sums);
  }
};
} // namespace

TEST_P(LateLoad, IsReadInPart) {
  load(0, width, 0);
  multiply(2);
  multiply(9);
  expectSums();
}

TEST_P(LateLoad, IsOverwrittenInPart) {
  load(0, width, 0);
  multiply(2);
  fill(3, 1, 5);
  multiply(2);
  expectSums();
}

TEST_P(LateLoad, IsOverwrittenAsAWhole) {
  load(0, width, 0);
  multiply(2);
  load(3, 4, 2);
  multiply(2);
  expectSums();
}

TEST_P(LateLoad, OneTileIsOfTwo) {
  load(0, 4, 0);
  load(8, 4, 4);
  multiply(2);
  multiply(5);
  expectSums();
}

TEST_P(LateLoad, IsExecutedWhenReadAgainAndAgain) {
  // In the second iteration it is known to be.
  kernel.beginLoop(2);
  load(0, width, 0);
  for (int64_t i = 0; i < 3 * width; ++i)
    read(i % (width - n));
  kernel.endLoop();
  multiply(2);
  fill(3, 1, 5);
  multiply(2);
  expectSums();
}

TEST_P(LateLoad, TilesAreReadInTurn) {
  kernel.beginLoop(2);
  load(0, width, 0);
  for (int64_t column : {2, 2, 9, 8, 7, 6, 5, 4, 2})
    read(column);
  kernel.endLoop();
  multiply(2);
  multiply(9);
  expectSums();
}

TEST_P(LateLoad, OtherColumnsAreReadInTurn) {
  for (int64_t from : {0, 3}) {
    load(from, 4, 1);
    read(1);
    read(1);
    multiply(1);
  }
  expectSums();
}

TEST_P(LateLoad, AllocForgets) {
  load(0, width, 0);
  multiply(0);
  kernel.dealloc(wTile);
  kernel.alloc(wTile);
  load(6, 5, 0);
  multiply(1);
  expectSums();
}

TEST_P(LateLoad, RunsHaveGaps) {
  // Of three columns each, to the first ones of two groups of six, and then
  // between them.
  kernel.copy(kernel.hbm(w, 0, {{k, width}, {2, 3}, {3, 1}}),
              kernel.tile(wTile, 0, k, 0, {{2, 6}, {3, 1}}));
  kernel.copy(kernel.hbm(w, 6, {{k, width}, {2, 3}, {3, 1}}),
              kernel.tile(wTile, 0, k, 3, {{2, 6}, {3, 1}}));
  std::vector<float> values = arrays[1].values();
  for (int64_t row = 0; row < k; ++row)
    for (int64_t column = 0; column < 12; ++column) {
      int64_t run = column / 3, from = run % 2 * 6 + run / 2 * 3 + column % 3;
      expected[row * width + column] = values[row * width + from];
    }
  multiply(3);
  multiply(5);
  expectSums();
}

TEST_P(LateLoad, AResultMayBeTheSameMemory) {
  // The second product sees the W that was loaded, not what was stored since.
  load(0, width, 0);
  multiply(0);
  multiply(0);
  std::vector<void *> pointers = {
      arrays[0].bytes.data(), arrays[1].bytes.data(), arrays[1].bytes.data()};
  arrays[1].bytes.resize(
      std::max(arrays[1].bytes.size(), arrays[2].bytes.size()));
  pointers[1] = pointers[2] = arrays[1].bytes.data();
  std::optional<Fault> fault =
      interpret(kernel.program(), defaultMachine(), pointers, {/*threads=*/1});
  ASSERT_FALSE(fault) << fault->message;
  std::vector<float> stored(sums.size());
  loadFloats(ElementType::F32, arrays[1].bytes.data(), stored.data(),
             int64_t(stored.size()));
  EXPECT_EQ(stored, sums);
}

INSTANTIATE_TEST_SUITE_P(Types, LateLoad,
                         testing::Combine(testing::Values(ElementType::BF16,
                                                          ElementType::F16,
                                                          ElementType::F32),
                                          testing::Values(1, 3),
                                          testing::Values(12, 512)));
