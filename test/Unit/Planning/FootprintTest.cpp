//===- FootprintTest.cpp - Buffers of a plan ------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanningTest.h"
#include <map>

using namespace mlir::trn;

static constexpr int64_t KiB = 1024;

/// Bytes of a partition by name, all slots.
static std::map<std::string, int64_t>
sizes(const ChainShape &shape, const BlockPlan &plan,
      Strategy strategy = Strategy::StripCache,
      TransposeMode transpose = TransposeMode::Implicit) {
  const Machine &machine = defaultMachine();
  PlanningTask task{shape, strategy, transpose, machine};
  std::map<std::string, int64_t> sizes;
  for (const PlannedBuffer &buffer : plannedBuffers(task, plan))
    sizes[buffer.name.str()] = buffer.bytes(machine) * buffer.slots;
  return sizes;
}

/// X[512, 1000] U[1000, 200] V[200, 900]: 8 tiles of k, 2 of r.
static const ChainShape odd = {512, 1000, 200, 900, ElementType::BF16};

static BlockPlan oddPlan() {
  BlockPlan plan;
  plan.blockM = 512;
  plan.blockK = 1000;
  plan.blockR = 128;
  plan.blockN = 512;
  plan.blockX = 1000;
  plan.residentRank = 200;
  plan.slotsXRaw = plan.slotsU = 2;
  return plan;
}

TEST(Footprint, roundsPartitionsUpButNotColumns) {
  auto bytes = sizes(odd, oddPlan());
  EXPECT_EQ(bytes["X^T block"], 8 * 512 * 2);
  EXPECT_EQ(bytes["raw X block"], 4 * 1000 * 2 * 2);
  EXPECT_EQ(bytes["U block"], 8 * 128 * 2 * 2);
  EXPECT_EQ(bytes["Y^T strip"], 2 * 512 * 2);
  EXPECT_EQ(bytes["V block"], 2 * 512 * 2 * 2);
  EXPECT_EQ(bytes["O block"], 4 * 512 * 2 * 2);
  EXPECT_EQ(bytes.size(), 6u);
}

TEST(Footprint, phasesShareMemory) {
  const Machine &machine = defaultMachine();
  PlanningTask task{odd, Strategy::StripCache, TransposeMode::Implicit,
                    machine};
  PlannedBuffers buffers = plannedBuffers(task, oddPlan());
  // Loading X needs most: X^T 8 KiB, raw blocks 16000 bytes. Y^T comes after.
  EXPECT_EQ(peakPartitionBytes(buffers, machine), 8 * KiB + 16000);
  EXPECT_EQ(placedPartitionBytes(buffers, machine), 8 * KiB + 16000);
}

TEST(Footprint, theNextXStaysDuringTheSecondStage) {
  const Machine &machine = defaultMachine();
  PlanningTask task{odd, Strategy::StripCache, TransposeMode::Implicit,
                    machine};
  BlockPlan plan = oddPlan();
  plan.blockX = 512;
  plan.prefetchX = true;
  auto bytes = sizes(odd, plan);
  EXPECT_EQ(bytes["next raw X block"], 4 * 512 * 2);
  // Y^T 2 KiB, V 4 KiB, O 8 KiB, and X^T 8 KiB with its raw block of 4 KiB.
  EXPECT_EQ(peakPartitionBytes(plannedBuffers(task, plan), machine),
            (2 + 4 + 8 + 8 + 4) * KiB);
}

TEST(Footprint, sumsInTheStorageTypeLiveAcrossTheBlocks) {
  const Machine &machine = defaultMachine();
  PlanningTask task{odd, Strategy::StripCache, TransposeMode::Implicit,
                    machine};
  BlockPlan plan = oddPlan();
  plan.blockK = plan.blockX = 512;
  plan.partials = ElementType::BF16;
  // X^T 4 KiB, raw blocks twice 4 * 512 * 2, and Y^T 2 KiB.
  EXPECT_EQ(peakPartitionBytes(plannedBuffers(task, plan), machine),
            (4 + 8 + 2) * KiB);
}

TEST(Footprint, partialSumsInTheStorageTypeNeedNoBuffer) {
  BlockPlan plan = oddPlan();
  plan.blockK = 512;
  plan.partials = ElementType::BF16;
  EXPECT_EQ(sizes(odd, plan).count("partial sums of Y"), 0u);
  plan.partials = ElementType::F32;
  EXPECT_EQ(sizes(odd, plan)["partial sums of Y"], 2 * 512 * 4);

  ChainShape wide = odd;
  wide.type = ElementType::F32;
  EXPECT_EQ(sizes(wide, plan).count("partial sums of Y"), 0u);
}

TEST(Footprint, explicitTranspositionHoldsBothLayoutsOfY) {
  auto bytes =
      sizes(odd, oddPlan(), Strategy::StripCache, TransposeMode::Explicit);
  EXPECT_EQ(bytes["Y strip"], 4 * 200 * 2);
  EXPECT_EQ(bytes["Y^T strip"], 2 * 512 * 2);
}

TEST(Footprint, transposedOutputTurnsTheBlock) {
  ChainShape turned = odd;
  turned.outputTransposed = true;
  BlockPlan plan = oddPlan();
  plan.blockM = 384;
  EXPECT_EQ(sizes(turned, plan)["O block"], 4 * 384 * 2 * 2);
  EXPECT_EQ(sizes(odd, plan)["O block"], 3 * 512 * 2 * 2);
}

TEST(Footprint, spilledRowsPassThroughTwoBuffers) {
  BlockPlan plan = oddPlan();
  plan.residentRank = 128;
  plan.slotsSave = 2;
  plan.slotsReload = 1;
  auto bytes = sizes(odd, plan);
  EXPECT_EQ(bytes["Y^T strip"], 1 * 512 * 2);
  EXPECT_EQ(bytes["saved Y^T block"], 1 * 512 * 2 * 2);
  EXPECT_EQ(bytes["reloaded Y^T rows"], 1 * 512 * 2);
}

TEST(Footprint, singleProductThatReadsXAgainHasOnePhase) {
  ChainShape single = {512, 1024, 0, 512, ElementType::BF16};
  BlockPlan plan;
  plan.blockM = plan.blockN = 512;
  plan.blockK = 512;
  plan.blockX = 128;
  plan.slotsX = plan.slotsXRaw = 2;
  plan.rereadX = true;
  plan.partials = ElementType::F32;
  const Machine &machine = defaultMachine();
  PlanningTask task{single, Strategy::StripCache, TransposeMode::Implicit,
                    machine};
  // X^T and W twice 4 * 512 * 2, raw X twice 4 * 128 * 2, the sums 4 * 512 * 4.
  // O, twice 4 * 512 * 2, comes when X and W are gone.
  EXPECT_EQ(peakPartitionBytes(plannedBuffers(task, plan), machine),
            2 * 8 * KiB + 2 * KiB + 8 * KiB);
}

TEST(Footprint, tellsWhatDoesNotFit) {
  BlockPlan plan = oddPlan();
  plan.blockM = 100000;
  PlanningTask task{odd, Strategy::StripCache, TransposeMode::Implicit,
                    defaultMachine()};
  EXPECT_EQ(placedPartitionBytes(plannedBuffers(task, plan), task.machine),
            std::nullopt);
}
