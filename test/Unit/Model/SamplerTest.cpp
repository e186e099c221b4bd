//===- SamplerTest.cpp - Tests of drawn tokens ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Sampler.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::trn;

namespace {

/// Logits of tokens with these probabilities.
std::vector<float> logitsOf(std::vector<float> probabilities) {
  for (float &value : probabilities)
    value = std::log(value) + 3; // the same for all changes nothing
  return probabilities;
}

/// How often each token is drawn, as a share.
std::vector<double> draw(const SamplerOptions &options,
                         const std::vector<float> &logits, int count = 40000) {
  Sampler sampler(options);
  std::vector<double> shares(logits.size());
  for (int i = 0; i < count; ++i)
    shares[sampler.draw(logits)] += 1.0 / count;
  return shares;
}

void expectShares(const std::vector<double> &found,
                  const std::vector<double> &wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i] == 0)
      EXPECT_EQ(found[i], 0) << i;
    else
      EXPECT_NEAR(found[i], wanted[i], 0.01) << i;
}

const std::vector<float> four = logitsOf({0.1f, 0.4f, 0.2f, 0.3f});

TEST(Sampler, GreedyTakesTheFirstOfTheMostProbable) {
  EXPECT_EQ(Sampler({}).draw({1, 3, 2, 3}), 1);
  EXPECT_EQ(Sampler({}).draw({-5}), 0);
}

TEST(Sampler, DrawsAsProbable) {
  expectShares(draw({1.0}, four), {0.1, 0.4, 0.2, 0.3});
}

TEST(Sampler, TemperatureIsAPower) {
  // 0.01, 0.16, 0.04 and 0.09 of 0.3.
  expectShares(draw({0.5}, four), {0.033, 0.533, 0.133, 0.3});
  expectShares(draw({1e-300}, four), {0, 1, 0, 0});
  expectShares(draw({1e300}, four), {0.25, 0.25, 0.25, 0.25});
}

TEST(Sampler, TopKLeavesTheMostProbable) {
  expectShares(draw({1.0, /*topK=*/2}, four), {0, 4 / 7., 0, 3 / 7.});
  expectShares(draw({1.0, /*topK=*/9}, four), {0.1, 0.4, 0.2, 0.3});
  expectShares(draw({1.0, /*topK=*/2}, logitsOf({0.2f, 0.4f, 0.2f, 0.2f})),
               {1 / 3., 2 / 3., 0, 0}); // the first of equals
}

TEST(Sampler, TopPLeavesTheFewestThatAddUp) {
  expectShares(draw({1.0, 0, /*topP=*/0.6}, four), {0, 4 / 7., 0, 3 / 7.});
  expectShares(draw({1.0, 0, /*topP=*/0.75}, four),
               {0, 4 / 9., 2 / 9., 3 / 9.});
  expectShares(draw({1.0, 0, /*topP=*/1e-9}, four), {0, 1, 0, 0});
  expectShares(draw({1.0, 0, /*topP=*/0.999}, four), {0.1, 0.4, 0.2, 0.3});
}

TEST(Sampler, OrderIsTemperatureThenTopKThenTopP) {
  // Squares of which 2 are left: 0.64 and 0.36. Top-p first would leave both.
  expectShares(draw({0.5, /*topK=*/2, /*topP=*/0.6}, four), {0, 1, 0, 0});
  expectShares(draw({0.5, /*topK=*/2, /*topP=*/0.65}, four),
               {0, 0.64, 0, 0.36});
}

TEST(Sampler, SeedsGiveTheSameTokensEverywhere) {
  std::vector<int32_t> drawn;
  for (uint64_t seed : {0, 1}) {
    Sampler sampler({1.0, 0, 1, seed});
    for (int i = 0; i < 8; ++i)
      drawn.push_back(sampler.draw(four));
  }
  // mt19937_64 gives 0.16, 0.99, 0.04, 0.60, 0.54, 0.06 and so on for seed 0.
  EXPECT_EQ(drawn, (std::vector<int32_t>{1, 3, 0, 2, 2, 0, 2, 1, //
                                         1, 1, 1, 0, 1, 3, 1, 0}));
}

TEST(Sampler, ImprobableTokensAreNotDrawn) {
  std::vector<float> logits(1000, -1e30f);
  logits[777] = 1;
  EXPECT_NEAR(draw({1.0}, logits, 100)[777], 1, 1e-9);
}

TEST(Sampler, OptionsOutOfRange) {
  auto refusal = [](SamplerOptions options) {
    return llvm::toString(options.check());
  };
  EXPECT_EQ(refusal({0, 0, 1}), "");
  EXPECT_EQ(refusal({-1}),
            "the temperature is -1.00, but must be a number of at least 0");
  EXPECT_EQ(refusal({INFINITY}),
            "the temperature is INF, but must be a number of at least 0");
  EXPECT_EQ(refusal({NAN}),
            "the temperature is nan, but must be a number of at least 0");
  EXPECT_EQ(refusal({1, -2}),
            "top-k is -2, but must be at least 1, or 0 for all");
  for (auto [topP, text] : {std::pair(0.0, "0.00"), {1.5, "1.50"}})
    EXPECT_EQ(refusal({1, 0, topP}), std::string("top-p is ") + text +
                                         ", but must be above 0 and at most 1");
}

} // namespace
