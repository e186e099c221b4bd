//===- CheckPlanTest.cpp - Which plans loops can be made for --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanningTest.h"
#include <limits>

using namespace mlir::trn;

static const ChainShape chain = {600, 300, 260, 520};
static const ChainShape single = {600, 300, 0, 520};

/// What is wrong with the planner's answer for `shape` after `change`.
template <typename Change>
static std::string errorAfter(const ChainShape &shape, Change change,
                              const Options &options = {}) {
  BlockPlan edited = plan(shape, options);
  change(edited);
  return llvm::toString(checkPlan(shape, options.strategy, options.transpose,
                                  edited, defaultMachine()));
}

TEST(CheckPlan, acceptsWhatThePlannerChooses) {
  auto nothing = [](BlockPlan &) {};
  Options recompute{Strategy::Recompute, TransposeMode::Explicit, {}};
  for (const ChainShape &shape : {chain, single})
    for (const Options &options : {Options(), recompute, forcedM(256)})
      EXPECT_EQ(errorAfter(shape, nothing, options), "");
}

TEST(CheckPlan, sizes) {
  auto sized = [](int64_t BlockPlan::*field, int64_t size) {
    return [=](BlockPlan &plan) { plan.*field = size; };
  };
  EXPECT_EQ(errorAfter(chain, sized(&BlockPlan::blockK, 0)),
            "block_k is 0, but must be 300 or a multiple of 128 below that");
  EXPECT_EQ(errorAfter(chain, sized(&BlockPlan::blockM, 100)),
            "block_m is 100, but must be 600 or a multiple of 128 below that");
  EXPECT_EQ(
      errorAfter(chain, sized(&BlockPlan::blockN,
                              std::numeric_limits<int64_t>::max())),
      "block_n is 9223372036854775807, but must be 520 or a multiple of 128 "
      "below that");
  EXPECT_EQ(errorAfter(chain, sized(&BlockPlan::blockR, 384)),
            "block_r is 384, but must be 260 or a multiple of 128 below that");
  EXPECT_EQ(errorAfter(chain, sized(&BlockPlan::blockX, 0)),
            "block_x is 0, but must be 300 or a multiple of 128 below that");
  EXPECT_EQ(errorAfter(chain, sized(&BlockPlan::residentRank, 200)),
            "resident_rank is 200, but must be 260 or a multiple of 128 below "
            "that");
}

TEST(CheckPlan, spills) {
  Options options{Strategy::StripCache, TransposeMode::Explicit, {}};
  EXPECT_EQ(
      errorAfter(
          chain, [](BlockPlan &plan) { plan.residentRank = 128; }, options),
      "resident_rank is 128 of 260, but only a strip-cache with implicit "
      "transposition spills");
}

TEST(CheckPlan, partialSums) {
  auto blocked = [](BlockPlan &plan) { plan.blockK = plan.blockX = 128; };
  EXPECT_EQ(errorAfter(chain, blocked),
            "partials is missing, but block_k of 128 makes partial sums of "
            "300");
  EXPECT_EQ(errorAfter(chain,
                       [&](BlockPlan &plan) {
                         blocked(plan);
                         plan.partials = ElementType::F16;
                       }),
            "partials is f16, but sums are f32 or bf16");
  EXPECT_EQ(errorAfter(single,
                       [&](BlockPlan &plan) {
                         blocked(plan);
                         plan.partials = ElementType::F32;
                       }),
            "reread_x is missing, but a single product with a block_k of 128 "
            "of 300 reads X again");
  EXPECT_EQ(errorAfter(chain, [](BlockPlan &plan) { plan.rereadX = true; }),
            "reread_x is set, but only a single product reads X again");
}
