//===- Score.cpp - How well a language model knows a text -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Score.h"

#include "trn/Model/Exponentials.h"

#include <cmath>
#include <numeric>

using namespace mlir::trn;

double Perplexity::value() const { return std::exp(nll / double(tokens)); }

/// Adds up what the tokens of each story cost.
static llvm::Expected<Perplexity>
sumUp(const std::vector<std::vector<float>> &losses) {
  Perplexity perplexity;
  perplexity.stories = losses.size();
  for (const std::vector<float> &story : losses) {
    perplexity.tokens += story.size();
    perplexity.nll =
        std::accumulate(story.begin(), story.end(), perplexity.nll);
  }
  if (!perplexity.tokens)
    return llvm::createStringError(
        "no token is predicted: all sequences have only their first one");
  return perplexity;
}

llvm::Expected<Perplexity>
mlir::trn::measurePerplexity(const HostModel &model,
                             llvm::ArrayRef<HostModel::Tokens> stories,
                             HostModel::Progress progress) {
  auto losses = model.computeLosses(stories, progress);
  return losses ? sumUp(*losses) : losses.takeError();
}

/// The negative logarithm of the probability of a token.
static float computeLoss(llvm::ArrayRef<float> logits, int32_t token) {
  std::vector<float> powers(logits.begin(), logits.end());
  const float most = findHighest(powers.data(), powers.size());
  return most + std::log(exponentiate(powers.data(), powers.size(), most, 1)) -
         logits[token];
}

llvm::Expected<Perplexity>
mlir::trn::measurePerplexity(SequenceLogits model,
                             llvm::ArrayRef<HostModel::Tokens> stories,
                             HostModel::Progress progress) {
  std::vector<std::vector<float>> losses;
  for (const HostModel::Tokens &tokens : stories) {
    llvm::Expected<llvm::ArrayRef<float>> logits = model(tokens);
    if (!logits)
      return logits.takeError();
    const size_t vocabulary = logits->size() / tokens.size();
    std::vector<float> &own = losses.emplace_back();
    for (size_t i = 0; i + 1 < tokens.size(); ++i)
      own.push_back(computeLoss(logits->slice(i * vocabulary, vocabulary),
                                tokens[i + 1]));
    progress(losses.size(), stories.size());
  }
  return sumUp(losses);
}

/// The first of the least.
static int64_t indexOfLeast(const std::vector<double> &values) {
  return std::min_element(values.begin(), values.end()) - values.begin();
}

llvm::Expected<ChoiceAccuracy>
mlir::trn::measureChoices(const HostModel &model,
                          llvm::ArrayRef<ChoiceItem> items,
                          HostModel::Progress progress) {
  std::vector<HostModel::Tokens> sequences;
  for (const ChoiceItem &item : items)
    for (const HostModel::Tokens &choice : item.choices) {
      HostModel::Tokens &tokens = sequences.emplace_back(item.context);
      tokens.insert(tokens.end(), choice.begin(), choice.end());
    }
  auto losses = model.computeLosses(sequences, progress);
  if (!losses)
    return losses.takeError();
  ChoiceAccuracy accuracy;
  accuracy.items = items.size();
  const bool hasLengths = llvm::none_of(
      items, [](const ChoiceItem &item) { return item.lengths.empty(); });
  int64_t rightPerByte = 0;
  auto *next = losses->data();
  for (const ChoiceItem &item : items) {
    std::vector<double> whole, perByte;
    for (size_t i = 0; i < item.choices.size(); ++i, ++next) {
      whole.push_back(std::accumulate(next->end() - item.choices[i].size(),
                                      next->end(), 0.0));
      if (hasLengths)
        perByte.push_back(whole.back() / double(item.lengths[i]));
    }
    accuracy.right += indexOfLeast(whole) == item.answer;
    rightPerByte += hasLengths && indexOfLeast(perByte) == item.answer;
  }
  if (hasLengths)
    accuracy.rightPerByte = rightPerByte;
  return accuracy;
}
