//===- HostModel.cpp - A language model on the host -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/HostModel.h"

#include "trn/Model/Exponentials.h"
#include "trn/Model/Layer.h"
#include "trn/Model/Product.h"
#include "trn/Model/Stream.h"
#include "trn/Model/Workers.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;

llvm::Error
mlir::trn::checkTokens(const ModelConfig &config,
                       llvm::ArrayRef<HostModel::Tokens> sequences) {
  for (auto [number, tokens] : llvm::enumerate(sequences)) {
    if (tokens.empty() || int64_t(tokens.size()) > config.maxPositions)
      return createStringError(
          formatv("sequence {0} has {1} tokens, but must have 1 to {2}", number,
                  tokens.size(), config.maxPositions));
    for (int32_t token : tokens)
      if (token < 0 || token >= config.vocabulary)
        return createStringError(
            formatv("token {0} of sequence {1} is outside of the vocabulary of "
                    "{2}",
                    token, number, config.vocabulary));
  }
  return llvm::Error::success();
}

namespace {
/// The logarithm of a sum of exponentials that is not complete yet, and the
/// logit of the token that came.
struct Loss {
  float most = -INFINITY, sum = 0, target = 0;

  /// Leaves no logits behind.
  void add(float *logits, int64_t count) {
    float highest = std::max(most, findHighest(logits, count));
    float part = exponentiate(logits, count, highest, 1);
    sum = sum * std::exp(most - highest) + part;
    most = highest;
  }
  float value() const { return most + std::log(sum) - target; }
};
} // namespace

/// For each row of the stream of some sequences, the token that comes next, or
/// -1 for the last ones.
static std::vector<int32_t>
listTargets(llvm::ArrayRef<HostModel::Tokens> sequences) {
  std::vector<int32_t> targets;
  for (const HostModel::Tokens &tokens : sequences) {
    targets.insert(targets.end(), tokens.begin() + 1, tokens.end());
    targets.push_back(-1);
  }
  return targets;
}

/// Logits of some words of the vocabulary at a time, for all tokens.
static llvm::Error addLogits(const Checkpoint &checkpoint, Stream &stream,
                             llvm::ArrayRef<int32_t> targets,
                             std::vector<Loss> &losses, unsigned threads,
                             HostModel::Progress progress) {
  const ModelConfig &config = checkpoint.config();
  const char *head =
      config.tiedHead ? "model.embed_tokens.weight" : "lm_head.weight";
  const int64_t hidden = config.hidden, chunk = 1024;
  for (int64_t first = 0; first < config.vocabulary; first += chunk) {
    int64_t count = std::min(chunk, config.vocabulary - first);
    llvm::Expected<std::vector<float>> words =
        checkpoint.loadRows(head, first, count);
    if (!words)
      return words.takeError();
    stream.forEachBlock(threads, [&](size_t start, float *x, int64_t rows) {
      std::unique_ptr<float[]> logits(new float[rows * count]);
      multiply(rows, count, hidden, {x, hidden},
               transposed(words->data(), hidden), logits.get(), count);
      for (int64_t row = 0; row < rows; ++row) {
        float *own = logits.get() + row * count;
        Loss &loss = losses[start + row];
        if (int64_t word = targets[start + row] - first;
            word >= 0 && word < count)
          loss.target = own[word];
        loss.add(own, count);
      }
    });
    progress(first + count, config.vocabulary);
  }
  return llvm::Error::success();
}

llvm::Expected<Stream>
HostModel::computeOutputs(llvm::ArrayRef<Tokens> sequences,
                          Progress progress) const {
  if (llvm::Error error = checkTokens(config(), sequences))
    return error;
  Stream stream = embed(checkpoint, sequences);
  if (!llvm::all_of(stream.values, [](float v) { return std::isfinite(v); }))
    return checkpoint.load("model.embed_tokens.weight").takeError();
  Rotary rotary(config(), stream.longest());
  for (int64_t number = 0; number < config().layers; ++number) {
    llvm::Expected<Layer> layer = Layer::load(checkpoint, number);
    if (!layer)
      return layer.takeError();
    stream.forEach(threads, [&](size_t, float *x, int64_t rows) {
      addAttention(config(), *layer, rotary, x, rows);
    });
    stream.forEachBlock(threads, [&](size_t, float *x, int64_t rows) {
      addMlp(config(), *layer, x, rows);
    });
    if (llvm::Error error = stream.checkFinite(number))
      return error;
    progress(number + 1, config().layers);
  }
  llvm::Expected<std::vector<float>> gains =
      checkpoint.load("model.norm.weight");
  if (!gains)
    return gains.takeError();
  stream.forEachBlock(threads, [&](size_t, float *x, int64_t rows) {
    std::vector<float> y = normalize(x, rows, *gains, config().normEpsilon);
    std::copy(y.begin(), y.end(), x);
  });
  return stream;
}

llvm::Expected<std::vector<std::vector<float>>>
HostModel::computeLosses(llvm::ArrayRef<Tokens> sequences,
                         Progress progress) const {
  // The head takes about as long as all layers.
  const size_t half = config().layers, total = 2 * half;
  llvm::Expected<Stream> stream = computeOutputs(
      sequences, [&](size_t done, size_t) { progress(done, total); });
  if (!stream)
    return stream.takeError();
  std::vector<Loss> losses(stream->starts.back());
  if (llvm::Error error =
          addLogits(checkpoint, *stream, listTargets(sequences), losses,
                    threads, [&](size_t done, size_t all) {
                      progress(half + half * done / all, total);
                    }))
    return error;
  std::vector<std::vector<float>> result(sequences.size());
  for (auto [number, tokens] : llvm::enumerate(sequences))
    for (size_t i = 0; i + 1 < tokens.size(); ++i) {
      float loss = losses[stream->starts[number] + i].value();
      if (!std::isfinite(loss))
        return createStringError(formatv(
            "a logit of token {0} of sequence {1} is not finite", i, number));
      result[number].push_back(loss);
    }
  return result;
}
