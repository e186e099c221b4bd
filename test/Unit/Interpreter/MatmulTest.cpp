//===- MatmulTest.cpp - Tests of products against naive loops -------------===//
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

namespace {

struct Shape {
  ElementType type;
  /// Sizes, and how often the contraction repeats into the same group.
  int64_t k, m, n, groups;
  /// Distance of neighbours in a partition, in elements.
  int64_t stationaryStride, movingStride;
};

/// X[groups * k, m * stationaryStride]^T * W[groups * k, n * movingStride],
/// every stride-th column, into O[m, n] by way of PSUM.
class Matmul : public testing::TestWithParam<Shape> {};

} // namespace

static int64_t loadRows(KernelBuilder &kernel, int32_t hbm, int32_t sbuf,
                        int32_t loop, int64_t k, int64_t width) {
  kernel.alloc(sbuf);
  kernel.copy(kernel.hbm(hbm, LinearExpr::counter(loop, k * width),
                         {{k, width}, {width, 1}}),
              kernel.tile(sbuf, k, 0, width));
  return width;
}

TEST_P(Matmul, AgreesWithNaiveLoops) {
  auto [type, k, m, n, groups, stationaryStride, movingStride] = GetParam();
  int64_t xWidth = m * stationaryStride, wWidth = n * movingStride;
  KernelBuilder kernel;
  int32_t x = kernel.argument(type, groups * k * xWidth);
  int32_t w = kernel.argument(type, groups * k * wWidth);
  int32_t o = kernel.argument(ElementType::F32, m * n, /*result=*/true);
  int32_t xTile = kernel.sbuf(type, k, xWidth, 0, /*slots=*/2);
  int32_t wTile = kernel.sbuf(type, k, wWidth, 4096, /*slots=*/2);
  int32_t oTile = kernel.sbuf(ElementType::F32, m, n, 65536);
  int32_t psum = kernel.psum(ElementType::F32, m, n, 2);
  kernel.alloc(psum);
  int32_t loop = kernel.beginLoop(groups);
  loadRows(kernel, x, xTile, loop, k, xWidth);
  loadRows(kernel, w, wTile, loop, k, wWidth);
  kernel
      .matmul(kernel.tile(xTile, 0, k, 0, {{m, stationaryStride}}),
              kernel.tile(wTile, 0, k, 0, {{n, movingStride}}),
              kernel.tile(psum, m, 0, n))
      .accumulate =
      Condition{Condition::Predicate::Ne, LinearExpr::counter(loop)};
  kernel.endLoop();
  kernel.alloc(oTile);
  kernel.copy(kernel.tile(psum, m, 0, n), kernel.tile(oTile, m, 0, n));
  kernel.copy(kernel.tile(oTile, m, 0, n), kernel.hbm(o, 0, {{m, n}, {n, 1}}));

  Array arrays[] = {Array::random(type, groups * k * xWidth, 1),
                    Array::random(type, groups * k * wWidth, 2),
                    Array(ElementType::F32, m * n)};
  std::optional<Fault> fault = kernel.run(arrays, 2);
  ASSERT_FALSE(fault) << fault->message;
  std::vector<float> a = arrays[0].values(), b = arrays[1].values(),
                     c = arrays[2].values();
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0, magnitude = 0;
      for (int64_t row = 0; row < groups * k; ++row) {
        double product = double(a[row * xWidth + i * stationaryStride]) *
                         b[row * wWidth + j * movingStride];
        sum += product;
        magnitude += std::abs(product);
      }
      ASSERT_NEAR(c[i * n + j], sum, 1e-6 * magnitude + 1e-7)
          << "at " << i << ", " << j;
    }
}

static constexpr ElementType bf16 = ElementType::BF16, f16 = ElementType::F16,
                             f32 = ElementType::F32;

