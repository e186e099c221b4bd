//===- HazardsTest.cpp - Tests of what instructions wait for --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoundMachine.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

constexpr ElementType bf16 = ElementType::BF16, f32 = ElementType::F32;
constexpr int64_t semaphore = ns(200);
// A Vector or Scalar instruction over 512 elements: occupied 512 + 60 cycles,
// visible 100 later.
constexpr int64_t occupied512 = ns(572), visible512 = ns(672);

TEST(Hazards, ADependentChainWaitsForEachResult) {
  TileBuilder b;
  int32_t a = b.sbuf(bf16, 128, 512, 0), c = b.sbuf(bf16, 128, 512, 1024);
  b.fill(Engine::Vector, a, 512);
  b.copy(Engine::Vector, c, a, 512);
  b.copy(Engine::Vector, a, c, 512);
  Recorder recorder;
  SimulationResult result = run(b.program(), roundMachine(), recorder);
  EXPECT_EQ(recorder.events[1].start, visible512);
  EXPECT_EQ(recorder.events[1].reason, WaitReason::Data);
  EXPECT_EQ(result.latency, 3 * visible512);
}

TEST(Hazards, IndependentInstructionsOfAnEnginePipeline) {
  TileBuilder b;
  for (int64_t i = 0; i < 3; ++i)
    b.fill(Engine::Vector, b.sbuf(bf16, 128, 512, i * 1024), 512);
  SimulationResult result = simulate(b.program(), roundMachine());
  EXPECT_EQ(result.latency, 2 * occupied512 + visible512);
  EXPECT_EQ(result.busy[int(Engine::Vector)], 3 * occupied512);
}

TEST(Hazards, ASemaphoreIsPaidBetweenEngines) {
  TileBuilder b;
  int32_t a = b.sbuf(bf16, 128, 512, 0), c = b.sbuf(bf16, 128, 512, 1024);
  b.fill(Engine::Vector, a, 512);
  b.copy(Engine::Scalar, c, a, 512);
  Recorder recorder;
  SimulationResult result = run(b.program(), roundMachine(), recorder);
  EXPECT_EQ(recorder.events[1].start, visible512 + semaphore);
  const auto &waits = result.waits[int(Engine::Scalar)];
  EXPECT_EQ(waits[int(WaitReason::Data)], visible512);
  EXPECT_EQ(waits[int(WaitReason::Semaphore)], semaphore);
}

TEST(Hazards, AnAccumulatingMatmulDoesNotWaitForThePreviousOne) {
  TileBuilder b;
  int32_t w = b.sbuf(bf16, 128, 128, 0), x = b.sbuf(bf16, 128, 512, 1024);
  int32_t y = b.psum(f32, 128, 512, 0);
  int32_t k = b.beginLoop(4);
  b.matmul(y, w, x, 512).accumulate =
      Condition{Condition::Predicate::Ne, LinearExpr::counter(k)};
  b.endLoop();
  SimulationResult result = simulate(b.program(), roundMachine());
  EXPECT_EQ(result.latency, ns(4 * 256 + 150));
}

TEST(Hazards, AnEvictionWaitsForTheWholeGroup) {
  TileBuilder b;
  int32_t w = b.sbuf(bf16, 128, 128, 0), x = b.sbuf(bf16, 128, 512, 1024);
  int32_t y = b.psum(f32, 128, 512, 0), o = b.sbuf(bf16, 128, 512, 2048);
  b.matmul(y, w, x, 512);
  b.matmul(y, w, x, 512);
  b.copy(Engine::Scalar, o, y, 512);
  Recorder recorder;
  run(b.program(), roundMachine(), recorder);
  EXPECT_EQ(recorder.events[2].start, ns(2 * 256 + 150) + semaphore);
}

