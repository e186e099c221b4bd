//===- NeedsTest.cpp - What a compression will take -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Needs.h"
#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

/// Llama 3.2 1B with fewer layers.
static ModelConfig makeConfig() {
  ModelConfig config;
  config.hidden = 2048;
  config.intermediate = 8192;
  config.layers = 2;
  config.heads = 32;
  config.kvHeads = 8;
  config.headDim = 64;
  config.vocabulary = 512;
  config.maxPositions = 256;
  return config;
}

static Needs estimate(const CompressOptions &options, int64_t tokens) {
  ModelConfig config = makeConfig();
  RankChoice choice;
  choice.rank = 1280;
  auto plan = llvm::cantFail(planRanks(config, choice));
  return estimateNeeds(config, plan, options, {tokens, 256});
}

TEST(Needs, MemoryIsThatOfOneLayer) {
  // The program (100 MB), a layer in f32 (243), two streams (537), inter^2
  // (537) and three times inter x hidden in f64 (403).
  Needs needs = estimate({}, 32768);
  EXPECT_NEAR(double(needs.memoryBytes) * 1e-9, 1.82, 0.02);
  // One stream only, and matrices of the smaller sides.
  CompressOptions plain;
  plain.fit = std::nullopt;
  EXPECT_LT(estimate(plain, 32768).memoryBytes, 1'200'000'000);
  // Streams grow with tokens.
  EXPECT_EQ(estimate({}, 65536).memoryBytes - needs.memoryBytes,
            2 * 32768 * 2048 * 4);
}

TEST(Needs, TooLittleMemoryIsRefused) {
  Needs needs;
  EXPECT_FALSE(checkMemory(needs));
  needs.memoryBytes = int64_t(1) << 60;
  std::string problem = llvm::toString(checkMemory(needs));
  EXPECT_TRUE(llvm::StringRef(problem).starts_with(
      "not enough memory: about 1152921504.61 GB are needed (estimated), but "))
      << problem;
}
