//===- ModelPassTest.cpp - Tests of gradients of whole models -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TinyModel.h"
#include "WideModel.h"

#include "trn/Model/HostModel.h"
#include "trn/Train/BackwardLayer.h"
#include "trn/Train/Head.h"
#include "trn/Train/ModelPass.h"

using namespace mlir::trn;

namespace {

const std::vector<HostModel::Tokens> stories = {{1, 5, 19, 7, 5}, {1, 3, 0}};

/// A whole model in f64, behind its embedding.
class WideModel {
public:
  WideModel(const Checkpoint &checkpoint, const std::vector<Layer> &layers)
      : config(checkpoint.config()),
        gains(llvm::cantFail(checkpoint.load("model.norm.weight"))),
        words(llvm::cantFail(checkpoint.load(config.tiedHead
                                                 ? "model.embed_tokens.weight"
                                                 : "lm_head.weight"))) {
    for (const Layer &layer : layers)
      this->layers.emplace_back(config, layer);
  }

  /// Logarithms of the probabilities of all words, for each row.
  Reals predict(Reals x) const {
    for (const WideLayer &layer : layers)
      x = layer.apply(x);
    return predictFrom(normalizeWide(x, gains, config.normEpsilon));
  }
  Reals predictFrom(const Reals &normed) const {
    Reals result;
    const size_t hidden = config.hidden, count = config.vocabulary;
    for (size_t row = 0; row < normed.size(); row += hidden) {
      double sum = 0;
      for (size_t word = 0; word < count; ++word) {
        double logit = 0;
        for (size_t i = 0; i < hidden; ++i)
          logit += normed[row + i] * words[word * hidden + i];
        sum += std::exp(logit);
        result.push_back(logit);
      }
      for (size_t word = 0; word < count; ++word)
        result[result.size() - 1 - word] -= std::log(sum);
    }
    return result;
  }

  std::vector<WideLayer> layers;

private:
  const ModelConfig &config;
  std::vector<float> gains, words;
};

using RowLoss = llvm::function_ref<double(const WideModel &, int64_t row,
                                          llvm::ArrayRef<double>)>;

class ModelGradient : public TinyModel {
protected:
  /// What `lossOf` makes of each row of predictions, added up, from the
  /// embedded stories `x`.
  static double sumLosses(const WideModel &wide, const Stream &shape,
                          const Reals &x, int64_t words, RowLoss lossOf) {
    double sum = 0;
    for (size_t i = 0; i < stories.size(); ++i) {
      const int64_t first = shape.starts[i];
      Reals predicted =
          wide.predict(Reals(x.begin() + first * shape.hidden,
                             x.begin() + shape.starts[i + 1] * shape.hidden));
      for (int64_t row = 0; row < shape.numRows(i); ++row)
        sum += lossOf(wide, first + row,
                      llvm::ArrayRef(predicted).slice(row * words, words));
    }
    return sum;
  }

