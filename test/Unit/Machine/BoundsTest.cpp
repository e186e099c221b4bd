//===- BoundsTest.cpp - Tests of times that nothing beats -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Machine/Bounds.h"

#include "trn/Machine/KnownMachines.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

Machine machine() {
  Machine machine = defaultMachine();
  machine.tensorNsPerColumn = 0.5;
  machine.tensorPeakTflopsBF16 = 100;
  machine.tensorPeakTflopsF32 = 25;
  machine.dmaGBPerSecondPerEngine = 16;
  machine.dmaNsPerDescriptor = 0;
  return machine;
}

TEST(Bounds, ATensorEngineDoesAColumnOfProductsAtATime) {
  // 1000 columns of 128 x 128 products, half a nanosecond each.
  int64_t flops = int64_t(2) * 128 * 128 * 1000;
  EXPECT_DOUBLE_EQ(tensorBoundNs({flops, 0}, machine()), 500);
  EXPECT_DOUBLE_EQ(tensorBoundNs({0, flops}, machine()), 4 * 500);
}

TEST(Bounds, TheNominalPeakIsTheMachinesOwn) {
  EXPECT_DOUBLE_EQ(nominalPeakNs({100'000, 0}, machine()), 1);
  EXPECT_DOUBLE_EQ(nominalPeakNs({100'000, 50'000}, machine()), 1 + 2);
}

TEST(Bounds, TrafficMovesAtTheRateOfAllDmaEngines) {
  EXPECT_DOUBLE_EQ(trafficBoundNs(256'000, machine()), 1000); // 16 * 16 B/ns
}

TEST(Bounds, RowsCostTheirDescriptors) {
  Machine slow = machine();
  slow.dmaNsPerDescriptor = 256; // as long as the 4096 bytes of a full row
  EXPECT_DOUBLE_EQ(trafficBoundNs(256'000, slow), 2000);
}

TEST(Bounds, FlopsAreSharedOutAsTheExecutedOnesAre) {
  FlopsByType shares = shareOut(200, {300, 100});
  EXPECT_EQ(shares.narrow, 150);
  EXPECT_EQ(shares.f32, 50);
  EXPECT_EQ(shareOut(200, {}).narrow, 200);
}

} // namespace