TEST(Hazards, OverwritingABankWaitsForItsEviction) {
  TileBuilder b;
  int32_t w = b.sbuf(bf16, 128, 128, 0), x = b.sbuf(bf16, 128, 512, 1024);
  int32_t y = b.psum(f32, 128, 512, 0), o = b.sbuf(bf16, 128, 512, 2048);
  b.matmul(y, w, x, 512);
  b.copy(Engine::Scalar, o, y, 512);
  b.matmul(y, w, x, 512);
  Recorder recorder;
  run(b.program(), roundMachine(), recorder);
  // The reader is done when its engine is, not when its own result is visible.
  int64_t evicted = ns(256 + 150) + semaphore + occupied512;
  EXPECT_EQ(recorder.events[2].start, evicted + semaphore);
  EXPECT_EQ(recorder.events[2].reason, WaitReason::Bank);
}

TEST(Hazards, TilesOfABufferAreApart) {
  TileBuilder b;
  int32_t a = b.sbuf(bf16, 128, 1024, 0), c = b.sbuf(bf16, 128, 1024, 2048);
  b.fill(Engine::Vector, a, 512, 0);
  b.fill(Engine::Vector, a, 512, 512);
  b.copy(Engine::Scalar, c, a, 512, 0);
  Recorder recorder;
  run(b.program(), roundMachine(), recorder);
  EXPECT_EQ(recorder.events[2].start, visible512 + semaphore);
}

TEST(Hazards, OddTilesOfAFoldedBufferAreApart) {
  // Rows of 301 elements, as a folded buffer of 4 tiles has them.
  TileBuilder b;
  int32_t a = b.sbuf(bf16, 128, 4 * 301, 0), c = b.sbuf(bf16, 128, 301, 4096);
  int32_t t = b.beginLoop(4);
  b.fill(Engine::Vector, a, 301, LinearExpr::counter(t, 301));
  b.endLoop();
  b.copy(Engine::Scalar, c, a, 301);
  Recorder recorder;
  run(b.program(), roundMachine(), recorder);
  EXPECT_EQ(recorder.events[4].start, ns(301 + 160) + semaphore);
}

TEST(Hazards, ColumnsOfAStridedBlockAreApart) {
  // Two column halves of a [4 x 512] block in each partition.
  TileBuilder b;
  int32_t a = b.sbuf(bf16, 128, 4 * 512, 0),
          c = b.sbuf(bf16, 128, 4 * 512, 4096);
  auto half = [&](int32_t buffer, int64_t at) {
    return b.tile(buffer, 0, 128, at, {{4, 512}, {256, 1}});
  };
  for (int64_t at : {0, 256})
    b.execute(Engine::Vector, Semantics::Fill, {}, half(a, at)).work.cycles =
        1024;
  b.execute(Engine::Scalar, Semantics::Copy, {half(a, 0)}, half(c, 0))
      .work.cycles = 1024;
  Recorder recorder;
  run(b.program(), roundMachine(), recorder);
  EXPECT_EQ(recorder.events[2].start, ns(1024 + 160) + semaphore);
}

TEST(Hazards, PartitionsOfATileAreApart) {
  TileBuilder b;
  int32_t a = b.sbuf(bf16, 128, 512, 0), c = b.sbuf(bf16, 128, 512, 1024);
  auto rows = [&](int32_t buffer, int64_t first) {
    return b.tile(buffer, first, 64, 0, {{512, 1}});
  };
  for (int64_t first : {0, 64})
    b.execute(Engine::Vector, Semantics::Fill, {}, rows(a, first)).work.cycles =
        512;
  b.execute(Engine::Scalar, Semantics::Copy, {rows(a, 0)}, rows(c, 0))
      .work.cycles = 512;
  Recorder recorder;
  run(b.program(), roundMachine(), recorder);
  EXPECT_EQ(recorder.events[2].start, visible512 + semaphore);
}

