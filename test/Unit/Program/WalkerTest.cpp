//===- WalkerTest.cpp - Tests of the order of steps -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/Walker.h"
#include "trn/Program/CountSteps.h"
#include "trn/Program/ProgramBuilder.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

/// A fill whose offset names the iteration, so that a walk can be written down.
void fill(ProgramBuilder &builder, int32_t buffer, LinearExpr offset) {
  builder.execute(Engine::Vector, Semantics::Fill, {},
                  builder.tile(buffer, 1, std::move(offset), 1));
}

std::vector<int64_t> executedOffsets(const Program &program) {
  std::vector<int64_t> offsets;
  Walker walker(program);
  while (const Step *step = walker.next())
    if (step->kind == Step::Kind::Execute)
      offsets.push_back(
          program.instructions[step->index].writes[0].offset.evaluate(
              walker.counters()));
  return offsets;
}

} // namespace

TEST(Walker, NestedLoopsRunInnermostFirst) {
  ProgramBuilder builder("kernel");
  int32_t buffer = builder.sbuf(ElementType::F32, 1, 64, 0);
  int32_t outer = builder.beginLoop(2);
  int32_t inner = builder.beginLoop(3);
  fill(builder, buffer,
       LinearExpr::counter(outer, 10) + LinearExpr::counter(inner));
  builder.endLoop();
  builder.endLoop();
  EXPECT_EQ(executedOffsets(builder.program()),
            (std::vector<int64_t>{0, 1, 2, 10, 11, 12}));
}

TEST(Walker, EmptyLoopIsSkippedWithItsBody) {
  ProgramBuilder builder("kernel");
  int32_t buffer = builder.sbuf(ElementType::F32, 1, 64, 0);
  builder.beginLoop(0);
  builder.beginLoop(5);
  fill(builder, buffer, 1);
  builder.endLoop();
  builder.endLoop();
  fill(builder, buffer, 2);
  EXPECT_EQ(executedOffsets(builder.program()), (std::vector<int64_t>{2}));
}

TEST(Walker, AllocationsRotateThroughTheSlots) {
  ProgramBuilder builder("kernel");
  int32_t buffer = builder.sbuf(ElementType::F32, 1, 64, 0, /*slots=*/3);
  builder.beginLoop(5);
  builder.alloc(buffer);
  builder.dealloc(buffer);
  builder.endLoop();
  std::vector<int64_t> slots;
  Walker walker(builder.program());
  while (const Step *step = walker.next())
    if (step->kind == Step::Kind::Alloc)
      slots.push_back(walker.slot(buffer));
  EXPECT_EQ(slots, (std::vector<int64_t>{0, 1, 2, 0, 1}));
}

TEST(Walker, LoopsAroundNothingAreNotWalked) {
  ProgramBuilder builder("kernel");
  builder.beginLoop(std::numeric_limits<int64_t>::max());
  builder.beginLoop(0);
  fill(builder, builder.sbuf(ElementType::F32, 1, 64, 0), 0);
  builder.endLoop();
  builder.beginLoop(7);
  builder.endLoop();
  builder.endLoop();
  EXPECT_TRUE(builder.program().steps.empty());
  EXPECT_EQ(Walker(builder.program()).next(), nullptr);
}

TEST(CountSteps, MultipliesTripCountsAndCountsIterations) {
  ProgramBuilder builder("kernel");
  int32_t buffer = builder.sbuf(ElementType::F32, 1, 64, 0);
  fill(builder, buffer, 0);
  builder.beginLoop(2);
  fill(builder, buffer, 0);
  builder.beginLoop(3);
  fill(builder, buffer, 0);
  builder.endLoop();
  builder.endLoop();
  builder.beginLoop(0);
  fill(builder, buffer, 0);
  builder.endLoop();
  EXPECT_EQ(countSteps(builder.program()), 1 + 2 * (2 + 3 * 2));
}

TEST(CountSteps, StopsAtTheLargestNumber) {
  ProgramBuilder builder("kernel");
  int32_t buffer = builder.sbuf(ElementType::F32, 1, 64, 0);
  builder.beginLoop(int64_t(1) << 40);
  builder.beginLoop(int64_t(1) << 40);
  fill(builder, buffer, 0);
  builder.endLoop();
  builder.endLoop();
  EXPECT_EQ(countSteps(builder.program()), std::numeric_limits<int64_t>::max());
}
