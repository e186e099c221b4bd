//===- TrainFactors.cpp - Train the factors of a model --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Train/TrainFactors.h"

#include "FactorStep.h"
#include "trn/Model/Workers.h"
#include "trn/Train/Head.h"
#include "trn/Train/ModelPass.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <numeric>
#include <random>

using namespace mlir::trn;
using Tokens = HostModel::Tokens;

llvm::StringRef mlir::trn::stringify(Objective objective) {
  return objective == Objective::Text ? "text" : "dense";
}

namespace {
/// All numbers below `count` in some order, then all in another one, and so on.
class Deck {
public:
  explicit Deck(size_t count) : cards(count), next(count) {
    std::iota(cards.begin(), cards.end(), 0);
  }
  size_t draw() {
    if (next == cards.size()) {
      for (size_t i = cards.size(); i > 1; --i)
        std::swap(cards[i - 1], cards[random() % i]);
      next = 0;
    }
    return cards[next++];
  }

private:
  std::vector<size_t> cards;
  size_t next;
  std::mt19937 random;
};

class Trainer {
public:
  Trainer(const Checkpoint &dense, std::vector<Layer> &layers,
          llvm::ArrayRef<Tokens> stories, const TrainOptions &options,
          Head head, Stream outputs)
      : dense(dense), config(dense.config()), stories(stories),
        options(options), head(std::move(head)), outputs(std::move(outputs)),
        rotary(config, longest(stories)),
        pass(config, layers, rotary, options.threads),
        zeros(makeGradients(layers, options.frozen, options.whole)),
        factors(layers, options.adapterRank, zeros), deck(stories.size()) {}

  llvm::Expected<TrainResult> run(HostModel::Progress progress);

private:
  static int64_t longest(llvm::ArrayRef<Tokens> stories) {
    size_t most = 0;
    for (const Tokens &story : stories)
      most = std::max(most, story.size());
    return most;
  }
  /// Rises in the first tenth, while Adam knows little, then falls to 0.
  double rateOf(int64_t step) const {
    double rise = double(step + 1) / (0.1 * double(options.steps) + 1);
    return std::min(rise, 1.0) * cosineRate(step, options.steps);
  }
  /// One step; the mean loss before it.
  double step(double rate);
  /// The mean loss of all rows of the stream of some stories, which become its
  /// gradients.
  double backwardHead(llvm::ArrayRef<size_t> batch, Stream &stream);

  const Checkpoint &dense;
  const ModelConfig &config;
  llvm::ArrayRef<Tokens> stories;
  const TrainOptions &options;
  Head head;
  Stream outputs; // of the dense model, if they are wanted
  Rotary rotary;
  ModelPass pass;
  std::vector<LayerGradient> zeros;
  FactorSteps factors;
  Deck deck;
};
} // namespace

double Trainer::backwardHead(llvm::ArrayRef<size_t> batch, Stream &stream) {
  const int64_t rows = stream.starts.back(), hidden = stream.hidden;
  std::vector<int32_t> tokens;
  std::vector<float> wanted;
  int64_t counted = rows;
  for (size_t story : batch)
    if (options.objective == Objective::Dense) {
      wanted.insert(wanted.end(), outputs.rows(story),
                    outputs.rows(story) + outputs.numRows(story) * hidden);
    } else {
      tokens.insert(tokens.end(), stories[story].begin() + 1,
                    stories[story].end());
      tokens.push_back(-1);
      --counted;
    }
  counted = std::max<int64_t>(counted, 1);
  const float scale = 1 / float(counted);
  std::vector<float> losses(rows);
  forEachPiece(rows, options.threads, [&](RowRange own) {
    float *x = stream.values.data() + own.first * hidden;
    std::vector<float> dx(own.count * hidden);
    if (options.objective == Objective::Dense)
      head.computeDivergences(x, wanted.data() + own.first * hidden, own.count,
                              scale, losses.data() + own.first, dx.data());
    else
      head.computeLosses(x, llvm::ArrayRef(tokens).slice(own.first, own.count),
                         scale, losses.data() + own.first, dx.data());
    std::copy(dx.begin(), dx.end(), x);
  });
  return std::accumulate(losses.begin(), losses.end(), 0.0) / double(counted);
}

double Trainer::step(double rate) {
  std::vector<size_t> batch;
  std::vector<Tokens> sequences;
  for (int64_t i = 0; i < options.storiesPerStep; ++i) {
    batch.push_back(deck.draw());
    sequences.push_back(stories[batch.back()]);
  }
  Stream stream = embed(dense, sequences);
  pass.forward(stream);
  double loss = backwardHead(batch, stream);
  std::vector<LayerGradient> gradients = zeros;
  pass.backward(stream, gradients);
  factors.step(gradients, rate, options.threads);
  return loss;
}

llvm::Expected<TrainResult> Trainer::run(HostModel::Progress progress) {
  TrainResult result;
  for (int64_t number = 0; number < options.steps; ++number) {
    double loss = step(options.rate * rateOf(number));
    if (!std::isfinite(loss))
      return llvm::createStringError(llvm::formatv(
          "the loss of step {0} is not finite; train with smaller steps",
          number));
    result.losses.push_back(loss);
    progress(config.layers + number + 1, config.layers + options.steps);
  }
  result.updates = factors.updates(config);
  return result;
}

llvm::Expected<TrainResult>
mlir::trn::trainFactors(const Checkpoint &dense, std::vector<Layer> &layers,
                        llvm::ArrayRef<Tokens> stories,
                        const TrainOptions &options,
                        HostModel::Progress progress) {
  llvm::Expected<Head> head = Head::load(dense);
  if (!head)
    return head.takeError();
  Stream outputs;
  if (options.objective == Objective::Dense) {
    auto computed =
        HostModel(dense, options.threads)
            .computeOutputs(stories, [&](size_t done, size_t layers) {
              progress(done, layers + options.steps);
            });
    if (!computed)
      return computed.takeError();
    outputs = std::move(*computed);
  } else if (llvm::Error error = checkTokens(dense.config(), stories)) {
    return error;
  }
  return Trainer(dense, layers, stories, options, std::move(*head),
                 std::move(outputs))
      .run(progress);
}
