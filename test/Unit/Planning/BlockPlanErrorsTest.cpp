//===- BlockPlanErrorsTest.cpp - What planning refuses --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanningTest.h"
#include "llvm/Support/Regex.h"
#include <limits>
#include <random>

using namespace mlir::trn;

static std::string errorOf(const ChainShape &shape,
                           const Options &options = {}) {
  llvm::Expected<BlockPlan> plan = tryPlan(shape, options);
  if (plan)
    return "no error";
  return llvm::toString(plan.takeError());
}

static Options forced(int64_t m, int64_t k, int64_t r, int64_t n) {
  Options options;
  options.blocks = {m, k, r, n};
  return options;
}

TEST(BlockPlanErrors, emptyDimension) {
  EXPECT_EQ(errorOf({0, 1, 1, 1}), "dimension m is 0, but must be at least 1");
  EXPECT_EQ(errorOf({1, -3, 1, 1}),
            "dimension k is -3, but must be at least 1");
  EXPECT_EQ(errorOf({1, 1, -1, 1}),
            "dimension r is -1, but cannot be negative");
}

TEST(BlockPlanErrors, matrixBeyondAllMemory) {
  int64_t huge = int64_t(1) << 40;
  EXPECT_EQ(errorOf({huge, huge, 1, 1}),
            "X has 1099511627776 x 1099511627776 elements, but a matrix of "
            "more than 2^54 elements cannot be planned");
  EXPECT_EQ(errorOf({huge, 1, huge, 1}),
            "Y has 1099511627776 x 1099511627776 elements, but a matrix of "
            "more than 2^54 elements cannot be planned");
  EXPECT_EQ(errorOf({1, huge, 0, huge}).substr(0, 7), "W has 1");
}

TEST(BlockPlanErrors, blockThatIsNoMultipleOfTheTile) {
  EXPECT_EQ(errorOf(demoChain(), forced(0, 200, 0, 0)),
            "block-k is 200, but must be a multiple of 128 or cover the whole "
            "dimension of 7168; the next one is 256");
  EXPECT_EQ(errorOf({300, 300, 300, 300}, forced(0, 0, 0, 260)),
            "block-n is 260, but must be a multiple of 128 or cover the whole "
            "dimension of 300; the next one is 300");
}

TEST(BlockPlanErrors, negativeBlock) {
  EXPECT_EQ(errorOf(demoChain(), forced(-128, 0, 0, 0)),
            "block-m is -128, but cannot be negative; 0 lets the compiler "
            "choose");
  EXPECT_EQ(errorOf(demoChain(),
                    forced(0, 0, std::numeric_limits<int64_t>::min(), 0)),
            "block-r is -9223372036854775808, but cannot be negative; 0 lets "
            "the compiler choose");
}

TEST(BlockPlanErrors, blockTooLargeForSbufGivesTheSizes) {
  // V: 32 tiles of 18432 bf16.
  EXPECT_EQ(errorOf(demoChain(), forced(0, 0, 0, 18432)),
            "block-n of 18432 is too large for SBUF: 1224704 bytes a partition "
            "are needed, but 180224 are usable (V block [4096 x 18432] "
            "1179648, O block [128 x 18432] 36864, Y^T strip [4096 x 128] "
            "8192); without it, 512 would be chosen");
  EXPECT_EQ(errorOf(demoChain(), forced(0, 7168, 4096, 0)).substr(0, 40),
            "block-r of 4096 is too large for SBUF: 4");
  EXPECT_EQ(
      errorOf({128, 1 << 20, 128, 128}, forced(0, 1 << 20, 0, 0)).substr(0, 43),
      "block-k of 1048576 is too large for SBUF: 4");
}

TEST(BlockPlanErrors, explicitTranspositionAndRecomputationDoNotSpill) {
  Options options = forced(4096, 0, 0, 0);
  options.transpose = TransposeMode::Explicit;
  EXPECT_EQ(errorOf(demoChain(), options).substr(0, 39),
            "block-m of 4096 is too large for SBUF: ");
  options = forced(4096, 0, 0, 0);
  options.strategy = Strategy::Recompute;
  EXPECT_EQ(errorOf(demoChain(), options).substr(0, 39),
            "block-m of 4096 is too large for SBUF: ");
}

TEST(BlockPlanErrors, rankTooLargeForAnyBlock) {
  EXPECT_EQ(errorOf({4096, 4096, 200000, 4096}),
            "no blocks fit SBUF: 800512 bytes a partition are needed, but "
            "180224 are usable (V block [200000 x 128] 400128, Y^T strip "
            "[200000 x 128] 400128, O block [128 x 128] 256); the sequential "
            "strategy needs less");
}