INSTANTIATE_TEST_SUITE_P(
    Shapes, Matmul,
    testing::Values(
        Shape{bf16, 128, 128, 512, 3, 1, 1}, Shape{f16, 128, 128, 512, 3, 1, 1},
        Shape{f32, 128, 128, 512, 3, 1, 1}, Shape{bf16, 1, 1, 1, 1, 1, 1},
        Shape{f32, 1, 1, 1, 2, 1, 1}, Shape{bf16, 7, 13, 33, 2, 1, 1},
        Shape{f16, 127, 1, 5, 2, 1, 1}, Shape{f32, 5, 128, 1, 2, 1, 1},
        Shape{bf16, 1, 128, 512, 2, 1, 1}, Shape{bf16, 100, 31, 77, 2, 3, 1},
        Shape{f32, 64, 31, 77, 2, 1, 2}, Shape{f16, 64, 31, 77, 2, 2, 3}));

TEST(MatmulTypes, MixedNarrowTypesAreWidened) {
  KernelBuilder kernel;
  int32_t a = kernel.sbuf(bf16, 2, 3, 0), b = kernel.sbuf(f16, 2, 4, 64);
  int32_t o = kernel.argument(f32, 12, /*result=*/true);
  int32_t psum = kernel.psum(f32, 3, 4, 0), out = kernel.sbuf(f32, 3, 4, 128);
  for (int32_t buffer : {a, b, psum, out})
    kernel.alloc(buffer);
  kernel.fill(kernel.tile(a, 2, 0, 3), 1.5f);
  kernel.fill(kernel.tile(b, 2, 0, 4), 2.25f);
  kernel.matmul(kernel.tile(a, 2, 0, 3), kernel.tile(b, 2, 0, 4),
                kernel.tile(psum, 3, 0, 4));
  kernel.copy(kernel.tile(psum, 3, 0, 4), kernel.tile(out, 3, 0, 4));
  kernel.copy(kernel.tile(out, 3, 0, 4), kernel.hbm(o, 0, {{3, 4}, {4, 1}}));
  Array result(f32, 12);
  ASSERT_FALSE(kernel.run(result));
  EXPECT_EQ(result.values(), std::vector<float>(12, 6.75f)); // 2 * 1.5 * 2.25
}

/// Ones[2, 3]^T times [2, 4] of `before`, then again when the two columns in
/// the middle are `after` and the result's place holds no numbers.
static std::vector<float> multiplyTwice(ElementType type, float before,
                                        float after) {
  KernelBuilder kernel;
  int32_t a = kernel.sbuf(type, 2, 3, 0), b = kernel.sbuf(type, 2, 4, 64);
  int32_t o = kernel.argument(f32, 12, /*result=*/true);
  int32_t psum = kernel.psum(f32, 3, 4, 0), out = kernel.sbuf(f32, 3, 4, 128);
  for (int32_t buffer : {a, b, psum, out})
    kernel.alloc(buffer);
  kernel.fill(kernel.tile(a, 2, 0, 3), 1);
  kernel.fill(kernel.tile(b, 2, 0, 4), before);
  kernel.matmul(kernel.tile(a, 2, 0, 3), kernel.tile(b, 2, 0, 4),
                kernel.tile(psum, 3, 0, 4));
  kernel.fill(kernel.tile(b, 2, 1, 2), after);
  kernel.fill(kernel.tile(psum, 3, 0, 4), std::nanf(""));
  kernel.matmul(kernel.tile(a, 2, 0, 3), kernel.tile(b, 2, 0, 4),
                kernel.tile(psum, 3, 0, 4));
  kernel.copy(kernel.tile(psum, 3, 0, 4), kernel.tile(out, 3, 0, 4));
  kernel.copy(kernel.tile(out, 3, 0, 4), kernel.hbm(o, 0, {{3, 4}, {4, 1}}));
  Array result(f32, 12);
  std::optional<Fault> fault = kernel.run(result);
  EXPECT_FALSE(fault) << fault->message;
  return result.values();
}

TEST(MatmulTypes, TilesThatChangeInPartAreWidenedAgain) {
  for (ElementType type : {bf16, f16, f32})
    EXPECT_EQ(multiplyTwice(type, 1, 3),
              std::vector<float>({2, 6, 6, 2, 2, 6, 6, 2, 2, 6, 6, 2}));
}

