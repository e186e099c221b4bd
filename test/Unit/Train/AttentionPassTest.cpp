//===- AttentionPassTest.cpp - Tests of gradients of attention ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WideModel.h"

#include "trn/Train/AttentionPass.h"

using namespace mlir::trn;

namespace {

/// Grouped heads.
ModelConfig makeConfig() {
  ModelConfig config;
  config.hidden = 10;
  config.heads = 4;
  config.kvHeads = 2;
  config.headDim = 6;
  return config;
}

/// Ranks of query, key, value and output; 0 where they are whole.
Layer drawLayer(const ModelConfig &config,
                const std::array<int64_t, 4> &ranks) {
  const int64_t hidden = config.hidden, wide = config.heads * config.headDim,
                narrow = config.kvHeads * config.headDim;
  Layer layer;
  layer.query = drawLinear(hidden, wide, ranks[0], config.qkvBias, 10);
  layer.key = drawLinear(hidden, narrow, ranks[1], config.qkvBias, 20);
  layer.value = drawLinear(hidden, narrow, ranks[2], config.qkvBias, 30);
  layer.output = drawLinear(wide, hidden, ranks[3], /*hasBias=*/false, 40);
  if (config.headNorms) {
    layer.queryNorm = drawValues(config.headDim, 50);
    layer.keyNorm = drawValues(config.headDim, 60);
  }
  return layer;
}

/// Two sequences, of which a thread each may take care.
constexpr RowRange sequences[] = {{0, 5}, {5, 3}};

void checkAttention(const ModelConfig &config, const Layer &layer) {
  const int64_t rows = 8, hidden = config.hidden;
  std::vector<float> h = drawValues(rows * hidden, 1),
                     dy = drawValues(rows * hidden, 2), y(rows * hidden),
                     dh(rows * hidden);
  Rotary rotary(config, rows);
  AttentionPass pass(config, layer, rotary, rows);
  for (RowRange sequence : sequences) {
    pass.forward(h.data(), y.data(), sequence);
    pass.backward(dy.data(), dh.data(), sequence);
  }
  WideLayer wide(config, layer);
  Reals wideH = widen(h);
  auto loss = [&] {
    double sum = 0;
    for (auto [first, count] : sequences) {
      Reals made = wide.attend(Reals(wideH.begin() + first * hidden,
                                     wideH.begin() + (first + count) * hidden));
      for (size_t i = 0; i < made.size(); ++i)
        sum += made[i] * dy[first * hidden + i];
    }
    return sum;
  };
  expectGradient(dh, wideH, loss);
  const RowRange all{0, rows};
  auto expectFactors = [&](const Linear &linear, const LinearPass &linearPass,
                           const std::vector<float> &x,
                           const std::vector<float> &gradient,
                           WideLinear &values) {
    LinearGradient found(linear);
    linearPass.addTo(x.data(), gradient.data(), all, found);
    expectGradient(found.weight, values.weight, loss);
    if (linear.rank)
      expectGradient(found.second, values.second, loss);
  };
  expectFactors(layer.query, pass.query, h, pass.queries, wide.query);
  expectFactors(layer.key, pass.key, h, pass.keys, wide.key);
  expectFactors(layer.value, pass.value, h, pass.values, wide.value);
  expectFactors(layer.output, pass.output, pass.mixed, dy, wide.output);
}

TEST(AttentionPass, GroupedHeads) {
  ModelConfig config = makeConfig();
  checkAttention(config, drawLayer(config, {0, 0, 0, 0}));
}

TEST(AttentionPass, Factored) {
  ModelConfig config = makeConfig();
  config.rotatesNeighbours = true;
  checkAttention(config, drawLayer(config, {3, 4, 2, 5}));
}

TEST(AttentionPass, BiasesAndHeadNorms) {
  ModelConfig config = makeConfig();
  config.qkvBias = config.headNorms = true;
  config.normEpsilon = 0.05; // large enough to count
  checkAttention(config, drawLayer(config, {0, 3, 0, 0}));
}

TEST(AttentionPass, SlidingWindow) {
  ModelConfig config = makeConfig();
  Layer layer = drawLayer(config, {0, 0, 0, 0});
  layer.window = 3;
  checkAttention(config, layer);
}

/// More rows than are weighed at a time.
TEST(AttentionPass, BlocksOfRows) {
  ModelConfig config = makeConfig();
  config.heads = config.kvHeads = 1;
  config.headDim = 2;
  config.hidden = 2;
  Layer layer = drawLayer(config, {0, 0, 0, 0});
  const int64_t rows = 70;
  std::vector<float> h = drawValues(rows * 2, 1), dy = drawValues(rows * 2, 2),
                     y(rows * 2), dh(rows * 2);
  Rotary rotary(config, rows);
  AttentionPass pass(config, layer, rotary, rows);
  pass.forward(h.data(), y.data(), {0, rows});
  pass.backward(dy.data(), dh.data(), {0, rows});
  WideLayer wide(config, layer);
  Reals wideH = widen(h);
  expectGradient(dh, wideH, [&] { return dot(dy, wide.attend(wideH)); });
}

} // namespace
