//===- CheckProgramTest.cpp - Tests of the checks of placed programs ------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/CheckAccesses.h"
#include "trn/Program/CheckGroups.h"
#include "trn/Program/ProgramBuilder.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

/// A small machine, so that limits are easy to reach.
Machine tinyMachine() {
  Machine machine;
  machine.partitions = 128;
  machine.partitionGranule = 32;
  machine.sbufFreeMax = 64;
  machine.psumFreeMax = 32;
  machine.accessDimsMax = 2;
  machine.accessStrideMax = 50;
  machine.psumBanks = 2;
  machine.psumBankBytes = 256;
  return machine;
}

/// The message for a fill of `access` on the vector engine; empty if it is
/// legal.
std::string fillOn(ProgramBuilder &builder, const Access &access) {
  builder.op("memset");
  builder.execute(Engine::Vector, Semantics::Fill, {}, access);
  std::optional<AccessFault> fault =
      checkAccesses(builder.program(), tinyMachine());
  return fault ? fault->message : "";
}

} // namespace

TEST(CheckAccesses, StartPartitionDependsOnTheNumberOfPartitions) {
  // Rows, start, legal: hardware rule of A1:711-713.
  const std::tuple<int64_t, int64_t, bool> cases[] = {
      {128, 0, true}, {65, 0, true},  {65, 32, false}, {65, 63, false},
      {64, 64, true}, {33, 64, true}, {33, 32, false}, {32, 96, true},
      {32, 32, true}, {1, 96, true},  {1, 1, false},   {16, 16, false}};
  for (auto [rows, start, legal] : cases) {
    ProgramBuilder builder("kernel");
    int32_t buffer = builder.sbuf(ElementType::F32, 128, 16, 0);
    std::string message =
        fillOn(builder, builder.tile(buffer, start, rows, 0, {{16, 1}}));
    EXPECT_EQ(message.empty(), legal) << rows << " from " << start << message;
  }
}

TEST(CheckAccesses, ColumnsOfTheTensorEngineAreParts) {
  // Columns a part, start, legal: halves on NC-v2, quarters on NC-v3, and
  // whatever access_c2 allows where the machine does not say.
  const std::tuple<int64_t, int64_t, bool> cases[] = {
      {64, 0, true},  {64, 64, true}, {64, 32, false}, {64, 96, false},
      {32, 32, true}, {32, 96, true}, {0, 32, true}};
  for (auto [granule, start, legal] : cases) {
    ProgramBuilder builder("kernel");
    int32_t source = builder.sbuf(ElementType::F32, 128, 16, 0);
    int32_t bank = builder.psum(ElementType::F32, 128, 16, 0, 0);
    builder.op("transpose");
    builder.execute(Engine::Tensor, Semantics::Transpose,
                    builder.tile(source, 0, 16, 0, {{16, 1}}),
                    builder.tile(bank, start, 16, 0, {{16, 1}}));
    Machine machine = tinyMachine();
    machine.tensorColumnGranule = granule;
    EXPECT_EQ(!checkAccesses(builder.program(), machine), legal)
        << granule << " from " << start;
  }
}

TEST(CheckAccesses, TheLastElementOfTheLastIterationMayBeReached) {
  for (int64_t trips : {4, 5}) {
    ProgramBuilder builder("kernel");
    int32_t buffer = builder.sbuf(ElementType::F32, 128, 16, 0);
    int32_t loop = builder.beginLoop(trips);
    LinearExpr offset;
    offset.terms.push_back({loop, 4});
    builder.op("memset");
    builder.execute(Engine::Vector, Semantics::Fill, {},
                    builder.tile(buffer, 0, 128, offset, {{4, 1}}));
    builder.endLoop();
    EXPECT_EQ(checkAccesses(builder.program(), tinyMachine()).has_value(),
              trips == 5);
  }
}

TEST(CheckAccesses, TransfersMayStartAnywhereAndBeLong) {
  ProgramBuilder builder("kernel");
  int32_t source = builder.sbuf(ElementType::F32, 128, 100, 0);
  int32_t target = builder.argument(ElementType::F32, 300, /*result=*/true);
  builder.op("dma_copy");
  builder.execute(Engine::Store, Semantics::Copy,
                  {builder.tile(source, 5, 3, 0, {{100, 1}})},
                  builder.hbm(target, 0, {{3, 100}, {100, 1}}));
  EXPECT_FALSE(checkAccesses(builder.program(), tinyMachine()));
}

TEST(CheckAccesses, LimitsOfOneInstruction) {
  ProgramBuilder builder("kernel");
  int32_t buffer = builder.sbuf(ElementType::F32, 128, 100, 0);
  EXPECT_EQ(fillOn(builder, builder.tile(buffer, 128, 0, 65)),
            "writes 65 elements of a partition of sbuf, but one instruction "
            "reaches at most 64; split it");
  ProgramBuilder deep("kernel");
  int32_t tile = deep.sbuf(ElementType::F32, 128, 64, 0);
  // Gaps everywhere: no two dimensions can be one.
  EXPECT_EQ(fillOn(deep, deep.tile(tile, 0, 128, 0, {{2, 32}, {2, 8}, {2, 2}})),
            "writes 3 strided dimensions of a partition, but one instruction "
            "walks over at most 2; split it");
  ProgramBuilder wide("kernel");
  int32_t row = wide.sbuf(ElementType::F32, 128, 64, 0);
  EXPECT_EQ(fillOn(wide, wide.tile(row, 0, 128, 0, {{2, 51}, {2, 1}})),
            "writes elements that are 51 apart in a partition, but one "
            "instruction steps over at most 50; split it");
}

TEST(CheckGroups, EachSlotStartsItsOwnGroup) {
  // The k-th execution accumulates unless k = 0, but the tile is another one
  // each time: the second slot was never started.
  ProgramBuilder builder("kernel");
  int32_t input = builder.sbuf(ElementType::BF16, 128, 16, 0);
  builder.op("alloc");
  int32_t sums = builder.psum(ElementType::F32, 16, 16, 0, /*slots=*/2);
  int32_t loop = builder.beginLoop(3);
  builder.alloc(sums);
  int32_t matmul = builder.op("matmul");
  LinearExpr counter;
  counter.terms.push_back({loop, 1});
  builder
      .execute(
          Engine::Tensor, Semantics::Matmul,
          {builder.tile(input, 128, 0, 16), builder.tile(input, 128, 0, 16)},
          builder.tile(sums, 16, 0, 16))
      .accumulate = Condition{Condition::Predicate::Ne, counter};
  builder.endLoop();
  std::optional<GroupFault> fault =
      checkGroups(builder.program(), tinyMachine(), /*maxExecutions=*/100);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->op, matmul);
  EXPECT_EQ(fault->message,
            "accumulates into PSUM bank 1, where no group was started; the "
            "first matmul of a group must overwrite");
  // One execution is not enough to see it.
  EXPECT_FALSE(checkGroups(builder.program(), tinyMachine(), 1));
}
