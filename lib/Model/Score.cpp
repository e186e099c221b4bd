//===- Score.cpp - How well a language model knows a text -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Score.h"

#include <cmath>
#include <numeric>

using namespace mlir::trn;

double Perplexity::value() const { return std::exp(nll / double(tokens)); }

llvm::Expected<Perplexity>
mlir::trn::measurePerplexity(const HostModel &model,
                             llvm::ArrayRef<HostModel::Tokens> stories,
                             HostModel::Progress progress) {
  auto losses = model.computeLosses(stories, progress);
  if (!losses)
    return losses.takeError();
  Perplexity perplexity;
  perplexity.stories = stories.size();
  for (const std::vector<float> &story : *losses) {
    perplexity.tokens += story.size();
    perplexity.nll =
        std::accumulate(story.begin(), story.end(), perplexity.nll);
  }
  if (!perplexity.tokens)
    return llvm::createStringError(
        "no token is predicted: all sequences have only their first one");
  return perplexity;
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
  auto *next = losses->data();
  for (const ChoiceItem &item : items) {
    std::vector<double> whole, perByte;
    for (size_t i = 0; i < item.choices.size(); ++i, ++next) {
      whole.push_back(std::accumulate(next->end() - item.choices[i].size(),
                                      next->end(), 0.0));
      perByte.push_back(whole.back() / double(item.lengths[i]));
    }
    accuracy.right += indexOfLeast(whole) == item.answer;
    accuracy.rightPerByte += indexOfLeast(perByte) == item.answer;
  }
  return accuracy;
}
