//===- LaunchTest.cpp - Kernels that run as one program compute the same --===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/Launch.h"

#include "KernelBuilder.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

static constexpr int64_t side = 256, tile = 128;
static constexpr ElementType f32 = ElementType::F32;

/// O = X^T * W of 256 x 256, with rotating buffers and partial sums.
static Program product() {
  KernelBuilder kernel;
  int32_t x = kernel.argument(f32, side * side);
  int32_t w = kernel.argument(f32, side * side);
  int32_t o = kernel.argument(f32, side * side, /*result=*/true);
  int32_t wTile = kernel.sbuf(f32, tile, 2 * side, 0);
  int32_t xTile = kernel.sbuf(f32, tile, 2 * tile, 4096, 2);
  int32_t oTile = kernel.sbuf(f32, tile, side, 8192, 2);
  int32_t psum = kernel.psum(f32, tile, side, 0, 2);
  kernel.alloc(wTile);
  kernel.copy(kernel.hbm(w, 0, {{tile, side}, {2, tile * side}, {side, 1}}),
              kernel.tile(wTile, 0, tile, 0, {{2, side}, {side, 1}}));
  LinearExpr i = LinearExpr::counter(kernel.beginLoop(2));
  kernel.alloc(xTile);
  kernel.copy(
      kernel.hbm(x, i * tile, {{tile, side}, {2, tile * side}, {tile, 1}}),
      kernel.tile(xTile, 0, tile, 0, {{2, tile}, {tile, 1}}));
  kernel.alloc(psum);
  LinearExpr k = LinearExpr::counter(kernel.beginLoop(2));
  kernel
      .matmul(kernel.tile(xTile, tile, k * tile, tile),
              kernel.tile(wTile, tile, k * side, side),
              kernel.tile(psum, tile, 0, side))
      .accumulate = Condition{Condition::Predicate::Ne, k};
  kernel.endLoop();
  kernel.alloc(oTile);
  kernel.copy(kernel.tile(psum, tile, 0, side),
              kernel.tile(oTile, tile, 0, side));
  kernel.copy(kernel.tile(oTile, tile, 0, side),
              kernel.hbm(o, i * (tile * side), {{tile, side}, {side, 1}}));
  kernel.dealloc(oTile);
  kernel.dealloc(psum);
  kernel.dealloc(xTile);
  kernel.endLoop();
  kernel.dealloc(wTile);
  return kernel.take();
}

/// a, b -> c; c, b -> d; d, c -> e: with everything that is shared.
TEST(Launch, ComputesWhatItsCallsDo) {
  Program program = product();
  Machine machine = defaultMachine();
  const uintptr_t calls[][3] = {{0, 1, 2}, {2, 1, 3}, {3, 2, 4}};
  std::vector<Array> apart, together;
  for (unsigned memory = 0; memory < 5; ++memory)
    apart.push_back(Array::random(f32, side * side, memory));
  together = apart;

  std::vector<LaunchCall> joined;
  for (const auto &call : calls) {
    std::vector<void *> arguments;
    for (uintptr_t memory : call)
      arguments.push_back(apart[memory].bytes.data());
    EXPECT_FALSE(interpret(program, machine, arguments));
    joined.push_back({&program, call});
  }
  ASSERT_EQ(countJoinable(joined), 3u);
  std::vector<void *> arguments;
  for (Array &array : together)
    arguments.push_back(array.bytes.data());
  auto fault =
      interpret(joinCalls(joined, machine).program, machine, arguments);
  ASSERT_FALSE(fault) << fault->message;
  for (unsigned memory = 0; memory < 5; ++memory)
    EXPECT_EQ(together[memory].bytes, apart[memory].bytes) << memory;
}
