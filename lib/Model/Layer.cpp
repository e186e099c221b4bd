//===- Layer.cpp - One layer of a language model --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Layer.h"

#include "trn/Model/Attention.h"
#include "trn/Model/Exponentials.h"
#include "trn/Model/Product.h"
#include "trn/Model/Workers.h"
#include <cblas.h>
#include <cmath>

using namespace mlir::trn;

std::vector<float> Linear::applyWithoutBias(const float *x,
                                            int64_t rows) const {
  std::vector<float> y(rows * out);
  if (rank) {
    std::vector<float> middle(rows * rank);
    multiply(rows, rank, in, {x, in}, transposed(weight.data(), in),
             middle.data(), rank);
    multiply(rows, out, rank, {middle.data(), rank},
             transposed(second.data(), rank), y.data(), out);
  } else {
    multiply(rows, out, in, {x, in}, transposed(weight.data(), in), y.data(),
             out);
  }
  return y;
}

std::vector<float> Linear::apply(const float *x, int64_t rows) const {
  std::vector<float> y = applyWithoutBias(x, rows);
  if (!bias.empty())
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < out; ++column)
        y[row * out + column] += bias[column];
  return y;
}

std::vector<float> Linear::multiplyFactors() const {
  std::vector<float> product(out * in);
  const int64_t atOnce = 256;
  forEachOnThreads((out + atOnce - 1) / atOnce, /*threads=*/0, [&](size_t i) {
    const int64_t row = i * atOnce, rows = std::min(atOnce, out - row);
    multiply(rows, in, rank, {second.data() + row * rank, rank},
             {weight.data(), in}, product.data() + row * in, in);
  });
  return product;
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

namespace {
/// Reads the tensors of one layer by what stands behind its number.
class LayerReader {
public:
  LayerReader(const Checkpoint &checkpoint, int64_t layer)
      : checkpoint(checkpoint),
        prefix("model.layers." + std::to_string(layer) + ".") {}

  llvm::Error read(const std::string &name, std::vector<float> &into) const {
    return checkpoint.load(prefix + name).moveInto(into);
  }
  llvm::Error read(const std::string &stem, bool hasBias,
                   Linear &linear) const {
    const auto &ranks = checkpoint.config().ranks;
    auto rank = ranks.find(prefix + stem + "_proj");
    bool isWhole = rank == ranks.end();
    std::string first = stem + (isWhole ? "_proj" : "_v_proj") + ".weight";
    std::string second = stem + "_u_proj.weight";
    ArrayView view = checkpoint.lookup(prefix + first);
    linear.in = view.shape[1];
    linear.out = view.shape[0];
    if (llvm::Error error = read(first, linear.weight))
      return error;
    if (!isWhole) {
      linear.rank = rank->second;
      linear.out = checkpoint.lookup(prefix + second).shape[0];
      if (llvm::Error error = read(second, linear.second))
        return error;
    }
    if (hasBias)
      return read(stem + "_proj.bias", linear.bias);
    return llvm::Error::success();
  }

private:
  const Checkpoint &checkpoint;
  std::string prefix;
};
} // namespace

llvm::Expected<Layer> Layer::load(const Checkpoint &checkpoint, int64_t layer) {
  const ModelConfig &config = checkpoint.config();
  LayerReader reader(checkpoint, layer);
  Layer loaded;
  if (!config.windows.empty())
    loaded.window = config.windows[layer];
  std::vector<std::pair<const char *, std::vector<float> *>> gains{
      {"input_layernorm.weight", &loaded.attentionNorm},
      {"post_attention_layernorm.weight", &loaded.mlpNorm}};
  if (config.headNorms) {
    gains.emplace_back("self_attn.q_norm.weight", &loaded.queryNorm);
    gains.emplace_back("self_attn.k_norm.weight", &loaded.keyNorm);
  }
  for (auto [name, into] : gains)
    if (llvm::Error error = reader.read(name, *into))
      return error;
  const std::tuple<const char *, bool, Linear *> linears[] = {
      {"self_attn.q", config.qkvBias, &loaded.query},
      {"self_attn.k", config.qkvBias, &loaded.key},
      {"self_attn.v", config.qkvBias, &loaded.value},
      {"self_attn.o", false, &loaded.output},
      {"mlp.gate", false, &loaded.gate},
      {"mlp.up", false, &loaded.up},
      {"mlp.down", false, &loaded.down}};
  for (auto [stem, hasBias, into] : linears)
    if (llvm::Error error = reader.read(stem, hasBias, *into))
      return error;
  return loaded;
}

//===----------------------------------------------------------------------===//
// Norms and positions
//===----------------------------------------------------------------------===//

std::vector<float> mlir::trn::normalize(const float *x, int64_t rows,
                                        const std::vector<float> &gains,
                                        double epsilon) {
  const int64_t columns = gains.size();
  std::vector<float> y(rows * columns);
  for (int64_t row = 0; row < rows; ++row, x += columns) {
    float squares = cblas_sdot(columns, x, 1, x, 1);
    float scale = 1 / std::sqrt(squares / float(columns) + float(epsilon));
    for (int64_t column = 0; column < columns; ++column)
      y[row * columns + column] = x[column] * scale * gains[column];
  }
  return y;
}

/// Radians from one position to the next.
static double frequencyOf(const ModelConfig &config, int64_t pair) {
  double frequency =
      std::pow(config.ropeBase, -2.0 * double(pair) / double(config.headDim));
  if (!config.ropeScaling)
    return frequency;
  const RopeScaling &scaling = *config.ropeScaling;
  if (scaling.isLinear)
    return frequency / scaling.factor;
  double length = 2 * M_PI / frequency;
  double ratio = double(scaling.originalPositions) / length;
  if (ratio < scaling.lowFrequencyFactor)
    return frequency / scaling.factor;
  if (ratio > scaling.highFrequencyFactor)
    return frequency;
  double share = (ratio - scaling.lowFrequencyFactor) /
                 (scaling.highFrequencyFactor - scaling.lowFrequencyFactor);
  return frequency * ((1 - share) / scaling.factor + share);
}

Rotary::Rotary(const ModelConfig &config, int64_t positions)
    : half(config.headDim / 2), turnsNeighbours(config.rotatesNeighbours) {
  for (int64_t position = 0; position < positions; ++position)
    for (int64_t pair = 0; pair < half; ++pair) {
      double angle = double(position) * frequencyOf(config, pair);
      cosines.push_back(float(std::cos(angle)));
      sines.push_back(float(std::sin(angle)));
    }
}

void Rotary::turn(float *values, int64_t rows, int64_t heads, int64_t first,
                  float direction) const {
  const int64_t apart = turnsNeighbours ? 1 : half;
  for (int64_t row = first; row < first + rows; ++row)
    for (int64_t head = 0; head < heads; ++head, values += 2 * half)
      for (int64_t pair = 0; pair < half; ++pair) {
        float &a = values[turnsNeighbours ? 2 * pair : pair];
        float &b = *(&a + apart);
        float cosine = cosines[row * half + pair];
        float sine = direction * sines[row * half + pair];
        float turned = a * cosine - b * sine;
        b = a * sine + b * cosine;
        a = turned;
      }
}

//===----------------------------------------------------------------------===//
// Attention and MLP
//===----------------------------------------------------------------------===//

static void add(float *x, const std::vector<float> &values) {
  for (size_t i = 0; i < values.size(); ++i)
    x[i] += values[i];
}

AttentionValues mlir::trn::computeMixed(const ModelConfig &config,
                                        const Layer &layer,
                                        const Rotary &rotary, const float *x,
                                        int64_t rows) {
  AttentionValues values;
  values.normed = normalize(x, rows, layer.attentionNorm, config.normEpsilon);
  values.query = layer.query.apply(values.normed.data(), rows);
  values.key = layer.key.apply(values.normed.data(), rows);
  values.value = layer.value.apply(values.normed.data(), rows);
  const int64_t heads = layer.heads(config), kvHeads = layer.kvHeads(config);
  if (config.headNorms) {
    values.query = normalize(values.query.data(), rows * heads, layer.queryNorm,
                             config.normEpsilon);
    values.key = normalize(values.key.data(), rows * kvHeads, layer.keyNorm,
                           config.normEpsilon);
  }
  rotary.apply(values.query.data(), rows, heads);
  rotary.apply(values.key.data(), rows, kvHeads);
  values.mixed.resize(values.query.size());
  Heads(config.headDim, heads, kvHeads, layer.window, rows)
      .mix(values.query.data(), values.key.data(), values.value.data(),
           values.mixed.data());
  return values;
}

void mlir::trn::addAttention(const ModelConfig &config, const Layer &layer,
                             const Rotary &rotary, float *x, int64_t rows) {
  AttentionValues values = computeMixed(config, layer, rotary, x, rows);
  add(x, layer.output.apply(values.mixed.data(), rows));
}

std::vector<float> mlir::trn::computeGated(const std::vector<float> &gate,
                                           const std::vector<float> &up) {
  std::vector<float> gated(gate.size());
  computeSigmoids(gate.data(), gate.size(), gated.data());
  for (size_t i = 0; i < gated.size(); ++i)
    gated[i] *= gate[i] * up[i];
  return gated;
}

MlpValues mlir::trn::computeGated(const ModelConfig &config, const Layer &layer,
                                  const float *x, int64_t rows) {
  MlpValues values;
  values.normed = normalize(x, rows, layer.mlpNorm, config.normEpsilon);
  values.gate = layer.gate.apply(values.normed.data(), rows);
  values.up = layer.up.apply(values.normed.data(), rows);
  values.gated = computeGated(values.gate, values.up);
  return values;
}

MlpValues mlir::trn::computeMlp(const ModelConfig &config, const Layer &layer,
                                const float *x, int64_t rows) {
  MlpValues values = computeGated(config, layer, x, rows);
  values.down = layer.down.apply(values.gated.data(), rows);
  return values;
}

void mlir::trn::addMlp(const ModelConfig &config, const Layer &layer, float *x,
                       int64_t rows) {
  add(x, computeMlp(config, layer, x, rows).down);
}
