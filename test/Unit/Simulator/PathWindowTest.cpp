//===- PathWindowTest.cpp - Long paths in little memory -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomProgram.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir::trn;

namespace {

constexpr ElementType bf16 = ElementType::BF16, f32 = ElementType::F32;

SimulationResult follow(const Program &program, const Machine &machine,
                        int64_t window, int64_t limit) {
  SimulationOptions options;
  options.pathSteps = true;
  options.criticalPath = true;
  options.pathWindow = window;
  options.pathLimit = limit;
  SimulationResult result = simulate(program, machine, options);
  EXPECT_EQ(result.criticalPath->total(), result.latency);
  return result;
}

/// (instruction, released, start, end) of each step: one after the other, and
/// as busy as the path.
auto stepsOf(const SimulationResult &result) {
  const CriticalPath &path = *result.criticalPath;
  std::vector<std::tuple<int32_t, int64_t, int64_t, int64_t>> steps;
  int64_t latest = path.kernelOverhead, busy = 0;
  for (const auto &[instruction, released, start, end] : path.steps) {
    EXPECT_LE(latest, released);
    EXPECT_LE(released, start);
    latest = end;
    busy += end - start;
    steps.emplace_back(instruction, released, start, end);
  }
  EXPECT_LE(latest, result.latency);
  for (const auto &times : path.instructions)
    busy -= times[static_cast<int>(PathReason::Busy)] +
            times[static_cast<int>(PathReason::Throttle)];
  EXPECT_EQ(busy, 0);
  return steps;
}

constexpr int64_t unlimited = int64_t(1) << 24;

TEST(PathWindow, ForgettingChangesNothing) {
  std::mt19937 random(20240608);
  for (int i = 0; i < 100; ++i) {
    Program program = randomProgram(random);
    Machine machine = variedMachine(i);
    SimulationResult all = follow(program, machine, unlimited, unlimited);
    EXPECT_EQ(all.criticalPath->notFollowed, 0);
    EXPECT_EQ(simulate(program, machine).latency, all.latency);
    for (int64_t window : {4, 32, 256}) {
      SimulationResult some = follow(program, machine, window, unlimited);
      ASSERT_EQ(stepsOf(some), stepsOf(all));
      ASSERT_EQ(some.criticalPath->instructions, all.criticalPath->instructions)
          << "program " << i << ", window " << window;
      EXPECT_EQ(some.criticalPath->notFollowed, 0);
    }
  }
}

TEST(PathWindow, WhatIsGivenUpIsSaid) {
  std::mt19937 random(20240609);
  int64_t lost = 0;
  for (int i = 0; i < 100; ++i) {
    Program program = randomProgram(random);
    SimulationResult some = follow(program, roundMachine(), 16, 16);
    const CriticalPath &path = *some.criticalPath;
    lost += path.notFollowed > 0;
    if (path.notFollowed > 0)
      continue;
    SimulationResult all =
        follow(program, roundMachine(), unlimited, unlimited);
    EXPECT_EQ(path.instructions, all.criticalPath->instructions);
  }
  EXPECT_GT(lost, 0);
  EXPECT_LT(lost, 100);
}

/// `long` on Tensor and Vector, side by side and far apart in the program.
Program sideBySide(int64_t matmuls, int64_t fills) {
  TileBuilder b;
  int32_t w = b.sbuf(bf16, 128, 128, 0), x = b.sbuf(bf16, 128, 512, 1024);
  int32_t y = b.psum(f32, 128, 512, 0), o = b.sbuf(bf16, 128, 512, 4096);
  b.beginLoop(matmuls);
  b.matmul(y, w, x, 512);
  b.endLoop();
  b.beginLoop(fills);
  b.fill(Engine::Vector, o, 512);
  b.endLoop();
  return b.take();
}

TEST(PathWindow, QueuesThatNeverMeetAreKeptUpToTheLimit) {
  // 3000 * 572 + 100 ns on Vector; 1000 * 256 + 150 on Tensor.
  Program program = sideBySide(1000, 3000);
  CriticalPath path =
      *follow(program, roundMachine(), 16, unlimited).criticalPath;
  EXPECT_EQ(path.instructions[1][int(PathReason::Busy)], ns(3000 * 572));
  EXPECT_EQ(path.notFollowed, 0);
  // Vector starts when the limit is long reached: its beginning is still known,
  // for nothing let it go but the start of the kernel.
  path = *follow(program, roundMachine(), 16, 64).criticalPath;
  EXPECT_EQ(path.instructions[1][int(PathReason::Busy)] + path.notFollowed,
            ns(3000 * 572));
}

TEST(PathWindow, AQueueThatIsBehindFindsWhatLetItGo) {
  TileBuilder b;
  int32_t x = b.argument(bf16, 128 * 8192);
  int32_t a = b.sbuf(bf16, 128, 8192, 0), c = b.sbuf(bf16, 128, 512, 16384);
  b.fill(Engine::Vector, a, 8192);
  b.beginLoop(100);
  b.fill(Engine::Vector, c, 64);
  b.endLoop();
  b.load(a, x, 0, 8192, 8192); // waits for the first fill, 100 fills ago
  CriticalPath path =
      *follow(b.program(), roundMachine(), 16, unlimited).criticalPath;
  EXPECT_EQ(path.notFollowed, 0);
  EXPECT_EQ(path.instructions[0][int(PathReason::Busy)], ns(8192 + 60));
  EXPECT_EQ(path.instructions[0][int(PathReason::ResultLatency)], ns(100));
  EXPECT_EQ(path.instructions[1][int(PathReason::Busy)], 0);
  EXPECT_EQ(path.instructions[2][int(PathReason::Busy)], ns(8 * (1024 + 10)));
}

TEST(PathWindow, ALongQueueIsFoldedAsItGoes) {
  Program program = sideBySide(100'000, 0);
  CriticalPath path = *follow(program, roundMachine(), 16, 64).criticalPath;
  EXPECT_EQ(path.instructions[0][int(PathReason::Busy)], ns(100'000 * 256));
  EXPECT_EQ(path.notFollowed, 0);
}

} // namespace
