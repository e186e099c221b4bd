//===- DmaTest.cpp - Tests of transfers and their queues ------------------===//
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

// A row of 512 bf16 is 1 KiB: 64 ns on its engine and 10 ns for its descriptor;
// an engine has eight of them.
constexpr int64_t tile512 = ns(8 * (64 + 10));
constexpr int64_t latency = ns(1000), semaphore = ns(200);

TEST(Dma, OneLoadTakesItsRowsAndTheLatency) {
  TileBuilder b;
  int32_t x = b.argument(ElementType::BF16, 128 * 512);
  b.load(b.sbuf(ElementType::BF16, 128, 512, 0), x, 0, 512, 512);
  Recorder recorder;
  SimulationResult result = run(b.program(), roundMachine(), recorder);
  EXPECT_EQ(recorder.events[0].start, latency);
  EXPECT_EQ(recorder.events[0].end, latency + tile512);
  EXPECT_EQ(result.latency, latency + tile512);
  EXPECT_EQ(result.dmaBusy, std::vector<int64_t>(16, tile512));
}

TEST(Dma, LatencyIsNotOccupancy) {
  TileBuilder b;
  int32_t x = b.argument(ElementType::BF16, 4 * 128 * 512);
  for (int64_t i = 0; i < 4; ++i)
    b.load(b.sbuf(ElementType::BF16, 128, 512, i * 1024), x, i * 128 * 512, 512,
           512);
  SimulationResult result = simulate(b.program(), roundMachine());
  EXPECT_EQ(result.latency, 4 * tile512 + latency);
}

TEST(Dma, AShortTransferCompletesLaterThanItOccupies) {
  TileBuilder b;
  int32_t x = b.argument(ElementType::BF16, 2 * 128 * 512);
  for (int64_t i = 0; i < 2; ++i)
    b.load(b.sbuf(ElementType::BF16, 128, 512, i * 1024), x, i * 128 * 512, 512,
           512);
  Machine machine = roundMachine();
  machine.dmaMinTransferNs = 900;
  Recorder recorder;
  SimulationResult result = run(b.program(), machine, recorder);
  EXPECT_EQ(recorder.events[0].end, latency + tile512);
  EXPECT_EQ(recorder.events[0].done, latency + ns(900));
  EXPECT_EQ(recorder.events[1].start, latency + tile512);
  EXPECT_EQ(result.latency, latency + tile512 + ns(900));
}

TEST(Dma, AStoredRegionIsInUseUntilTheTransferCompletes) {
  TileBuilder b;
  int32_t o = b.argument(ElementType::BF16, 128 * 512, /*isResult=*/true);
  int32_t a = b.sbuf(ElementType::BF16, 128, 512, 0);
  b.store(o, a, 0, 512, 512);
  b.fill(Engine::Vector, a, 512);
  Machine machine = roundMachine();
  machine.dmaMinTransferNs = 900;
  Recorder recorder;
  run(b.program(), machine, recorder);
  EXPECT_EQ(recorder.events[1].start, latency + ns(900) + semaphore);
}

TEST(Dma, AQueueIsInOrder) {
  TileBuilder b;
  int32_t x = b.argument(ElementType::BF16, 2 * 128 * 512);
  int32_t a = b.sbuf(ElementType::BF16, 128, 1024, 0);
  int32_t c = b.sbuf(ElementType::BF16, 128, 512, 2048);
  b.fill(Engine::Vector, a, 1024);
  b.load(a, x, 0, 512, 512);
  b.load(c, x, 128 * 512, 512, 512); // waits for nothing but the queue
  Recorder recorder;
  run(b.program(), roundMachine(), recorder);
  // The first load's latency is over while it waits for its destination.
  int64_t filled = ns(1024 + 60 + 100);
  EXPECT_EQ(recorder.events[1].start, filled + semaphore);
  EXPECT_EQ(recorder.events[2].start, filled + semaphore + tile512);
}

TEST(Dma, AStoreIsTriggeredByItsSource) {
  TileBuilder b;
  int32_t o = b.argument(ElementType::BF16, 128 * 512, /*isResult=*/true);
  int32_t a = b.sbuf(ElementType::BF16, 128, 512, 0);
  b.fill(Engine::Vector, a, 512);
  b.store(o, a, 0, 512, 512);
  Recorder recorder;
  run(b.program(), roundMachine(), recorder);
  EXPECT_EQ(recorder.events[1].start, ns(512 + 60 + 100) + semaphore + latency);
}