/// Load a tile, copy it, n times; the loaded tile has `slots` slots.
Program loadAndCopy(int64_t n, int64_t slots) {
  TileBuilder b;
  int32_t x = b.argument(bf16, n * 128 * 512);
  int32_t in = b.sbuf(bf16, 128, 512, 0, slots);
  int32_t out = b.sbuf(bf16, 128, 512, 8192);
  int32_t i = b.beginLoop(n);
  b.alloc(in);
  b.load(in, x, LinearExpr::counter(i, 128 * 512), 512, 512);
  b.copy(Engine::Vector, out, in, 512);
  b.dealloc(in);
  b.endLoop();
  return b.take();
}

TEST(Hazards, OneSlotIsReusedAfterItsLastReader) {
  Recorder recorder;
  run(loadAndCopy(2, /*slots=*/1), roundMachine(), recorder);
  int64_t loaded = ns(592 + 1000);
  int64_t copied = loaded + semaphore + occupied512;
  EXPECT_EQ(recorder.events[2].start, copied + semaphore);
  EXPECT_EQ(recorder.events[2].reason, WaitReason::Buffer);
}

TEST(Hazards, TwoSlotsLetTheNextLoadOverlapTheCopy) {
  Recorder recorder;
  run(loadAndCopy(3, /*slots=*/2), roundMachine(), recorder);
  EXPECT_EQ(recorder.events[2].start, ns(1000 + 592)); // behind the first load
  // The third load takes the slot of the first one.
  int64_t copied = ns(592 + 1000) + semaphore + occupied512;
  EXPECT_EQ(recorder.events[4].start, copied + semaphore);
}

TEST(Hazards, BuffersThatShareAddressesTakeTurns) {
  TileBuilder b;
  int32_t a = b.sbuf(bf16, 128, 512, 0), c = b.sbuf(bf16, 128, 512, 512);
  int32_t d = b.sbuf(bf16, 128, 512, 4096);
  b.alloc(d);
  b.alloc(a);
  b.fill(Engine::Vector, a, 512);
  b.copy(Engine::Vector, d, a, 512);
  b.dealloc(a);
  b.alloc(c); // its first half is the second half of `a`
  b.fill(Engine::Scalar, c, 512);
  b.dealloc(c);
  Recorder recorder;
  run(b.program(), roundMachine(), recorder);
  EXPECT_EQ(recorder.events[2].start, visible512 + occupied512 + semaphore);
}

TEST(Hazards, ASpillIsReloadedAfterItWasSaved) {
  TileBuilder b;
  int32_t y = b.scratch(bf16, 128 * 1024);
  int32_t a = b.sbuf(bf16, 128, 512, 0), c = b.sbuf(bf16, 128, 512, 1024);
  int32_t d = b.sbuf(bf16, 128, 512, 2048);
  b.store(y, a, 0, 512, 1024);   // left half
  b.store(y, a, 512, 512, 1024); // right half
  b.load(c, y, 0, 512, 1024);
  b.load(d, y, 512, 512, 1024);
  Recorder recorder;
  SimulationResult result = run(b.program(), roundMachine(), recorder);
  // The first save moves from 1000 to 1592 ns, the second one until 2184.
  int64_t reloaded = ns(1592) + semaphore + ns(1000);
  EXPECT_EQ(recorder.events[2].start, reloaded);
  EXPECT_EQ(recorder.events[3].start, reloaded + ns(592));
  EXPECT_EQ(result.spillSaveBytes, 2 * 128 * 1024);
  EXPECT_EQ(result.spillReloadBytes, 2 * 128 * 1024);
}

TEST(Hazards, AccessesOutsideOfTheirBufferDoNotCrash) {
  TileBuilder b;
  int32_t a = b.sbuf(bf16, 128, 512, 0), y = b.scratch(bf16, 128 * 512);
  b.fill(Engine::Vector, a, 512, int64_t(1) << 40);
  b.copy(Engine::Vector, a, a, 4096, -100000);
  b.store(y, a, int64_t(1) << 50, 512, 512);
  b.load(a, y, -5, 512, 512);
  EXPECT_GT(simulate(b.program(), roundMachine()).latency, 0);
}

} // namespace
