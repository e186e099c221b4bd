//===- GenerateTest.cpp - Tests of the loop that generates tokens ---------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Generate.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

/// A model of 10 tokens that counts on from the last one.
class Counter {
public:
  llvm::Expected<llvm::ArrayRef<float>> next(llvm::ArrayRef<int32_t> tokens) {
    if (tokens.back() == 9)
      return llvm::createStringError("9 is the last");
    fed.push_back(tokens.vec());
    logits.assign(10, 0);
    logits[tokens.back() + 1] = 1;
    return llvm::ArrayRef(logits);
  }

  std::vector<std::vector<int32_t>> fed;

private:
  std::vector<float> logits;
};

struct Outcome {
  std::vector<int32_t> tokens, seen;
  Ending ending = Ending::Count;
  std::vector<std::vector<int32_t>> fed;
  std::string error;
};

Outcome run(std::vector<int32_t> prompt, GenerateOptions options,
            int32_t lastWanted = -1) {
  Counter counter;
  Outcome outcome;
  auto result = generate(
      [&](llvm::ArrayRef<int32_t> tokens) { return counter.next(tokens); },
      prompt, options,
      [&](int32_t token) {
        outcome.seen.push_back(token);
        return token != lastWanted;
      });
  outcome.fed = counter.fed;
  if (!result) {
    outcome.error = llvm::toString(result.takeError());
    return outcome;
  }
  outcome.tokens = result->tokens;
  outcome.ending = result->ending;
  EXPECT_EQ(outcome.tokens, outcome.seen);
  return outcome;
}

using Tokens = std::vector<int32_t>;

TEST(Generate, FeedsThePromptAndThenWhatItDrew) {
  Outcome found =
      run({0, 1, 2}, {/*count=*/3, /*context=*/20, /*vocabulary=*/10});
  EXPECT_EQ(found.tokens, (Tokens{3, 4, 5}));
  EXPECT_EQ(found.ending, Ending::Count);
  EXPECT_EQ(found.fed, (std::vector<Tokens>{{0, 1, 2}, {3}, {4}}));
}

TEST(Generate, EndsAtTokensThatAreNotPartOfTheText) {
  Outcome found = run(
      {0}, {/*count=*/9, /*context=*/20, /*vocabulary=*/10, /*ends=*/{7, 4}});
  EXPECT_EQ(found.tokens, (Tokens{1, 2, 3}));
  EXPECT_EQ(found.ending, Ending::Token);
}

TEST(Generate, EndsWhereTheContextIsFull) {
  // Of the last token nothing is computed.
  Outcome found = run({0, 1}, {/*count=*/9, /*context=*/4, /*vocabulary=*/10});
  EXPECT_EQ(found.tokens, (Tokens{2, 3, 4}));
  EXPECT_EQ(found.ending, Ending::Context);
  found = run({0, 1}, {/*count=*/3, /*context=*/4, /*vocabulary=*/10});
  EXPECT_EQ(found.ending, Ending::Count);
}

TEST(Generate, EndsWhenNobodyListens) {
  Outcome found = run({0}, {/*count=*/9, /*context=*/20, /*vocabulary=*/10},
                      /*lastWanted=*/2);
  EXPECT_EQ(found.tokens, (Tokens{1, 2}));
  EXPECT_EQ(found.ending, Ending::Sink);
}

TEST(Generate, Refusals) {
  EXPECT_EQ(run({0}, {/*count=*/0, /*context=*/4, /*vocabulary=*/10}).error,
            "0 tokens are requested, but at least 1 is needed");
  for (int32_t token : {-1, 10})
    EXPECT_EQ(
        run({1, token}, {/*count=*/1, /*context=*/4, /*vocabulary=*/10}).error,
        "token " + std::to_string(token) +
            " of the prompt is outside of the vocabulary of 10");
  EXPECT_EQ(run({}, {/*count=*/1, /*context=*/4, /*vocabulary=*/10}).error,
            "the prompt has no token");
  EXPECT_EQ(
      run({0, 1, 2, 3, 4}, {/*count=*/1, /*context=*/4, /*vocabulary=*/10})
          .error,
      "the prompt has 5 tokens, but the model takes 4 at most; shorten "
      "it");
  EXPECT_EQ(run({0}, {1, 4, 10, {}, {/*temperature=*/-1}}).error,
            "the temperature is -1.00, but must be a number of at least 0");
  Outcome found = run({7}, {/*count=*/5, /*context=*/20, /*vocabulary=*/10});
  EXPECT_EQ(found.error, "9 is the last");
  EXPECT_EQ(found.seen, (Tokens{8, 9}));
}

} // namespace