TEST(BlockPlanErrors, sequentialChainInOnePiece) {
  Options options;
  options.strategy = Strategy::Sequential;
  EXPECT_EQ(errorOf(demoChain(), options),
            "a sequential chain is planned as two single products");
}

TEST(BlockPlanErrors, nonsenseNeverCrashes) {
  int64_t values[] = {std::numeric_limits<int64_t>::min(),
                      -1,
                      0,
                      1,
                      127,
                      129,
                      int64_t(1) << 31,
                      (int64_t(1) << 54) - 1,
                      std::numeric_limits<int64_t>::max()};
  for (int64_t m : values)
    for (int64_t k : values)
      for (int64_t r : values)
        for (int64_t n : values)
          for (int64_t block : {int64_t(0), int64_t(128), values[8]}) {
            llvm::Expected<BlockPlan> plan =
                tryPlan({m, k, r, n}, forced(block, block, block, block));
            if (!plan)
              EXPECT_FALSE(llvm::toString(plan.takeError()).empty());
          }
}

TEST(BlockPlanErrors, halfOfASequentialChain) {
  // The rank is the columns of the first product, and its block-r.
  ChainShape first =
      splitSequential({300, 300, 300, 300}, TransposeMode::Implicit).first;
  Options options;
  options.blocks = splitSequential(BlockRequest{0, 0, 260, 0}).first;
  EXPECT_EQ(errorOf(first, options),
            "block-r is 260, but must be a multiple of 128 or cover the whole "
            "dimension of 300; the next one is 300");
}

// A plan can be followed; a refusal names two numbers of which the first is
// larger, and what it advises can be planned.
TEST(BlockPlanErrors, plansAndRefusalsAreTrue) {
  std::mt19937 random(1);
  auto draw = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  llvm::Regex numbers("([0-9]+) bytes a partition are needed, but ([0-9]+)");
  llvm::Regex advice("^block-(.) of .*without it, ([0-9]+) would be chosen$");
  int refused = 0, advised = 0;
  for (int number = 0; number < 1000; ++number) {
    ChainShape shape = {draw(1, 1200), draw(1, 1200), draw(0, 900),
                        draw(1, 900),
                        draw(0, 1) ? ElementType::F32 : ElementType::BF16};
    shape.inputTransposed = draw(0, 1);
    shape.outputTransposed = draw(0, 1);
    Options options;
    options.strategy = draw(0, 3) ? Strategy::StripCache : Strategy::Recompute;
    options.transpose =
        draw(0, 2) ? TransposeMode::Implicit : TransposeMode::Explicit;
    for (int64_t *block : {&options.blocks.blockM, &options.blocks.blockK,
                           &options.blocks.blockR, &options.blocks.blockN})
      *block = draw(0, 1) ? 128 * draw(1, 5) : 0;
    Machine machine = defaultMachine();
    machine.sbufPartitionBytes = 4 * draw(512, 3000);
    llvm::Expected<BlockPlan> plan = tryPlan(shape, options, machine);
    if (plan) {
      EXPECT_EQ(llvm::toString(checkPlan(shape, options.strategy,
                                         options.transpose, *plan, machine)),
                "");
      continue;
    }
    ++refused;
    std::string message = llvm::toString(plan.takeError());
    llvm::SmallVector<llvm::StringRef> found;
    ASSERT_TRUE(numbers.match(message, &found)) << message;
    EXPECT_GT(std::stoll(found[1].str()), std::stoll(found[2].str()))
        << message;
    if (advice.match(message, &found)) {
      ++advised;
      BlockRequest &blocks = options.blocks;
      int64_t &block = found[1] == "m"   ? blocks.blockM
                       : found[1] == "k" ? blocks.blockK
                       : found[1] == "r" ? blocks.blockR
                                         : blocks.blockN;
      block = std::stoll(found[2].str());
    } else if (llvm::StringRef(message).ends_with("strip-cache with implicit "
                                                  "transposition needs less")) {
      ++advised;
      options.strategy = Strategy::StripCache;
      options.transpose = TransposeMode::Implicit;
    } else {
      continue;
    }
    llvm::Expected<BlockPlan> again = tryPlan(shape, options, machine);
    EXPECT_TRUE(bool(again)) << message;
    llvm::consumeError(again.takeError());
  }
  EXPECT_GT(refused, 40);
  EXPECT_GT(advised, 20);
}
