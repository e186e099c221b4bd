//===- TrafficTest.cpp - The model against the loops themselves -----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOracle.h"
#include "PlanningTest.h"

using namespace mlir::trn;

/// s * (m*k + m*n + strips * (k*r + r*n)).
static int64_t designFormula(const ChainShape &shape, int64_t blockM) {
  int64_t strips = (shape.m + blockM - 1) / blockM;
  return byteSize(shape.type) *
         (shape.m * shape.k + shape.m * shape.n +
          strips * (shape.k * shape.r + shape.r * shape.n));
}

TEST(Traffic, isThatOfTheDesignFormula) {
  for (int64_t blockM : {128, 256, 512, 1024})
    EXPECT_EQ(plan(demoChain(), forcedM(blockM)).hbmBytes(),
              designFormula(demoChain(), blockM));
  // 2 * (4096*7168 + 4096*18432 + 8 * (7168*4096 + 4096*18432))
  EXPECT_EQ(plan(demoChain(), forcedM(512)).hbmBytes(), 1887436800);
}

TEST(Traffic, countsTheLastStripOnce) {
  ChainShape shape = {1000, 700, 300, 900, ElementType::F16};
  // Strips of 384, 384 and 232 rows.
  EXPECT_EQ(plan(shape, forcedM(384)).hbmBytes(), designFormula(shape, 384));
}

TEST(Traffic, tensorEngineTimeOfTheDemo) {
  // X is transposed in 32 * 56 tiles of 128 columns; stage one has 56 * 32
  // tiles of all 4096 rows, stage two 32 * 32 of all 18432 columns.
  double columns = 32 * 56 * 128 + 56 * 32 * 4096 + 32 * 32 * 18432;
  EXPECT_NEAR(plan(demoChain()).tensorNs,
              columns * defaultMachine().tensorNsPerColumn, 1);
}

TEST(Traffic, dmaTimeOfTheDemo) {
  // Rows: X in 8 blocks of 896, U in 16 of 256, V and O in 36 of 512.
  double rows = 4096 * 8 + 8 * (7168 * 16 + 4096 * 36) + 4096 * 36;
  const Machine &machine = defaultMachine();
  double ns = (1887436800 / machine.dmaGBPerSecondPerEngine +
               rows * machine.dmaNsPerDescriptor) /
              machine.dmaEngines;
  EXPECT_NEAR(plan(demoChain(), forcedM(512)).dmaNs, ns, 1);
}

TEST(Traffic, f32TakesFourPasses) {
  double narrow = plan(demoChain(), forcedM(256)).tensorNs;
  double wide = plan(demoChain(ElementType::F32), forcedM(256)).tensorNs;
  EXPECT_NEAR(wide, 4 * narrow, 1);
}

TEST(Traffic, shortTilesCostTheMinimum) {
  // One tile each: transposing X, X*U and Y*V, of 64 columns at least.
  BlockPlan tiny = plan({1, 1, 1, 1, ElementType::BF16});
  EXPECT_NEAR(tiny.tensorNs, 3 * 64 * defaultMachine().tensorNsPerColumn, 1e-6);
}

TEST(Traffic, latencyOfTheDemo) {
  const Machine &machine = defaultMachine();
  auto load = [&](double rows, double bytes) {
    return rows *
           (bytes / machine.dmaGBPerSecondPerEngine +
            machine.dmaNsPerDescriptor) /
           machine.dmaEngines;
  };
  // Nothing overlaps with loading X and the first block of U for the first
  // strip, nor with storing the last block of O; the tensor engine is the
  // slower one in between. Seven of eight strips are transposed meanwhile.
  double waits =
      load(512 * 8, 2 * 896) + load(7168, 2 * 256) + load(512, 2 * 512);
  double columns = 7 * 4 * 56 * 128 + 56 * 32 * 4096 + 32 * 32 * 18432;
  EXPECT_NEAR(plan(demoChain(), forcedM(512)).latencyNs,
              waits + columns * machine.tensorNsPerColumn, 1000);
}

TEST(Traffic, latencyWithXInTheWay) {
  // 640 rows: X^T (70 KiB) and Y^T (40 KiB) leave no room for V, O and the next
  // X. So each of the strips waits for X and the first block of U.
  BlockPlan chosen = plan(demoChain(), forcedM(640));
  EXPECT_FALSE(chosen.prefetchX);
  EXPECT_GT(chosen.latencyNs, chosen.tensorNs * 1.04);
}

/// Every combination of layouts, strategies and blocks at an odd shape.
TEST(Traffic, equalsWhatTheLoopsCount) {
  for (int64_t r : {0, 300})
    for (Strategy strategy : {Strategy::StripCache, Strategy::Recompute})
      for (TransposeMode transpose :
           {TransposeMode::Implicit, TransposeMode::Explicit})
        for (bool inputTransposed : {false, true})
          for (bool outputTransposed : {false, true})
            for (int64_t blockK : {0, 256}) {
              ChainShape shape = {700,
                                  650,
                                  r,
                                  1300,
                                  ElementType::BF16,
                                  inputTransposed,
                                  outputTransposed};
              Options options{strategy, transpose, {256, blockK, 128, 384}};
              BlockPlan chosen = plan(shape, options);
              PlanningTask task{shape, strategy, transpose, defaultMachine()};
              LoopOracle oracle(task, chosen);
              EXPECT_EQ(chosen.hbmReadBytes, oracle.readBytes);
              EXPECT_EQ(chosen.hbmWriteBytes, oracle.writeBytes);
              EXPECT_NEAR(chosen.tensorNs, oracle.tensorNs(), 1);
              EXPECT_NEAR(chosen.dmaNs, oracle.dmaNs(), 1);
            }
}
