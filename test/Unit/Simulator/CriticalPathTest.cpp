//===- CriticalPathTest.cpp - What latency is made of, by hand ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoundMachine.h"
#include "gtest/gtest.h"

#include <map>

using namespace mlir::trn;

namespace {

constexpr ElementType bf16 = ElementType::BF16, f32 = ElementType::F32;
constexpr auto Busy = PathReason::Busy, Result = PathReason::ResultLatency,
               Semaphore = PathReason::Semaphore,
               DmaLatency = PathReason::DmaLatency,
               DmaQueue = PathReason::DmaQueue, Port = PathReason::Port;

/// In nanoseconds; what is not listed is zero.
using Times = std::map<std::pair<Engine, PathReason>, int64_t>;

CriticalPath pathOf(const Program &program, const Machine &machine) {
  SimulationOptions options;
  options.criticalPath = true;
  SimulationResult result = simulate(program, machine, options);
  EXPECT_EQ(result.criticalPath->total(), result.latency);
  EXPECT_EQ(result.criticalPath->notFollowed, 0);
  return *result.criticalPath;
}

Times timesOf(const Program &program, const Machine &machine = roundMachine()) {
  CriticalPath path = pathOf(program, machine);
  Times times;
  for (size_t i = 0; i < program.instructions.size(); ++i)
    for (int64_t reason = 0; reason < numPathReasons; ++reason)
      if (int64_t time = path.instructions[i][reason])
        times[{program.instructions[i].engine,
               static_cast<PathReason>(reason)}] += time / 1000;
  return times;
}

TEST(CriticalPath, AQueueFollowsItself) {
  TileBuilder b;
  for (int64_t i = 0; i < 3; ++i)
    b.fill(Engine::Vector, b.sbuf(bf16, 128, 512, i * 1024), 512);
  EXPECT_EQ(timesOf(b.program()), (Times{{{Engine::Vector, Busy}, 3 * 572},
                                         {{Engine::Vector, Result}, 100}}));
}

TEST(CriticalPath, AReaderWaitsForTheResultAndTheSemaphore) {
  TileBuilder b;
  int32_t a = b.sbuf(bf16, 128, 512, 0), c = b.sbuf(bf16, 128, 512, 1024);
  b.fill(Engine::Vector, a, 512);
  b.copy(Engine::Scalar, c, a, 512);
  b.copy(Engine::Scalar, a, c, 512); // no semaphore on the same engine
  EXPECT_EQ(timesOf(b.program()), (Times{{{Engine::Vector, Busy}, 572},
                                         {{Engine::Vector, Result}, 100},
                                         {{Engine::Scalar, Semaphore}, 200},
                                         {{Engine::Scalar, Busy}, 2 * 572},
                                         {{Engine::Scalar, Result}, 2 * 100}}));
}

TEST(CriticalPath, AnOverwriterWaitsForTheReaderNotForItsResult) {
  TileBuilder b;
  int32_t w = b.sbuf(bf16, 128, 128, 0), x = b.sbuf(bf16, 128, 512, 1024);
  int32_t y = b.psum(f32, 128, 512, 0), o = b.sbuf(bf16, 128, 512, 2048);
  b.matmul(y, w, x, 512);
  b.copy(Engine::Scalar, o, y, 512);
  b.matmul(y, w, x, 512);
  // Matmul 256 + 150, copy 200 + 572, matmul 200 + 256 + 150.
  EXPECT_EQ(timesOf(b.program()), (Times{{{Engine::Tensor, Busy}, 2 * 256},
                                         {{Engine::Tensor, Result}, 2 * 150},
                                         {{Engine::Tensor, Semaphore}, 200},
                                         {{Engine::Scalar, Semaphore}, 200},
                                         {{Engine::Scalar, Busy}, 572}}));
}

TEST(CriticalPath, ANewBufferWaitsForTheOneThatWasThere) {
  TileBuilder b;
  int32_t a = b.sbuf(bf16, 128, 512, 0), c = b.sbuf(bf16, 128, 512, 0);
  int32_t o = b.sbuf(bf16, 128, 512, 1024);
  b.alloc(a);
  b.fill(Engine::Vector, a, 512);
  b.copy(Engine::Vector, o, a, 512);
  b.dealloc(a);
  b.alloc(c);
  b.fill(Engine::Scalar, c, 512);
  EXPECT_EQ(timesOf(b.program()), (Times{{{Engine::Vector, Busy}, 2 * 572},
                                         {{Engine::Vector, Result}, 100},
                                         {{Engine::Scalar, Semaphore}, 200},
                                         {{Engine::Scalar, Busy}, 572},
                                         {{Engine::Scalar, Result}, 100}}));
}

TEST(CriticalPath, ALoadTakesTheOverheadAndTheLatency) {
  TileBuilder b;
  int32_t x = b.argument(bf16, 2 * 128 * 512);
  for (int64_t i = 0; i < 2; ++i)
    b.load(b.sbuf(bf16, 128, 512, i * 1024), x, i * 128 * 512, 512, 512);
  Machine machine = roundMachine();
  machine.kernelOverheadNs = 15000;
  EXPECT_EQ(timesOf(b.program(), machine),
            (Times{{{Engine::Load, DmaLatency}, 1000},
                   {{Engine::Load, Busy}, 2 * 592}}));
  EXPECT_EQ(pathOf(b.program(), machine).kernelOverhead, ns(15000));
}

TEST(CriticalPath, AStoreIsTriggeredByItsSource) {
  TileBuilder b;
  int32_t o = b.argument(bf16, 128 * 512, /*isResult=*/true);
  int32_t a = b.sbuf(bf16, 128, 512, 0);
  b.fill(Engine::Vector, a, 512);
  b.store(o, a, 0, 512, 512);
  EXPECT_EQ(timesOf(b.program()), (Times{{{Engine::Vector, Busy}, 572},
                                         {{Engine::Vector, Result}, 100},
                                         {{Engine::Store, Semaphore}, 200},
                                         {{Engine::Store, DmaLatency}, 1000},
                                         {{Engine::Store, Busy}, 592}}));
}

TEST(CriticalPath, ALoadThatWaitedForItsDestinationHidesTheLatency) {
  TileBuilder b;
  int32_t x = b.argument(bf16, 128 * 512);
  int32_t a = b.sbuf(bf16, 128, 2048, 0);
  b.fill(Engine::Vector, a, 2048); // visible after 2048 + 60 + 100
  b.load(a, x, 0, 512, 512);
  EXPECT_EQ(timesOf(b.program()), (Times{{{Engine::Vector, Busy}, 2048 + 60},
                                         {{Engine::Vector, Result}, 100},
                                         {{Engine::Load, Semaphore}, 200},
                                         {{Engine::Load, Busy}, 592}}));
}

TEST(CriticalPath, TheOtherQueueHoldsTheDmaEngines) {
  TileBuilder b;
  int32_t x = b.argument(bf16, 128 * 512);
  int32_t o = b.argument(bf16, 128 * 512, /*isResult=*/true);
  b.store(o, b.sbuf(bf16, 128, 512, 0), 0, 512, 512);
  b.load(b.sbuf(bf16, 128, 512, 1024), x, 0, 512, 512);
  EXPECT_EQ(timesOf(b.program()), (Times{{{Engine::Load, DmaLatency}, 1000},
                                         {{Engine::Load, DmaQueue}, 592},
                                         {{Engine::Load, Busy}, 592}}));
}

TEST(CriticalPath, AnotherEngineHoldsThePort) {
  TileBuilder b;
  for (int64_t i = 0; i < 2; ++i)
    b.fill(i ? Engine::GpSimd : Engine::Vector,
           b.sbuf(bf16, 128, 512, i * 1024), 512);
  Machine machine = roundMachine();
  machine.portLocks = true;
  EXPECT_EQ(timesOf(b.program(), machine),
            (Times{{{Engine::GpSimd, Port}, 572},
                   {{Engine::GpSimd, Busy}, 572},
                   {{Engine::GpSimd, Result}, 100}}));
}

/// Loads `columns` of partitions [first, first + 64).
void loadHalf(TileBuilder &b, int32_t tile, int32_t argument, int64_t first,
              int64_t columns) {
  b.op("trn.dma_copy");
  Instruction &load =
      b.execute(Engine::Load, Semantics::Copy,
                {b.hbm(argument, 0, {{64, columns}, {columns, 1}})},
                b.tile(tile, first, 64, 0, {{columns, 1}}));
  load.work.bytes = 64 * columns * 2;
  load.work.descriptors = 64;
}

TEST(CriticalPath, TransfersOfAQueueMayOvertake) {
  TileBuilder b;
  int32_t x = b.argument(bf16, 64 * 4096), t = b.sbuf(bf16, 128, 4096, 0);
  loadHalf(b, t, x, 0, 4096); // 8 * (512 + 10) on engines 0 to 7
  loadHalf(b, t, x, 64, 512); // 8 * (64 + 10) on engines 8 to 15
  loadHalf(b, t, x, 64, 512);
  EXPECT_EQ(timesOf(b.program()), (Times{{{Engine::Load, DmaLatency}, 1000},
                                         {{Engine::Load, Busy}, 8 * 522}}));
  // What reads the second half follows the later, shorter ones.
  b.op("trn.tensor_copy");
  b.execute(Engine::Vector, Semantics::Copy,
            {b.tile(t, 64, 64, 0, {{4096, 1}})},
            b.tile(b.sbuf(bf16, 128, 4096, 8192), 0, 64, 0, {{4096, 1}}))
      .work.cycles = 8192;
  EXPECT_EQ(timesOf(b.program()), (Times{{{Engine::Load, DmaLatency}, 1000},
                                         {{Engine::Load, Busy}, 2 * 8 * 74},
                                         {{Engine::Vector, Semaphore}, 200},
                                         {{Engine::Vector, Busy}, 8192 + 60},
                                         {{Engine::Vector, Result}, 100}}));
}

TEST(CriticalPath, ATransferMayTakeNoTime) {
  TileBuilder b;
  int32_t x = b.argument(bf16, 128 * 512), t = b.sbuf(bf16, 128, 512, 0);
  b.load(t, x, 0, 512, 512);
  b.copy(Engine::Vector, t, t, 512);
  Machine machine = roundMachine();
  machine.dmaGBPerSecondPerEngine = 1e9;
  machine.dmaNsPerDescriptor = 0;
  EXPECT_EQ(timesOf(b.program(), machine),
            (Times{{{Engine::Load, DmaLatency}, 1000},
                   {{Engine::Vector, Semaphore}, 200},
                   {{Engine::Vector, Busy}, 572},
                   {{Engine::Vector, Result}, 100}}));
}

TEST(CriticalPath, NothingExecutedIsOnlyTheOverhead) {
  Machine machine = roundMachine();
  machine.kernelOverheadNs = 15000;
  ProgramBuilder empty("empty");
  EXPECT_EQ(pathOf(empty.program(), machine).total(), ns(15000));
}

TEST(CriticalPath, ItIsOnlyFoundWhenAskedFor) {
  TileBuilder b;
  b.fill(Engine::Vector, b.sbuf(bf16, 128, 512, 0), 512);
  EXPECT_FALSE(simulate(b.program(), roundMachine()).criticalPath);
}

} // namespace
