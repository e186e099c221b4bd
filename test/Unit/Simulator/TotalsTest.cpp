//===- TotalsTest.cpp - Tests of the sums of a simulation -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoundMachine.h"
#include "gtest/gtest.h"

#include <numeric>

using namespace mlir::trn;

namespace {

constexpr ElementType bf16 = ElementType::BF16, f32 = ElementType::F32;

/// o = w^T x for 4 tiles of x with 512 columns, double buffered.
Program tiledMatmul() {
  TileBuilder b;
  int32_t wHbm = b.argument(bf16, 128 * 128);
  int32_t xHbm = b.argument(bf16, 128 * 2048);
  int32_t oHbm = b.argument(bf16, 128 * 2048, /*isResult=*/true);
  int32_t w = b.sbuf(bf16, 128, 128, 0);
  int32_t x = b.sbuf(bf16, 128, 512, 1024, 2);
  int32_t o = b.sbuf(bf16, 128, 512, 4096, 2);
  int32_t y = b.psum(f32, 128, 512, 2, 4);
  b.alloc(w);
  b.load(w, wHbm, 0, 128, 128);
  int32_t i = b.beginLoop(4);
  LinearExpr column = LinearExpr::counter(i, 512);
  for (int32_t buffer : {x, o, y})
    b.alloc(buffer);
  b.load(x, xHbm, column, 512, 2048);
  b.matmul(y, w, x, 512);
  b.copy(Engine::Scalar, o, y, 512);
  b.store(oHbm, o, column, 512, 2048);
  for (int32_t buffer : {x, o, y})
    b.dealloc(buffer);
  b.endLoop();
  b.dealloc(w);
  return b.take();
}

TEST(Totals, CountEveryExecution) {
  SimulationResult result = simulate(tiledMatmul(), roundMachine());
  EXPECT_EQ(result.instructions, 1 + 4 * 4);
  std::vector<std::pair<std::string, int64_t>> counts = {
      {"dma_copy", 9}, {"matmul", 4}, {"tensor_copy", 4}};
  EXPECT_EQ(result.instructionCounts, counts);
  EXPECT_EQ(result.executedFlops, int64_t(4) * 2 * 128 * 128 * 512);
  EXPECT_EQ(result.executedFlopsF32, 0);
  EXPECT_EQ(result.hbmReadBytes, 2 * 128 * (128 + 2048));
  EXPECT_EQ(result.hbmWriteBytes, 2 * 128 * 2048);
  EXPECT_EQ(result.spillSaveBytes + result.spillReloadBytes, 0);
  EXPECT_EQ(result.busy[int(Engine::Tensor)], 4 * ns(256));
}

TEST(Totals, PeaksComeFromThePlacement) {
  SimulationResult result = simulate(tiledMatmul(), roundMachine());
  EXPECT_EQ(result.sbufPeakPartitionBytes, 4096 + 2 * 1024);
  EXPECT_EQ(result.psumPeakBanks, 4);
  // W of 256 bytes; two slots of X and O of 1024.
  EXPECT_EQ(result.sbufLivePartitionBytes, 256 + 4 * 1024);
}

TEST(Totals, WhatFollowsEachOtherIsNotLiveTogether) {
  TileBuilder b;
  int32_t first = b.sbuf(bf16, 128, 512, 0);
  int32_t second = b.sbuf(bf16, 128, 256, 2048);
  for (int32_t buffer : {first, second}) {
    b.alloc(buffer);
    b.copy(Engine::Scalar, buffer, buffer, 128);
    b.dealloc(buffer);
  }
  SimulationResult result = simulate(b.take(), roundMachine());
  EXPECT_EQ(result.sbufLivePartitionBytes, 1024);
  EXPECT_EQ(result.sbufPeakPartitionBytes, 2048 + 512);
}

TEST(Totals, BusyAndWaitsFillTheTimeUpToTheLastInstruction) {
  Recorder recorder;
  SimulationResult result = run(tiledMatmul(), roundMachine(), recorder);
  for (int engine : {int(Engine::Tensor), int(Engine::Scalar)}) {
    int64_t last = 0;
    for (const TimelineEvent &event : recorder.events)
      if (int(event.engine) == engine)
        last = event.end;
    const auto &waits = result.waits[engine];
    EXPECT_EQ(result.busy[engine] +
                  std::accumulate(waits.begin(), waits.end(), int64_t(0)),
              last);
  }
}

TEST(Totals, AKernelStartsAfterItsOverhead) {
  Machine machine = roundMachine();
  int64_t without = simulate(tiledMatmul(), machine).latency;
  machine.kernelOverheadNs = 15000;
  EXPECT_EQ(simulate(tiledMatmul(), machine).latency, without + ns(15000));
}

TEST(Totals, AnEmptyProgramTakesTheOverhead) {
  Machine machine = roundMachine();
  machine.kernelOverheadNs = 15000;
  SimulationResult result =
      simulate(ProgramBuilder("empty").program(), machine);
  EXPECT_EQ(result.latency, ns(15000));
  EXPECT_EQ(result.instructions, 0);
}

TEST(Totals, LifetimesCoverTheUsesOfEachSlot) {
  Recorder recorder;
  run(tiledMatmul(), roundMachine(), recorder);
  int64_t lifetimesOfX = 0;
  for (const SlotLifetime &lifetime : recorder.lifetimes) {
    EXPECT_LT(lifetime.begin, lifetime.end);
    lifetimesOfX += lifetime.buffer == 4;
  }
  EXPECT_EQ(lifetimesOfX, 4);
}

TEST(Totals, TheTimelineIsTheSameEveryTime) {
  Recorder first, second;
  run(tiledMatmul(), defaultMachine(), first);
  run(tiledMatmul(), defaultMachine(), second);
  ASSERT_EQ(first.events.size(), second.events.size());
  for (size_t i = 0; i < first.events.size(); ++i)
    EXPECT_EQ(first.events[i].start, second.events[i].start);
}

} // namespace