TEST(Dma, AWaitingStoreDoesNotHoldUpLoads) {
  TileBuilder b;
  int32_t x = b.argument(ElementType::BF16, 128 * 512);
  int32_t o = b.argument(ElementType::BF16, 128 * 512, /*isResult=*/true);
  int32_t a = b.sbuf(ElementType::BF16, 128, 512, 0);
  int32_t c = b.sbuf(ElementType::BF16, 128, 512, 1024);
  b.fill(Engine::Vector, a, 512);
  b.store(o, a, 0, 512, 512);
  b.load(c, x, 0, 512, 512);
  Recorder recorder;
  run(b.program(), roundMachine(), recorder);
  EXPECT_EQ(recorder.events[1].start, ns(512 + 60 + 100) + semaphore + latency);
  EXPECT_EQ(recorder.events[2].start, latency);
}

TEST(Dma, TheQueuesShareTheEngines) {
  TileBuilder b;
  int32_t x = b.argument(ElementType::BF16, 128 * 512);
  int32_t o = b.argument(ElementType::BF16, 128 * 512, /*isResult=*/true);
  b.store(o, b.sbuf(ElementType::BF16, 128, 512, 0), 0, 512, 512);
  b.load(b.sbuf(ElementType::BF16, 128, 512, 1024), x, 0, 512, 512);
  Recorder recorder;
  SimulationResult result = run(b.program(), roundMachine(), recorder);
  // Both are ready at once; the first one in the program goes first.
  EXPECT_EQ(recorder.events[1].start, latency + tile512);
  EXPECT_EQ(recorder.events[1].reason, WaitReason::Dma);
  EXPECT_EQ(result.latency, 2 * tile512 + latency);
}

TEST(Dma, ALoadFlowsAroundALaterStore) {
  TileBuilder b;
  int32_t x = b.argument(ElementType::BF16, 128 * 4096);
  int32_t o = b.argument(ElementType::BF16, 128 * 512, /*isResult=*/true);
  int32_t a = b.sbuf(ElementType::BF16, 128, 512, 0);
  b.fill(Engine::Vector, a, 512);
  b.store(o, a, 0, 512, 512);
  b.load(b.sbuf(ElementType::BF16, 128, 4096, 1024), x, 0, 4096, 4096);
  Recorder recorder;
  run(b.program(), roundMachine(), recorder);
  // The load needs 8 * (512 + 10) ns; the store takes the engines from 1872 ns
  // on for 592 ns, in the middle of it.
  EXPECT_EQ(recorder.events[2].start, latency);
  EXPECT_EQ(recorder.events[2].end, latency + ns(8 * 522) + tile512);
}

TEST(Dma, EightPartitionsUseOneEngine) {
  TileBuilder b;
  int32_t x = b.argument(ElementType::BF16, 8 * 512);
  int32_t t = b.sbuf(ElementType::BF16, 8, 512, 0);
  Instruction &load =
      b.execute(Engine::Load, Semantics::Copy,
                {b.hbm(x, 0, {{8, 512}, {512, 1}})}, b.tile(t, 8, 0, 512));
  load.work.bytes = 8 * 1024;
  load.work.descriptors = 8;
  SimulationResult result = simulate(b.program(), roundMachine());
  std::vector<int64_t> expected(16, 0);
  expected[0] = tile512;
  EXPECT_EQ(result.dmaBusy, expected);
}

TEST(Dma, TransfersToDifferentPartitionsRunTogether) {
  TileBuilder b;
  int32_t x = b.argument(ElementType::BF16, 64 * 512);
  int32_t t = b.sbuf(ElementType::BF16, 128, 512, 0);
  int32_t loop = b.beginLoop(2);
  Instruction &load = b.execute(
      Engine::Load, Semantics::Copy, {b.hbm(x, 0, {{64, 512}, {512, 1}})},
      b.tile(t, LinearExpr::counter(loop, 64), 64, 0, {{512, 1}}));
  load.work.bytes = 64 * 1024;
  load.work.descriptors = 64;
  b.endLoop();
  // The halves use engines 0 to 7 and 8 to 15.
  EXPECT_EQ(simulate(b.program(), roundMachine()).latency, tile512 + latency);
}

TEST(Dma, MovesWithinTheChipAreNoTraffic) {
  TileBuilder b;
  int32_t from = b.sbuf(ElementType::BF16, 128, 512, 0);
  int32_t to = b.sbuf(ElementType::BF16, 128, 512, 1024);
  Instruction &move =
      b.execute(Engine::Load, Semantics::Copy, {b.tile(from, 128, 0, 512)},
                b.tile(to, 128, 0, 512));
  move.work.bytes = 128 * 1024;
  move.work.descriptors = 128;
  SimulationResult result = simulate(b.program(), roundMachine());
  EXPECT_EQ(result.hbmReadBytes + result.hbmWriteBytes, 0);
  EXPECT_EQ(result.dmaBusy.front(), tile512);
}

} // namespace
