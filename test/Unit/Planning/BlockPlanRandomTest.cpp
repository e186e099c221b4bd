//===- BlockPlanRandomTest.cpp - Properties of every plan -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOracle.h"
#include "PlanningTest.h"
#include <cmath>
#include <ctime>
#include <random>

using namespace mlir::trn;

namespace {
struct RandomCases : testing::Test {
  std::mt19937 generator{17};

  int64_t below(int64_t limit) { return generator() % limit; }
  /// From 1 to `limit`, each order of magnitude as often as the next.
  int64_t size(int64_t limit) {
    double exponent = std::uniform_real_distribution<>(
        0, std::log(double(limit) + 1))(generator);
    return std::clamp<int64_t>(std::exp(exponent), 1, limit);
  }
  ChainShape shape(int64_t limit) {
    ChainShape shape{size(limit), size(limit), size(limit / 4), size(limit)};
    if (below(4) == 0)
      shape.r = 0;
    shape.type = ElementType(below(3));
    shape.inputTransposed = below(2);
    shape.outputTransposed = below(2);
    return shape;
  }
  int64_t block() { return below(3) ? 0 : 128 * (1 + below(12)); }
  Options options() {
    Options options;
    options.strategy = below(3) ? Strategy::StripCache : Strategy::Recompute;
    options.transpose = TransposeMode(below(2));
    options.blocks = {block(), block(), block(), block()};
    return options;
  }
};
} // namespace

static void expectBlock(int64_t block, int64_t asked, int64_t dimension) {
  EXPECT_GE(block, 1);
  EXPECT_TRUE(block == dimension || (block < dimension && block % 128 == 0))
      << block << " of " << dimension;
  if (asked)
    EXPECT_EQ(block, std::min(asked, dimension));
}

static void expectSound(const ChainShape &shape, const Options &options,
                        const BlockPlan &plan) {
  const Machine &machine = defaultMachine();
  PlanningTask task{shape, options.strategy, options.transpose, machine};
  expectBlock(plan.blockM, options.blocks.blockM, shape.m);
  expectBlock(plan.blockK, options.blocks.blockK, shape.k);
  expectBlock(plan.blockN, options.blocks.blockN, shape.n);
  if (!shape.isSingle())
    expectBlock(plan.blockR, options.blocks.blockR, shape.r);
  if (!shape.inputTransposed)
    expectBlock(plan.blockX, 0, plan.blockK);
  EXPECT_EQ(plan.blockX == 0, shape.inputTransposed);
  EXPECT_EQ(plan.partials.has_value(), plan.blockK < shape.k);
  EXPECT_EQ(plan.residentRank % 128 == 0 || plan.residentRank == shape.r, true);

  PlannedBuffers buffers = plannedBuffers(task, plan);
  EXPECT_EQ(plan.sbufPartitionBytes, placedPartitionBytes(buffers, machine));
  EXPECT_LE(plan.sbufPartitionBytes, machine.sbufPartitionBytes);
  EXPECT_GE(plan.sbufPartitionBytes, peakPartitionBytes(buffers, machine));
  EXPECT_FALSE(plan.reasons.empty());
}

TEST_F(RandomCases, plansAreSound) {
  int planned = 0;
  for (int i = 0; i < 2000; ++i) {
    ChainShape shape = this->shape(40000);
    Options options = this->options();
    SCOPED_TRACE(testing::Message()
                 << "case " << i << ": " << shape.m << " " << shape.k << " "
                 << shape.r << " " << shape.n);
    llvm::Expected<BlockPlan> plan = tryPlan(shape, options);
    if (!plan) {
      llvm::consumeError(plan.takeError());
      continue;
    }
    ++planned;
    expectSound(shape, options, *plan);
  }
  EXPECT_GT(planned, 1500);
}

static void expectModelOfLoops(const PlanningTask &task,
                               const BlockPlan &plan) {
  LoopOracle oracle(task, plan);
  EXPECT_EQ(plan.hbmReadBytes, oracle.readBytes);
  EXPECT_EQ(plan.hbmWriteBytes, oracle.writeBytes);
  EXPECT_NEAR(plan.tensorNs, oracle.tensorNs(), 1e-9 * plan.tensorNs + 1);
  EXPECT_NEAR(plan.dmaNs, oracle.dmaNs(), 1e-9 * plan.dmaNs + 1);
}