/// Random[k, xWidth]^T times random[k, wWidth], at the elements that the free
/// dims walk over, into those of `into` in PSUM; checks all of it.
static void multiplyWithGaps(ElementType type,
                             std::vector<Access::Dim> stationary,
                             std::vector<Access::Dim> moving,
                             std::vector<Access::Dim> into) {
  constexpr int64_t k = 64, xWidth = 90, wWidth = 130, m = 32, n = 24,
                    width = 64;
  auto offsets = [](llvm::ArrayRef<Access::Dim> dims) {
    std::vector<int64_t> all = {0};
    for (const Access::Dim &dim : dims) {
      std::vector<int64_t> next;
      for (int64_t offset : all)
        for (int64_t i = 0; i < dim.size; ++i)
          next.push_back(offset + i * dim.stride);
      all = next;
    }
    return all;
  };
  KernelBuilder kernel;
  int32_t x = kernel.argument(type, k * xWidth);
  int32_t w = kernel.argument(type, k * wWidth);
  int32_t o = kernel.argument(f32, m * n, /*result=*/true);
  int32_t a = kernel.sbuf(type, k, xWidth, 0);
  int32_t b = kernel.sbuf(type, k, wWidth, 4096);
  int32_t out = kernel.sbuf(f32, m, n, 65536);
  int32_t psum = kernel.psum(f32, m, width, 2);
  for (int32_t buffer : {a, b, out, psum})
    kernel.alloc(buffer);
  kernel.copy(kernel.hbm(x, 0, {{k, xWidth}, {xWidth, 1}}),
              kernel.tile(a, k, 0, xWidth));
  kernel.copy(kernel.hbm(w, 0, {{k, wWidth}, {wWidth, 1}}),
              kernel.tile(b, k, 0, wWidth));
  Access result = kernel.tile(psum, 0, m, 0, into);
  for (bool adds : {false, true}) {
    Instruction &product =
        kernel.matmul(kernel.tile(a, 0, k, 0, stationary),
                      kernel.tile(b, 0, k, 0, moving), result);
    if (adds)
      kernel.accumulateAlways(product);
  }
  kernel.copy(result, kernel.tile(out, m, 0, n));
  kernel.copy(kernel.tile(out, m, 0, n), kernel.hbm(o, 0, {{m, n}, {n, 1}}));
  Array arrays[] = {Array::random(type, k * xWidth, 1),
                    Array::random(type, k * wWidth, 2), Array(f32, m * n)};
  std::optional<Fault> fault = kernel.run(arrays, 2);
  ASSERT_FALSE(fault) << fault->message;
  std::vector<float> left = arrays[0].values(), right = arrays[1].values(),
                     values = arrays[2].values();
  std::vector<int64_t> rows = offsets(stationary), columns = offsets(moving);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t p = 0; p < k; ++p)
        sum +=
            2.0 * left[p * xWidth + rows[i]] * right[p * wWidth + columns[j]];
      ASSERT_NEAR(values[i * n + j], sum, 1e-4) << "at " << i << ", " << j;
    }
}

TEST(MatmulBlocks, FreeDimsMayHaveGaps) {
  for (ElementType type : {bf16, f16, f32}) {
    // One row with gaps in between; three dims; one element repeated.
    multiplyWithGaps(type, {{2, 50}, {16, 2}}, {{24, 1}}, {{24, 1}});
    multiplyWithGaps(type, {{32, 1}}, {{3, 40}, {4, 8}, {2, 1}}, {{24, 1}});
    multiplyWithGaps(type, {{4, 8}, {8, 1}}, {{24, 0}}, {{24, 1}});
    multiplyWithGaps(type, {{32, 2}}, {{4, 0}, {6, 3}}, {{3, 10}, {8, 1}});
    // Columns apart in PSUM, and in another order.
    multiplyWithGaps(type, {{32, 1}}, {{24, 1}}, {{24, 2}});
    multiplyWithGaps(type, {{2, 50}, {16, 2}}, {{6, 16}, {4, 1}},
                     {{6, 1}, {4, 6}});
  }
}
