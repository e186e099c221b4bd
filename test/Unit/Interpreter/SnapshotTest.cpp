//===- SnapshotTest.cpp - Tests of what is kept of a run ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::trn;
using testing::Each;
using testing::ElementsAre;

static constexpr ElementType f32 = ElementType::F32;

static std::optional<Fault> run(const KernelBuilder &kernel,
                                llvm::ArrayRef<void *> arguments,
                                Snapshot &snapshot, unsigned threads) {
  InterpreterOptions options;
  options.threads = threads;
  Snapshot *pointer = &snapshot;
  options.snapshots = pointer;
  return interpret(kernel.program(), defaultMachine(), arguments, options);
}

TEST(Snapshot, LoopsAreThoseOfAllWrites) {
  KernelBuilder kernel;
  int32_t buffer = kernel.sbuf(f32, 4, 8, 0);
  int32_t unused = kernel.sbuf(f32, 4, 8, 64);
  int32_t outer = kernel.beginLoop(2);
  kernel.alloc(buffer);
  int32_t inner = kernel.beginLoop(3);
  kernel.fill(kernel.tile(buffer, 4, 0, 4), 1);
  EXPECT_THAT(loopsAroundWrites(kernel.program(), buffer),
              ElementsAre(outer, inner));
  kernel.endLoop();
  kernel.fill(kernel.tile(buffer, 4, 4, 4), 1);
  kernel.endLoop();
  EXPECT_THAT(loopsAroundWrites(kernel.program(), buffer), ElementsAre(outer));
  EXPECT_TRUE(loopsAroundWrites(kernel.program(), unused).empty());
}

TEST(Snapshot, HoldsTheIterationBeforeTheNextOneWrites) {
  KernelBuilder kernel;
  int32_t buffer = kernel.psum(f32, 2, 4, 0);
  int32_t source = kernel.argument(f32, 2 * 4 * 5);
  kernel.alloc(buffer);
  int32_t loop = kernel.beginLoop(5);
  kernel.copy(
      kernel.hbm(source, LinearExpr::counter(loop) * 8, {{2, 4}, {4, 1}}),
      kernel.tile(buffer, 2, 0, 4));
  kernel.endLoop();
  Array values = Array::random(f32, 40, 3);
  std::vector<float> all = values.values();
  void *arguments[] = {values.bytes.data()};
  for (unsigned threads : {1, 4})
    for (int64_t i = 0; i < 5; ++i) {
      Snapshot snapshot = {buffer, {i}};
      ASSERT_FALSE(run(kernel, arguments, snapshot, threads));
      EXPECT_EQ(snapshot.values, std::vector<float>(all.begin() + 8 * i,
                                                    all.begin() + 8 * i + 8))
          << "iteration " << i << ", " << threads << " threads";
    }
}

TEST(Snapshot, UnwrittenElementsAreNotANumber) {
  KernelBuilder kernel;
  int32_t buffer = kernel.sbuf(ElementType::BF16, 2, 4, 0);
  int32_t unused = kernel.sbuf(ElementType::BF16, 2, 4, 0);
  kernel.alloc(buffer);
  kernel.fill(kernel.tile(buffer, 1, 0, 2), 7);
  Snapshot snapshot = {buffer, {}}, never = {unused, {}};
  ASSERT_FALSE(run(kernel, {}, snapshot, 1));
  ASSERT_FALSE(run(kernel, {}, never, 1));
  ASSERT_EQ(snapshot.values.size(), 8u);
  EXPECT_EQ(snapshot.values[0], 7);
  EXPECT_EQ(snapshot.values[1], 7);
  for (int i = 2; i < 8; ++i)
    EXPECT_TRUE(std::isnan(snapshot.values[i])) << i;
  EXPECT_EQ(never.values.size(), 8u);
  for (float value : never.values)
    EXPECT_TRUE(std::isnan(value));
}

TEST(Snapshot, IsTakenBeforeTheBytesAreAnothersOrFreed) {
  KernelBuilder kernel;
  constexpr int64_t slots = 2, rows = 4, columns = 8;
  int32_t rotating = kernel.sbuf(f32, rows, columns, 0, slots);
  int32_t other = kernel.sbuf(f32, rows, slots * columns, 0);
  int32_t source = kernel.argument(f32, 6 * columns);
  int32_t loop = kernel.beginLoop(6);
  kernel.alloc(rotating);
  kernel.copy(kernel.hbm(source, LinearExpr::counter(loop) * columns,
                         {{rows, 0}, {columns, 1}}),
              kernel.tile(rotating, rows, 0, columns));
  kernel.dealloc(rotating);
  kernel.alloc(other);
  kernel.fill(kernel.tile(other, rows, 0, slots * columns), 99);
  kernel.dealloc(other);
  kernel.endLoop();
  std::vector<float> numbers(6 * columns);
  for (int64_t i = 0; i < 6 * columns; ++i)
    numbers[i] = float(i / columns);
  void *arguments[] = {numbers.data()};
  for (unsigned threads : {1, 4})
    for (int64_t i = 0; i < 6; ++i) {
      Snapshot snapshot = {rotating, {i}};
      ASSERT_FALSE(run(kernel, arguments, snapshot, threads));
      EXPECT_EQ(snapshot.values.size(), size_t(rows * columns));
      EXPECT_THAT(snapshot.values, Each(float(i))) << threads << " threads";
    }
}

TEST(Snapshot, InputsAreKeptAsTheyAre) {
  KernelBuilder kernel;
  int32_t input = kernel.argument(f32, 3);
  float values[] = {1, 2, 3};
  void *arguments[] = {values};
  Snapshot snapshot = {input, {}};
  ASSERT_FALSE(run(kernel, arguments, snapshot, 1));
  EXPECT_THAT(snapshot.values, ElementsAre(1, 2, 3));
}
