//===- BlockPlanTest.cpp - Each planning rule, with golden numbers --------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanningTest.h"
#include "llvm/ADT/StringRef.h"

using namespace mlir::trn;

static constexpr int64_t KiB = 1024;

static bool hasReason(const BlockPlan &plan, llvm::StringRef text) {
  for (const std::string &reason : plan.reasons)
    if (llvm::StringRef(reason).contains(text))
      return true;
  return false;
}

TEST(BlockPlan, takesTheSmallestOfTheFastestBlockM) {
  // 256 rows wait for 14.2 ms of DMA. With 384, DMA and the tensor engine (11.0
  // ms) are about even, but the last strip of 256 waits again. More than 512
  // rows gain nothing.
  BlockPlan chosen = plan(demoChain());
  EXPECT_EQ(chosen.blockM, 512);
  EXPECT_LT(chosen.dmaNs, chosen.tensorNs);
  EXPECT_GT(plan(demoChain(), forcedM(384)).latencyNs, chosen.latencyNs * 1.01);
  EXPECT_GT(plan(demoChain(), forcedM(640)).latencyNs, chosen.latencyNs * 0.99);
  BlockPlan smaller = plan(demoChain(), forcedM(256));
  EXPECT_GT(smaller.dmaNs, smaller.tensorNs);
  EXPECT_TRUE(hasReason(chosen, "384 rows would take"));
}

TEST(BlockPlan, blocksTheContractionOnlyIfThatPays) {
  // Twice the rows would gain 1 %, but need sums over blocks of k in SBUF.
  Options options{Strategy::StripCache, TransposeMode::Explicit, {}};
  BlockPlan chosen = plan(demoChain(), options);
  options.blocks.blockM = 1024;
  BlockPlan blocked = plan(demoChain(), options);
  EXPECT_TRUE(blocked.partials);
  EXPECT_LT(blocked.latencyNs, chosen.latencyNs);
  EXPECT_EQ(chosen.partials, std::nullopt);
  // Here they gain more than 5 %.
  ChainShape deep = {2048, 11008, 1024, 4096, ElementType::BF16};
  deep.inputTransposed = true;
  EXPECT_TRUE(plan(deep).partials);
}

TEST(BlockPlan, takesShortRowsWhereTheyMakeRoomForMoreRowsOfX) {
  // With rows of 1 KiB, half of SBUF holds 256 rows of X at most, and DMA takes
  // half as long again as the tensor engine.
  Machine machine = defaultMachine();
  machine.sbufPartitionBytes /= 2;
  BlockPlan chosen = plan(demoChain(), {}, machine);
  EXPECT_LT(chosen.blockN, 512);
  EXPECT_LT(chosen.dmaNs, chosen.tensorNs);
  EXPECT_LT(chosen.latencyNs * 1.3,
            plan(demoChain(), forcedM(256), machine).latencyNs);
}

TEST(BlockPlan, takesTheLargestBlockMThatFitsWhenDmaLimits) {
  // With k = r = 128, a FLOP moves so many bytes that DMA always limits, and
  // rows of X and O are most of it: a few strips are enough to be within 1 %.
  BlockPlan chosen = plan({4096, 128, 128, 128, ElementType::BF16});
  EXPECT_GT(chosen.dmaNs, chosen.tensorNs);
  BlockPlan larger = plan({4096, 128, 128, 128, ElementType::BF16},
                          forcedM(chosen.blockM + 128));
  EXPECT_GT(larger.latencyNs, chosen.latencyNs * 0.99);
}

TEST(BlockPlan, accumulatesInPsumWhileTheStripFits) {
  // X^T 56 * 512 * 2 = 56 KiB, Y^T 32 * 512 * 2 = 32 KiB, and of V two blocks
  // of 32 * 512 * 2 = 32 KiB, of O two of 4 KiB: 160 of 176 KiB.
  BlockPlan chosen = plan(demoChain(), forcedM(512));
  EXPECT_EQ(chosen.blockK, 7168);
  EXPECT_EQ(chosen.partials, std::nullopt);
  // A multiple of 384 would leave a remainder of r, whose buffer is in the way.
  EXPECT_EQ(chosen.blockR, 256);
  EXPECT_EQ(chosen.blockN, 512);
  EXPECT_EQ(chosen.slotsX, 1);
  EXPECT_EQ(chosen.residentRank, 4096);
  // The rest has room for a raw block of X, 4 * 896 * 2 = 7 KiB.
  EXPECT_TRUE(chosen.prefetchX);
  EXPECT_EQ(chosen.blockX, 896);
  EXPECT_EQ(chosen.sbufPartitionBytes, 167 * KiB);
  EXPECT_TRUE(hasReason(chosen, "brings in X^T for the next"));
}

