//===- ThreadsTest.cpp - Tests of running on several threads --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Interpreter/TaskGraph.h"
#include "KernelBuilder.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

static constexpr ElementType bf16 = ElementType::BF16, f16 = ElementType::F16,
                             f32 = ElementType::F32;

/// O[m, n] = X[k, m]^T * W[k, n] in strips and tiles, with rotating buffers, so
/// that every kind of dependence between instructions occurs.
static KernelBuilder tiledProduct(ElementType type, int64_t mTiles,
                                  int64_t kTiles, int64_t nTiles) {
  constexpr int64_t p = 128, c = 256;
  int64_t m = mTiles * p, n = nTiles * c;
  KernelBuilder kernel;
  int32_t x = kernel.argument(type, kTiles * p * m);
  int32_t w = kernel.argument(type, kTiles * p * n);
  int32_t o = kernel.argument(type, m * n, /*result=*/true);
  int32_t xTile = kernel.sbuf(type, p, kTiles * p, 0, 2);
  int32_t wTile = kernel.sbuf(type, p, kTiles * c, 32768, 2);
  int32_t oTile = kernel.sbuf(type, p, c, 131072, 2);
  int32_t psum = kernel.psum(f32, p, c, 0, 3);
  LinearExpr i = LinearExpr::counter(kernel.beginLoop(mTiles));
  kernel.alloc(xTile);
  kernel.copy(kernel.hbm(x, i * p, {{p, m}, {kTiles, p * m}, {p, 1}}),
              kernel.tile(xTile, 0, p, 0, {{kTiles, p}, {p, 1}}));
  LinearExpr j = LinearExpr::counter(kernel.beginLoop(nTiles));
  kernel.alloc(wTile);
  kernel.copy(kernel.hbm(w, j * c, {{p, n}, {kTiles, p * n}, {c, 1}}),
              kernel.tile(wTile, 0, p, 0, {{kTiles, c}, {c, 1}}));
  kernel.alloc(psum);
  LinearExpr k = LinearExpr::counter(kernel.beginLoop(kTiles));
  kernel
      .matmul(kernel.tile(xTile, p, k * p, p), kernel.tile(wTile, p, k * c, c),
              kernel.tile(psum, p, 0, c))
      .accumulate = Condition{Condition::Predicate::Ne, k};
  kernel.endLoop();
  kernel.alloc(oTile);
  kernel.copy(kernel.tile(psum, p, 0, c), kernel.tile(oTile, p, 0, c));
  kernel.dealloc(psum);
  kernel.copy(kernel.tile(oTile, p, 0, c),
              kernel.hbm(o, i * (p * n) + j * c, {{p, n}, {c, 1}}));
  kernel.dealloc(oTile);
  kernel.dealloc(wTile);
  kernel.endLoop();
  kernel.dealloc(xTile);
  kernel.endLoop();
  return kernel;
}

namespace {
/// Some CPUs multiply bf16 as it is, none f16.
class NarrowThreads : public testing::TestWithParam<ElementType> {};
} // namespace

TEST_P(NarrowThreads, ResultsAreTheSameBitsForAnyNumber) {
  constexpr int64_t mTiles = 5, kTiles = 6, nTiles = 7;
  ElementType type = GetParam();
  KernelBuilder kernel = tiledProduct(type, mTiles, kTiles, nTiles);
  Array x = Array::random(type, mTiles * kTiles * 128 * 128, 1);
  Array w = Array::random(type, kTiles * nTiles * 128 * 256, 2);
  std::vector<char> expected;
  for (unsigned threads = 1; threads <= 8; ++threads) {
    Array arrays[] = {x, w, Array(type, mTiles * nTiles * 128 * 256)};
    std::optional<Fault> fault = kernel.run(arrays, threads);
    ASSERT_FALSE(fault) << fault->message;
    if (threads == 1)
      expected = arrays[2].bytes;
    EXPECT_EQ(arrays[2].bytes, expected) << threads << " threads";
  }
}

INSTANTIATE_TEST_SUITE_P(Types, NarrowThreads, testing::Values(bf16, f16));

/// Random copies and fills of random pieces of a few buffers.
static KernelBuilder randomMoves(unsigned seed, int32_t &result) {
  std::mt19937 random(seed);
  KernelBuilder kernel;
  constexpr int64_t elements = 4096, buffers = 3;
  result = kernel.argument(f32, buffers * 128 * elements, /*result=*/true);
  std::vector<int32_t> tiles;
  for (int64_t i = 0; i < buffers; ++i) {
    tiles.push_back(kernel.sbuf(f32, 128, elements, i * elements * 4));
    kernel.alloc(tiles.back());
    kernel.fill(kernel.tile(tiles.back(), 128, 0, elements), float(i));
  }
  for (int i = 0; i < 300; ++i) {
    int64_t count = 1 + random() % 2000, rows = 1 + random() % 128;
    auto piece = [&](int32_t buffer) {
      return kernel.tile(buffer, random() % (129 - rows), rows,
                         random() % (elements - count + 1), {{count, 1}});
    };
    int64_t from = random() % buffers;
    if (random() % 4 == 0)
      kernel.fill(piece(tiles[from]), float(i + 10));
    else
      kernel.copy(piece(tiles[from]), piece(tiles[(from + 1) % buffers]));
  }
  for (int64_t i = 0; i < buffers; ++i)
    kernel.copy(kernel.tile(tiles[i], 128, 0, elements),
                kernel.hbm(result, i * 128 * elements,
                           {{128, elements}, {elements, 1}}));
  return kernel;
}

TEST(Threads, RandomMovesKeepProgramOrder) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    int32_t result;
    KernelBuilder kernel = randomMoves(seed, result);
    int64_t count = kernel.program().buffers[result].bytes / 4;
    Array serial(f32, count), parallel(f32, count);
    ASSERT_FALSE(kernel.run(serial, 1));
    ASSERT_FALSE(kernel.run(parallel, 4));
    EXPECT_EQ(serial.bytes, parallel.bytes) << "seed " << seed;
  }
}

TEST(Threads, AFaultAfterQueuedWorkIsReported) {
  KernelBuilder kernel = tiledProduct(bf16, 2, 3, 2);
  int32_t a = kernel.sbuf(f32, 1, 1, 0);
  kernel.at("late").fill(kernel.tile(a, 1, 0, 1), 0);
  Array arrays[] = {Array::random(bf16, 2 * 3 * 128 * 128, 1),
                    Array::random(bf16, 3 * 2 * 128 * 256, 2),
                    Array(bf16, 2 * 2 * 128 * 256)};
  std::optional<Fault> fault = kernel.run(arrays, 3);
  ASSERT_TRUE(fault);
  EXPECT_EQ(kernel.nameOf(fault->op), "late");
}