TEST_F(RandomCases, modelEqualsTheLoops) {
  int blocked = 0, reread = 0;
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(i);
    ChainShape shape = this->shape(3000);
    Options options = this->options();
    // A small SBUF makes blocked contractions common.
    Machine machine = defaultMachine();
    machine.sbufPartitionBytes = 8192 << below(4);
    llvm::Expected<BlockPlan> plan = tryPlan(shape, options, machine);
    if (!plan) {
      llvm::consumeError(plan.takeError());
      continue;
    }
    blocked += plan->partials.has_value();
    reread += plan->rereadX;
    expectModelOfLoops({shape, options.strategy, options.transpose, machine},
                       *plan);
  }
  EXPECT_GT(blocked, 20);
  EXPECT_GT(reread, 5);
}

TEST_F(RandomCases, modelOfSpillsEqualsTheLoops) {
  int spilled = 0, blocked = 0;
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    ChainShape shape = {600 + below(2000), 1 + below(2000), 129 + below(1500),
                        1 + below(2000)};
    shape.inputTransposed = below(2);
    shape.outputTransposed = below(2);
    Machine machine = defaultMachine();
    machine.sbufPartitionBytes = 8192 << below(3);
    llvm::Expected<BlockPlan> plan =
        tryPlan(shape, forcedM(512 + 128 * below(8)), machine);
    if (!plan) {
      llvm::consumeError(plan.takeError());
      continue;
    }
    spilled += plan->spills(shape);
    blocked += plan->spills(shape) && plan->partials;
    expectModelOfLoops(
        {shape, Strategy::StripCache, TransposeMode::Implicit, machine}, *plan);
  }
  EXPECT_GT(spilled, 30);
  EXPECT_GT(blocked, 5);
}

TEST_F(RandomCases, everyChainOfModerateRankHasAPlan) {
  for (int i = 0; i < 500; ++i) {
    ChainShape shape = this->shape(32768);
    shape.k = size(500000);
    plan(shape);
  }
}

TEST_F(RandomCases, moreRowsNeverMoveMoreBytes) {
  for (int i = 0; i < 50; ++i) {
    ChainShape shape = this->shape(8000);
    if (shape.isSingle())
      continue;
    int64_t before = std::numeric_limits<int64_t>::max();
    for (int64_t blockM = 128; blockM <= 1024; blockM += 128) {
      llvm::Expected<BlockPlan> plan = tryPlan(shape, forcedM(blockM));
      if (!plan) {
        llvm::consumeError(plan.takeError());
        break;
      }
      if (plan->spills(shape))
        break;
      EXPECT_LE(plan->hbmBytes(), before);
      before = plan->hbmBytes();
    }
  }
}

TEST_F(RandomCases, moreSbufIsNeverMuchSlower) {
  // It can be somewhat slower: a whole contraction that just fits is taken even
  // though blocks of it would leave room for longer rows of U and a second slot
  // of X.
  for (int i = 0; i < 200; ++i) {
    ChainShape shape = this->shape(20000);
    Machine machine = defaultMachine();
    double before = std::numeric_limits<double>::infinity();
    for (int64_t kib : {64, 128, 176, 256, 512}) {
      machine.sbufPartitionBytes = kib * 1024;
      llvm::Expected<BlockPlan> plan = tryPlan(shape, {}, machine);
      if (!plan) {
        llvm::consumeError(plan.takeError());
        continue;
      }
      double time = plan->latencyNs;
      EXPECT_LE(time, before * 1.3) << "case " << i << ", " << kib << " KiB";
      before = std::min(before, time);
    }
  }
}

TEST_F(RandomCases, planningIsFast) {
  std::clock_t begin = std::clock();
  for (ChainShape shape :
       {ChainShape{32768, 128, 128, 131072}, ChainShape{32768, 500000, 0, 8192},
        ChainShape{1 << 20, 64, 0, 1 << 20}, ChainShape{32768, 64, 1, 1 << 20},
        demoChain()})
    plan(shape);
  double seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_LT(seconds, 0.25) << "five plans, at most 50 ms each";
}
