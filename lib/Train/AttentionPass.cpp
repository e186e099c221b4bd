//===- AttentionPass.cpp - Attention.cpp ----------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Train/AttentionPass.h"

#include "trn/Model/Attention.h"
#include "trn/Model/Product.h"
#include "trn/Train/Norm.h"
#include <cblas.h>

using namespace mlir::trn;

AttentionPass::AttentionPass(const ModelConfig &config, const Layer &layer,
                             const Rotary &rotary, int64_t rows)
    : query(layer.query, rows), key(layer.key, rows), value(layer.value, rows),
      output(layer.output, rows), queries(rows * layer.query.out),
      keys(rows * layer.key.out), values(rows * layer.value.out),
      mixed(rows * layer.output.in), config(config), layer(layer),
      rotary(rotary), mixedGradients(mixed.size()) {
  if (config.headNorms) {
    plainQueries.resize(queries.size());
    plainKeys.resize(keys.size());
  }
}

AttentionPass::Rows AttentionPass::rowsOf(RowRange sequence) {
  const int64_t first = sequence.first, queryFirst = first * layer.query.out,
                keyFirst = first * layer.key.out;
  Rows rows{queries.data() + queryFirst,
            keys.data() + keyFirst,
            values.data() + keyFirst,
            mixed.data() + first * layer.output.in,
            nullptr,
            nullptr};
  if (config.headNorms) {
    rows.plainQuery = plainQueries.data() + queryFirst;
    rows.plainKey = plainKeys.data() + keyFirst;
  }
  return rows;
}

/// Norms of heads; what they were before lies in `plain` then.
static void normalizeHeads(float *heads, float *plain, int64_t count,
                           const std::vector<float> &gains, double epsilon) {
  std::vector<float> normed = normalize(heads, count, gains, epsilon);
  std::copy_n(heads, normed.size(), plain);
  std::copy(normed.begin(), normed.end(), heads);
}

void AttentionPass::forward(const float *h, float *y, RowRange sequence) {
  query.forward(h, queries.data(), sequence);
  key.forward(h, keys.data(), sequence);
  value.forward(h, values.data(), sequence);
  Rows own = rowsOf(sequence);
  const int64_t rows = sequence.count;
  if (config.headNorms) {
    normalizeHeads(own.query, own.plainQuery, rows * layer.heads(config),
                   layer.queryNorm, config.normEpsilon);
    normalizeHeads(own.key, own.plainKey, rows * layer.kvHeads(config),
                   layer.keyNorm, config.normEpsilon);
  }
  rotary.apply(own.query, rows, layer.heads(config));
  rotary.apply(own.key, rows, layer.kvHeads(config));
  Heads(config.headDim, layer.heads(config), layer.kvHeads(config),
        layer.window, rows)
      .mix(own.query, own.key, own.value, own.mixed);
  output.forward(mixed.data(), y, sequence);
}

/// With shares p = softmax(s) and their gradients dp: ds = p (dp - p dp).
static void backwardSoftmax(const float *weights, float *gradients,
                            int64_t rows, int64_t columns, float scale) {
  for (int64_t row = 0; row < rows; ++row) {
    float along = cblas_sdot(columns, weights, 1, gradients, 1);
    for (int64_t i = 0; i < columns; ++i)
      gradients[i] = weights[i] * (gradients[i] - along) * scale;
    weights += columns;
    gradients += columns;
  }
}

void AttentionPass::backwardMix(const Rows &rows, const float *dMixed,
                                RowRange sequence) {
  Heads heads(config.headDim, layer.heads(config), layer.kvHeads(config),
              layer.window, sequence.count);
  const int64_t width = heads.width, queryPitch = heads.queryPitch(),
                keyPitch = heads.keyPitch();
  std::vector<float> dQuery(sequence.count * queryPitch),
      dKey(sequence.count * keyPitch), dValue(dKey.size()), shares;
  heads.forEachBlock([&](const HeadBlock &block, float *weights) {
    const int64_t count = block.count, seen = block.seen(),
                  at = heads.queryOffset(block), from = heads.keyOffset(block);
    heads.weigh(block, rows.query, rows.key, weights);
    const ProductFactor dRows{dMixed + at, queryPitch};
    multiply(seen, width, count, transposed(weights, seen), dRows,
             dValue.data() + from, keyPitch, /*kept=*/1);
    shares.resize(count * seen);
    multiply(count, seen, width, dRows, transposed(rows.value + from, keyPitch),
             shares.data(), seen);
    backwardSoftmax(weights, shares.data(), count, seen, heads.scale());
    multiply(count, width, seen, {shares.data(), seen},
             {rows.key + from, keyPitch}, dQuery.data() + at, queryPitch);
    multiply(seen, width, count, transposed(shares.data(), seen),
             {rows.query + at, queryPitch}, dKey.data() + from, keyPitch,
             /*kept=*/1);
  });
  std::copy(dQuery.begin(), dQuery.end(), rows.query);
  std::copy(dKey.begin(), dKey.end(), rows.key);
  std::copy(dValue.begin(), dValue.end(), rows.value);
}

void AttentionPass::backwardHeads(float *gradients, const float *plain,
                                  int64_t rows, int64_t heads,
                                  const std::vector<float> &gains) const {
  rotary.applyBackward(gradients, rows, heads);
  if (!config.headNorms)
    return;
  std::vector<float> inner(rows * heads * config.headDim);
  backwardNormalize(plain, gradients, rows * heads, gains, config.normEpsilon,
                    inner.data(), nullptr);
  std::copy(inner.begin(), inner.end(), gradients);
}

void AttentionPass::backward(const float *dy, float *dh, RowRange sequence) {
  Rows own = rowsOf(sequence);
  float *dMixed = mixedGradients.data() + sequence.first * layer.output.in;
  std::fill_n(dMixed, sequence.count * layer.output.in, 0);
  output.backward(dy, mixedGradients.data(), sequence);
  backwardMix(own, dMixed, sequence);
  backwardHeads(own.query, own.plainQuery, sequence.count, layer.heads(config),
                layer.queryNorm);
  backwardHeads(own.key, own.plainKey, sequence.count, layer.kvHeads(config),
                layer.keyNorm);
  query.backward(queries.data(), dh, sequence);
  key.backward(keys.data(), dh, sequence);
  value.backward(values.data(), dh, sequence);
}