TEST(BlockPlan, bringsInXEarlyWhereThatHelps) {
  // A single strip has no next one, and where DMA limits, raw blocks of X that
  // wait for transposes would hold up its queue.
  EXPECT_FALSE(plan({512, 7168, 4096, 18432, ElementType::BF16}).prefetchX);
  BlockPlan slow = plan(demoChain(), forcedM(128));
  EXPECT_GT(slow.dmaNs, slow.tensorNs);
  EXPECT_FALSE(slow.prefetchX);
}

TEST(BlockPlan, blocksTheContractionWhenTheStripsFillSbuf) {
  // X^T 112 KiB and Y^T 64 KiB are all of the 176 KiB. Two K blocks of 28
  // tiles: X^T 56 KiB, Y^T 64 KiB, two U blocks of 28 * 512 * 2 = 28 KiB. Sums
  // in f32 would take 128 KiB more.
  BlockPlan chosen = plan(demoChain(), forcedM(1024));
  EXPECT_EQ(chosen.blockK, 3584);
  EXPECT_EQ(chosen.blockR, 512);
  EXPECT_EQ(chosen.partials, ElementType::BF16);
  EXPECT_EQ(chosen.sbufPartitionBytes, 176 * KiB);
  EXPECT_FALSE(chosen.spills(demoChain()));
  EXPECT_TRUE(hasReason(chosen, "2 blocks, partial sums of Y in bf16"));
}

TEST(BlockPlan, keepsPartialSumsInF32IfTheyFit) {
  // r = 512: Y^T 4 * 1024 * 2 = 8 KiB and its sums 16 KiB.
  BlockPlan chosen =
      plan({4096, 16384, 512, 4096, ElementType::BF16}, forcedM(1024));
  EXPECT_LT(chosen.blockK, 16384);
  EXPECT_EQ(chosen.partials, ElementType::F32);
}

TEST(BlockPlan, roundsPartialSumsSeldom) {
  // 489 K blocks would let 8832 rows in, with as many roundings to bf16.
  ChainShape deep = {32768, 500000, 128, 8192, ElementType::BF16};
  EXPECT_EQ(plan(deep).partials, ElementType::F32);
}

TEST(BlockPlan, spillsOnlyWhatDoesNotFitOfAForcedStrip) {
  for (int64_t blockM : {2048, 4096}) {
    BlockPlan chosen = plan(demoChain(), forcedM(blockM));
    EXPECT_TRUE(chosen.spills(demoChain()));
    EXPECT_GT(chosen.residentRank, 0);
    EXPECT_EQ(chosen.residentRank % 128, 0);
    // One tile more would not fit, unless reloading waited for computing.
    EXPECT_EQ(chosen.slotsReload, 2);
    BlockPlan more = chosen;
    more.residentRank += 128;
    ChainShape shape = demoChain();
    PlanningTask task{shape, Strategy::StripCache, TransposeMode::Implicit,
                      defaultMachine()};
    EXPECT_GT(peakPartitionBytes(plannedBuffers(task, more), task.machine),
              176 * KiB);
    EXPECT_TRUE(hasReason(chosen, "spills: "));
  }
}

TEST(BlockPlan, neverSpillsByItself) {
  for (int64_t m : {128, 4096, 32768})
    for (int64_t r : {128, 4096, 20000}) {
      ChainShape shape = {m, 4096, r, 8192, ElementType::BF16};
      EXPECT_FALSE(plan(shape).spills(shape)) << m << " " << r;
    }
}

TEST(BlockPlan, countsSavesAndReloads) {
  // Whole k, forced: each of the 4096 x spilled values of Y^T is saved once and
  // reloaded once for each of the n / block-n block columns.
  Options options = forcedM(1024);
  options.blocks.blockK = 7168;
  BlockPlan chosen = plan(demoChain(), options);
  int64_t spilled = 2 * 4096 * (4096 - chosen.residentRank);
  EXPECT_GT(spilled, 0);
  EXPECT_EQ(chosen.spillSaveBytes, spilled);
  EXPECT_EQ(chosen.spillReloadBytes, spilled * (18432 / chosen.blockN));
}

