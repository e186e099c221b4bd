//===- LayerPass.cpp - Gradients of one layer of a model ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayerPass.h"

#include "trn/Model/Workers.h"
#include "trn/Train/Norm.h"
#include <functional>

using namespace mlir::trn;

LayerPass::LayerPass(const ModelConfig &config, const Layer &layer,
                     const Rotary &rotary, const Stream &shape,
                     unsigned threads)
    : config(config), layer(layer), threads(threads), shape(shape),
      rows(shape.starts.back()), hidden(shape.hidden),
      attention(config, layer, rotary, rows), mlp(layer, rows),
      attentionNormed(rows * hidden), middle(rows * hidden),
      mlpNormed(rows * hidden), middleGradient(rows * hidden),
      scratch(rows * hidden) {}

void LayerPass::forEachSequence(llvm::function_ref<void(RowRange)> body) const {
  forEachOnThreads(shape.numSequences(), threads, [&](size_t i) {
    body({shape.starts[i], shape.numRows(i)});
  });
}

namespace {
/// Gradients of weights, each one of which is a sum over all rows and computed
/// on one thread.
class WeightGradients {
public:
  explicit WeightGradients(int64_t rows) : all{0, rows} {}

  /// Of what makes `dy` of `x`; none if it is not trained.
  void add(const LinearPass &pass, const std::vector<float> &x,
           const std::vector<float> &dy, LinearGradient &gradient) {
    if (gradient.weight.empty())
      return;
    tasks.push_back([&, this] {
      pass.addToWeight(x.data(), dy.data(), all, gradient.weight,
                       gradient.ofWeight);
    });
    if (!gradient.second.empty())
      tasks.push_back([&, this] {
        pass.addToSecond(dy.data(), all, gradient.second, gradient.ofSecond);
      });
  }
  void run(unsigned threads) {
    forEachOnThreads(tasks.size(), threads, [&](size_t i) { tasks[i](); });
  }

private:
  RowRange all;
  std::vector<std::function<void()>> tasks;
};
} // namespace

/// Rows of `normalize(x)`.
static void normalizeTo(std::vector<float> &to, const std::vector<float> &x,
                        RowRange rows, const std::vector<float> &gains,
                        double epsilon) {
  const int64_t first = rows.first * gains.size();
  std::vector<float> normed =
      normalize(x.data() + first, rows.count, gains, epsilon);
  std::copy(normed.begin(), normed.end(), to.begin() + first);
}

void LayerPass::forwardAttention(const std::vector<float> &x) {
  forEachSequence([&](RowRange own) {
    normalizeTo(attentionNormed, x, own, layer.attentionNorm,
                config.normEpsilon);
    attention.forward(attentionNormed.data(), middle.data(), own);
    const int64_t end = (own.first + own.count) * hidden;
    for (int64_t i = own.first * hidden; i < end; ++i)
      middle[i] += x[i];
  });
}

void LayerPass::backwardMlp(const std::vector<float> &dx,
                            LayerGradient &gradient) {
  forEachPiece(rows, threads, [&](RowRange own) {
    const int64_t first = own.first * hidden, count = own.count * hidden;
    normalizeTo(mlpNormed, middle, own, layer.mlpNorm, config.normEpsilon);
    mlp.forward(mlpNormed.data(), scratch.data(), own);
    std::fill_n(scratch.begin() + first, count, 0.0f);
    mlp.backward(dx.data(), scratch.data(), own);
    std::copy_n(dx.begin() + first, count, middleGradient.begin() + first);
    backwardNormalize(middle.data() + first, scratch.data() + first, own.count,
                      layer.mlpNorm, config.normEpsilon,
                      middleGradient.data() + first, nullptr);
  });
  auto &[query, key, value, output, gate, up, down] = gradient;
  WeightGradients gradients(rows);
  gradients.add(mlp.gate, mlpNormed, mlp.gateValues, gate);
  gradients.add(mlp.up, mlpNormed, mlp.upValues, up);
  gradients.add(mlp.down, mlp.gated, dx, down);
  gradients.run(threads);
}

void LayerPass::backwardAttention(const std::vector<float> &x,
                                  std::vector<float> &dx,
                                  LayerGradient &gradient) {
  forEachSequence([&](RowRange own) {
    const int64_t first = own.first * hidden, count = own.count * hidden;
    std::fill_n(scratch.begin() + first, count, 0.0f);
    attention.backward(middleGradient.data(), scratch.data(), own);
    std::copy_n(middleGradient.begin() + first, count, dx.begin() + first);
    backwardNormalize(x.data() + first, scratch.data() + first, own.count,
                      layer.attentionNorm, config.normEpsilon,
                      dx.data() + first, nullptr);
  });
  auto &[query, key, value, output, gate, up, down] = gradient;
  WeightGradients gradients(rows);
  gradients.add(attention.query, attentionNormed, attention.queries, query);
  gradients.add(attention.key, attentionNormed, attention.keys, key);
  gradients.add(attention.value, attentionNormed, attention.values, value);
  gradients.add(attention.output, attention.mixed, middleGradient, output);
  gradients.run(threads);
}
