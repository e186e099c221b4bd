//===- Head.cpp - Losses of words and their gradients ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Train/Head.h"

#include "trn/Model/Exponentials.h"
#include "trn/Model/Layer.h"
#include "trn/Model/Product.h"
#include "trn/Train/Norm.h"
#include <cblas.h>
#include <cmath>

using namespace mlir::trn;

llvm::Expected<Head> Head::load(const Checkpoint &checkpoint) {
  const ModelConfig &config = checkpoint.config();
  Head head;
  head.hidden = config.hidden;
  head.vocabulary = config.vocabulary;
  head.epsilon = config.normEpsilon;
  auto gains = checkpoint.load("model.norm.weight");
  if (!gains)
    return gains.takeError();
  auto words = checkpoint.load(config.tiedHead ? "model.embed_tokens.weight"
                                               : "lm_head.weight");
  if (!words)
    return words.takeError();
  head.gains = std::move(*gains);
  head.words = std::move(*words);
  return head;
}

/// Makes logits the gradient of the loss, which it returns.
static float backwardToken(float *logits, int64_t count, int32_t token,
                           float scale) {
  const float highest = findHighest(logits, count),
              target = logits[token] - highest;
  const float sum = exponentiate(logits, count, highest, 1);
  cblas_sscal(count, scale / sum, logits, 1);
  logits[token] -= scale;
  return std::log(sum) - target;
}

/// The same for the divergence from words with the logits `wanted`; `chances`
/// is room for as many.
static float backwardDivergence(float *logits, const float *wanted,
                                float *chances, int64_t count, float scale) {
  const float highest = findHighest(logits, count),
              most = findHighest(wanted, count);
  std::copy_n(wanted, count, chances);
  const float all = exponentiate(chances, count, most, 1);
  // The mean difference of logits, weighed by chances.
  const float mean = (cblas_sdot(count, chances, 1, wanted, 1) -
                      cblas_sdot(count, chances, 1, logits, 1)) /
                     all;
  const float sum = exponentiate(logits, count, highest, 1);
  cblas_sscal(count, scale / sum, logits, 1);
  cblas_saxpy(count, -scale / all, chances, 1, logits, 1);
  return mean - most - std::log(all) + highest + std::log(sum);
}

Head::Buffer Head::computeLogits(const float *normed, int64_t rows) const {
  Buffer logits(new float[rows * vocabulary]);
  multiply(rows, vocabulary, hidden, {normed, hidden},
           transposed(words.data(), hidden), logits.get(), vocabulary);
  return logits;
}

void Head::compute(
    const float *x, int64_t rows, float *dx,
    llvm::function_ref<void(int64_t, float *)> backwardRow) const {
  std::vector<float> y = normalize(x, rows, gains, epsilon);
  Buffer logits = computeLogits(y.data(), rows);
  for (int64_t row = 0; row < rows; ++row)
    backwardRow(row, logits.get() + row * vocabulary);
  multiply(rows, hidden, vocabulary, {logits.get(), vocabulary},
           {words.data(), hidden}, y.data(), hidden);
  std::fill_n(dx, rows * hidden, 0.0f);
  backwardNormalize(x, y.data(), rows, gains, epsilon, dx, nullptr);
}

void Head::computeLosses(const float *x, llvm::ArrayRef<int32_t> tokens,
                         float scale, float *losses, float *dx) const {
  compute(x, tokens.size(), dx, [&](int64_t row, float *logits) {
    if (tokens[row] >= 0) {
      losses[row] = backwardToken(logits, vocabulary, tokens[row], scale);
      return;
    }
    losses[row] = 0;
    std::fill_n(logits, vocabulary, 0.0f);
  });
}

void Head::computeDivergences(const float *x, const float *others, int64_t rows,
                              float scale, float *losses, float *dx) const {
  Buffer wanted = computeLogits(others, rows), chances(new float[vocabulary]);
  compute(x, rows, dx, [&](int64_t row, float *logits) {
    losses[row] = backwardDivergence(logits, wanted.get() + row * vocabulary,
                                     chances.get(), vocabulary, scale);
  });
}
