//===- KernelCallTest.cpp - Tests of calls of kernels ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Report/KernelCall.h"

#include "trn/Program/Launch.h"
#include "trn/Program/ProgramBuilder.h"
#include "trn/Simulator/Simulator.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

constexpr ElementType bf16 = ElementType::BF16;

TEST(KernelCall, ModelFlopsAreSplitAsTheExecutedOnesAre) {
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

TEST(KernelCall, EveryArgumentAndResultMovesOnce) {
  Program only = kernel(100, 20, 3);
  SimulationResult result;
  EXPECT_EQ(hbmLowerBoundBytes({{&only, &result}}), 2 * (100 + 20 + 3));
}

TEST(KernelCall, AnIntermediateIsNotCompulsory) {
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

TEST(KernelCall, MemoryReadByTwoCallsCountsOnce) {
  Program program = kernel(100, 20, 3);
  SimulationResult result;
  enum Memory : uintptr_t { X, W, Y, OtherY };
  KernelCall calls[] = {{&program, &result, {X, W, Y}},
                        {&program, &result, {X, W, OtherY}}};
  EXPECT_EQ(hbmLowerBoundBytes(calls), 2 * (100 + 20 + 3 + 3));
}

/// Both halves of 100, and what overlaps them.
TEST(KernelCall, PartsOfMemoryCountOnce) {
  Program program = kernel(50, 20, 3);
  SimulationResult result;
  enum Memory : uintptr_t { X, W, Y };
  auto callAt = [&](int64_t element, uintptr_t number) {
    KernelCall call = {&program, &result, {X, W, Y + number}};
    call.offsets = {2 * element, 0, 0};
    return call;
  };
  KernelCall halves[] = {callAt(0, 0), callAt(50, 1), callAt(25, 2)};
  EXPECT_EQ(hbmLowerBoundBytes(halves), 2 * (100 + 20 + 3 * 3));
  KernelCall unknown[] = {callAt(0, 0), callAt(50, 1)};
  unknown[1].offsets[0] = unknownOffset;
  EXPECT_EQ(hbmLowerBoundBytes(unknown), 2 * (50 + 20 + 2 * 3));
}

TEST(KernelCall, WithoutIdentitiesNothingIsShared) {
  Program program = kernel(100, 20, 3);
  SimulationResult result;
  KernelCall calls[] = {{&program, &result}, {&program, &result}};
  EXPECT_EQ(hbmLowerBoundBytes(calls), 2 * 2 * (100 + 20 + 3));
}

} // namespace