TEST(BlockPlan, recomputesSquareBlocksOfOneMovingTile) {
  Options options;
  options.strategy = Strategy::Recompute;
  BlockPlan chosen = plan(demoChain(), options);
  EXPECT_EQ(chosen.blockM, 512);
  EXPECT_EQ(chosen.blockN, 512);
  // Both operands of stage one once for each of the 36 block columns.
  EXPECT_EQ(chosen.hbmReadBytes,
            2 * 36 * (4096 * 7168 + 8 * 7168 * 4096L) + 2 * 8 * 4096 * 18432L);

  options.blocks = {256, 0, 0, 1024};
  chosen = plan(demoChain(), options);
  EXPECT_EQ(chosen.blockM, 256);
  EXPECT_EQ(chosen.blockN, 1024);
}

TEST(BlockPlan, readsXAgainOnlyIfItsStripDoesNotFit) {
  ChainShape flat = {4096, 4096, 0, 8192, ElementType::BF16};
  EXPECT_FALSE(plan(flat).rereadX);

  // 224 tiles of k: X^T 224 * 512 * 2 = 224 KiB for 512 rows.
  ChainShape deep = {4096, 28672, 0, 8192, ElementType::BF16};
  BlockPlan chosen = plan(deep, forcedM(512));
  EXPECT_TRUE(chosen.rereadX);
  EXPECT_LT(chosen.blockK, deep.k);
  EXPECT_EQ(chosen.partials, ElementType::F32);
  int64_t columns = (deep.n + chosen.blockN - 1) / chosen.blockN;
  EXPECT_EQ(chosen.hbmBytes(), 2 * (columns * deep.m * deep.k +
                                    8 * deep.k * deep.n + deep.m * deep.n));
}

TEST(BlockPlan, explicitTranspositionCostsTheTensorEngine) {
  Options options = forcedM(512);
  options.transpose = TransposeMode::Explicit;
  // Columns: one for each row of Y^T's 32 tiles.
  EXPECT_NEAR(plan(demoChain(), options).tensorNs -
                  plan(demoChain(), forcedM(512)).tensorNs,
              32 * 4096 * defaultMachine().tensorNsPerColumn, 1);
}

TEST(BlockPlan, transposedXNeedsNoRawBlocks) {
  ChainShape shape = demoChain();
  shape.inputTransposed = true;
  BlockPlan chosen = plan(shape);
  EXPECT_EQ(chosen.blockX, 0);
  EXPECT_EQ(chosen.slotsXRaw, 0);
}

TEST(BlockPlan, clampsForcedBlocksToTheProblem) {
  ChainShape shape = {200, 300, 100, 50, ElementType::F16};
  Options options;
  options.blocks = {1024, 512, 128, 4096};
  BlockPlan chosen = plan(shape, options);
  EXPECT_EQ(chosen.blockM, 200);
  EXPECT_EQ(chosen.blockK, 300);
  EXPECT_EQ(chosen.blockR, 100);
  EXPECT_EQ(chosen.blockN, 50);
}

TEST(BlockPlan, splitsASequentialChain) {
  auto [first, second] = splitSequential(demoChain(), TransposeMode::Implicit);
  EXPECT_EQ(first.n, 4096);
  EXPECT_TRUE(first.outputTransposed);
  EXPECT_EQ(second.k, 4096);
  EXPECT_TRUE(second.inputTransposed);
  EXPECT_TRUE(first.isSingle() && second.isSingle());

  auto [standard, after] =
      splitSequential(demoChain(), TransposeMode::Explicit);
  EXPECT_FALSE(standard.outputTransposed || after.inputTransposed);

  auto [one, two] = splitSequential(BlockRequest{128, 256, 384, 512});
  EXPECT_EQ(one.blockN, 384);
  EXPECT_EQ(one.blockK, 256);
  EXPECT_EQ(two.blockN, 512);
  EXPECT_EQ(two.blockK, 0);
}

TEST(BlockPlan, comparesTheIntensityWithTheRidge) {
  // 2 * 4096 * 4096 * (7168 + 18432) FLOP over 1887436800 bytes.
  BlockPlan chosen = plan(demoChain(), forcedM(512));
  EXPECT_TRUE(hasReason(
      chosen, "arithmetic intensity 455 FLOP/B against a ridge of 306"));
}