  /// `backward` makes the stream its gradients; `lossOf` is what it computed of
  /// a row of predictions.
  void check(const ModelConfig &config,
             llvm::function_ref<void(const Head &, Stream &)> backward,
             RowLoss lossOf) {
    Checkpoint checkpoint = make(config);
    std::vector<Layer> layers = loadLayers(checkpoint);
    Stream stream = embed(checkpoint, stories);
    Reals x = widen(stream.values);
    Rotary rotary(checkpoint.config(), stream.longest());
    ModelPass pass(checkpoint.config(), layers, rotary, /*threads=*/2);
    pass.forward(stream);
    backward(llvm::cantFail(Head::load(checkpoint)), stream);
    std::vector<LayerGradient> gradients = makeGradients(layers);
    pass.backward(stream, gradients);
    WideModel wide(checkpoint, layers);
    auto loss = [&] {
      return sumLosses(wide, stream, x, config.vocabulary, lossOf);
    };
    const double tolerance = 5e-5;
    expectGradient(stream.values, x, loss, tolerance);
    for (auto [layer, own] : llvm::zip_equal(wide.layers, gradients)) {
      WideLinear *weights[] = {&layer.query,  &layer.key,  &layer.value,
                               &layer.output, &layer.gate, &layer.up,
                               &layer.down};
      for (auto [weight, gradient] : llvm::zip_equal(weights, own)) {
        EXPECT_EQ(gradient.second.empty(), weight->rank == 0);
        if (!weight->rank)
          continue;
        expectGradient(gradient.weight, weight->weight, loss, tolerance);
        expectGradient(gradient.second, weight->second, loss, tolerance);
      }
    }
  }
};

/// Tokens that come next in both stories.
const std::vector<int32_t> next = {5, 19, 7, 5, -1, 3, 0, -1};

double lossOfText(const WideModel &, int64_t row,
                  llvm::ArrayRef<double> predicted) {
  return next[row] < 0 ? 0 : -predicted[next[row]];
}

TEST_F(ModelGradient, OfTextWithAHeadOfItsOwn) {
  ModelConfig config = makeTinyConfig();
  config.tiedHead = false;
  std::vector<float> losses(next.size());
  check(
      config,
      [&](const Head &head, Stream &stream) {
        std::vector<float> dx(stream.values.size());
        head.computeLosses(stream.values.data(), next, /*scale=*/1,
                           losses.data(), dx.data());
        stream.values = dx;
      },
      lossOfText);
  EXPECT_GT(losses[0], 0);
  EXPECT_EQ(losses[4], 0);
}

/// A bias is added to all rows of an output: its gradient is the sum of theirs.
TEST_F(ModelGradient, OfOutputs) {
  ModelConfig config = makeTinyConfig();
  config.headNorms = true;
  Checkpoint checkpoint = make(config);
  std::vector<Layer> layers = loadLayers(checkpoint);
  auto behind = llvm::cantFail(computeStreamGradients(
      checkpoint, stories, /*threads=*/2, [](size_t, size_t) {}));
  Stream stream = embed(checkpoint, stories);
  const Reals x = widen(stream.values);
  Rotary rotary(config, stream.longest());
  WideModel wide(checkpoint, layers);
  auto loss = [&] {
    return sumLosses(wide, stream, x, config.vocabulary, lossOfText);
  };
  for (auto [layer, own, dx] : llvm::zip_equal(layers, wide.layers, behind)) {
    WideLinear *weights[] = {&own.query, &own.key, &own.value, &own.output,
                             &own.gate,  &own.up,  &own.down};
    std::vector<std::vector<float>> sums(weightsOfLayer);
    backwardLayer(config, layer, rotary, stream, dx, /*threads=*/2,
                  [&](const OutputGradients &outputs, int64_t rows) {
                    for (auto [sum, output, weight] :
                         llvm::zip_equal(sums, outputs, weights)) {
                      ASSERT_EQ(int64_t(output.size()), rows * weight->out);
                      sum.resize(weight->out);
                      for (auto [i, value] : llvm::enumerate(output))
                        sum[i % weight->out] += value;
                    }
                  });
    for (auto [sum, weight] : llvm::zip_equal(sums, weights)) {
      weight->bias.assign(weight->out, 0);
      expectGradient(sum, weight->bias, loss, /*tolerance=*/2e-4);
    }
    stream.forEach(1, [&, &layer = layer](size_t, float *own, int64_t rows) {
      addAttention(config, layer, rotary, own, rows);
      addMlp(config, layer, own, rows);
    });
  }
}

TEST_F(ModelGradient, OfDivergences) {
  ModelConfig config = makeTinyConfig();
  config.headNorms = true;
  const int64_t rows = 8, hidden = config.hidden;
  const std::vector<float> others = drawValues(rows * hidden, 99);
  std::vector<float> losses(rows);
  std::vector<double> wanted(rows);
  check(
      config,
      [&](const Head &head, Stream &stream) {
        std::vector<float> dx(stream.values.size());
        head.computeDivergences(stream.values.data(), others.data(), rows,
                                /*scale=*/1, losses.data(), dx.data());
        stream.values = dx;
      },
      [&](const WideModel &wide, int64_t row,
          llvm::ArrayRef<double> predicted) {
        Reals said =
            wide.predictFrom(Reals(others.begin() + row * hidden,
                                   others.begin() + (row + 1) * hidden));
        double sum = 0;
        for (auto [own, other] : llvm::zip_equal(predicted, said))
          sum += std::exp(other) * (other - own);
        // The last call is with the values that there are.
        return wanted[row] = sum;
      });
  for (int64_t row = 0; row < rows; ++row)
    EXPECT_NEAR(losses[row], wanted[row], 1e-4);
}

} // namespace
