//===- BoundsTest.cpp - Tests of the lower bounds -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Report/Bounds.h"

#include "trn/Machine/KnownMachines.h"
#include "trn/Program/ProgramBuilder.h"
#include "trn/Simulator/Simulator.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

constexpr ElementType bf16 = ElementType::BF16;

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

TEST(Bounds, ModelFlopsAreSplitAsTheExecutedOnesAre) {
  SimulationResult result;
  result.executedFlops = 400;
  result.executedFlopsF32 = 100;
  Program program;
  KernelCall call = {&program, &result};
  EXPECT_EQ(modelFlops(call).total(), 400);
  call.modelFlops = 200;
  EXPECT_EQ(modelFlops(call).f32, 50);
  EXPECT_EQ(modelFlops(call).narrow, 150);
}

/// A kernel with an input, another one and a result, of the sizes in elements.
Program kernel(int64_t x, int64_t w, int64_t y) {
  ProgramBuilder b("kernel");
  b.argument(bf16, x);
  b.argument(bf16, w);
  b.argument(bf16, y, /*isResult=*/true);
  b.scratch(bf16, 1'000'000);
  return b.take();
}

TEST(Bounds, EveryArgumentAndResultMovesOnce) {
  Program only = kernel(100, 20, 3);
  SimulationResult result;
  EXPECT_EQ(hbmLowerBoundBytes({{&only, &result}}), 2 * (100 + 20 + 3));
}

TEST(Bounds, AnIntermediateIsNotCompulsory) {
  Program first = kernel(100, 20, 50), second = kernel(50, 30, 7);
  SimulationResult result;
  enum Memory : uintptr_t { X, U, Y, V, O };
  KernelCall calls[] = {{&first, &result, {X, U, Y}},
                        {&second, &result, {Y, V, O}}};
  std::vector<std::vector<int64_t>> perBuffer;
  EXPECT_EQ(hbmLowerBoundBytes(calls, &perBuffer), 2 * (100 + 20 + 30 + 7));
  EXPECT_EQ(perBuffer[0], (std::vector<int64_t>{2 * 100, 2 * 20, 0, 0}));
  EXPECT_EQ(perBuffer[1], (std::vector<int64_t>{0, 2 * 30, 2 * 7, 0}));
}

TEST(Bounds, MemoryReadByTwoCallsCountsOnce) {
  Program program = kernel(100, 20, 3);
  SimulationResult result;
  enum Memory : uintptr_t { X, W, Y, OtherY };
  KernelCall calls[] = {{&program, &result, {X, W, Y}},
                        {&program, &result, {X, W, OtherY}}};
  EXPECT_EQ(hbmLowerBoundBytes(calls), 2 * (100 + 20 + 3 + 3));
}

TEST(Bounds, WithoutIdentitiesNothingIsShared) {
  Program program = kernel(100, 20, 3);
  SimulationResult result;
  KernelCall calls[] = {{&program, &result}, {&program, &result}};
  EXPECT_EQ(hbmLowerBoundBytes(calls), 2 * 2 * (100 + 20 + 3));
}

} // namespace
