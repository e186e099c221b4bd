//===- MeasureErrors.cpp - What compressed weights lose ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MeasureErrors.h"

#include "LayerInputs.h"
#include "trn/Model/Stream.h"
#include "trn/Model/Workers.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir::trn;

namespace {
struct Squares {
  double lost = 0, all = 0;

  void add(llvm::ArrayRef<float> wanted, llvm::ArrayRef<float> found) {
    for (auto [y, own] : llvm::zip_equal(wanted, found)) {
      lost += (double(y) - own) * (double(y) - own);
      all += double(y) * y;
    }
  }
};
} // namespace

namespace {
/// What comes to the weights of a layer for a sequence.
struct Sequence {
  const ModelConfig &config;
  const Rotary &rotary;
  std::vector<float> x; // the stream before the layer
  LayerInputs inputs;
  int64_t rows;
};
} // namespace

/// What a weight, or the half that it ends, makes of what comes to it.
static std::vector<float> outputsOf(const FactoredMatrix &matrix,
                                    const Layer &layer,
                                    const Sequence &sequence) {
  const auto &[config, rotary, x, inputs, rows] = sequence;
  const Linear &linear = linearOf(layer, matrix.module);
  if (!matrix.isThin())
    return linear.applyWithoutBias(inputs.of(matrix.module).data(), rows);
  if (!matrix.isOfMlp())
    return linear.applyWithoutBias(
        computeMixed(config, layer, rotary, x.data(), rows).mixed.data(), rows);
  const float *h = inputs.mlp.data();
  return linear.applyWithoutBias(
      computeGated(layer.gate.apply(h, rows), layer.up.apply(h, rows)).data(),
      rows);
}

/// Whether there is an output to compare.
static bool isMeasured(const FactoredMatrix &matrix) {
  return matrix.isThin() ? matrix.losesInputs()
                         : matrix.isFactored() || matrix.isRefitted;
}

static void measureLayer(const ModelConfig &config, const Rotary &rotary,
                         const Layer &whole, const Layer &layer,
                         llvm::MutableArrayRef<FactoredMatrix> matrices,
                         unsigned threads, Stream &stream) {
  const size_t count = stream.numSequences();
  std::vector<std::vector<Squares>> parts(
      count, std::vector<Squares>(matrices.size()));
  stream.forEach(threads, [&](size_t i, float *x, int64_t rows) {
    Sequence sequence{config, rotary, {x, x + rows * config.hidden}, {}, rows};
    sequence.inputs = runLayer(config, whole, rotary, x, rows);
    for (auto [matrix, part] : llvm::zip_equal(matrices, parts[i]))
      if (isMeasured(matrix))
        part.add(outputsOf(matrix, whole, sequence),
                 outputsOf(matrix, layer, sequence));
  });
  for (auto [k, matrix] : llvm::enumerate(matrices)) {
    if (!isMeasured(matrix))
      continue;
    Squares sum;
    for (const std::vector<Squares> &part : parts) {
      sum.lost += part[k].lost;
      sum.all += part[k].all;
    }
    matrix.figures["output_error"] =
        sum.all > 0 ? std::sqrt(sum.lost / sum.all) : 0;
  }
}

llvm::Error
mlir::trn::measureErrors(const Checkpoint &checkpoint,
                         llvm::ArrayRef<HostModel::Tokens> sequences,
                         const LayerStore &store, unsigned threads,
                         std::vector<FactoredMatrix> &plan) {
  const ModelConfig &config = checkpoint.config();
  Stream stream = embed(checkpoint, sequences);
  Rotary rotary(config, stream.longest());
  const int64_t perLayer = plan.size() / config.layers;
  for (int64_t number = 0; number < config.layers; ++number) {
    llvm::Expected<Layer> whole = Layer::load(checkpoint, number);
    if (!whole)
      return whole.takeError();
    Layer layer = *whole;
    auto matrices =
        llvm::MutableArrayRef(plan).slice(number * perLayer, perLayer);
    if (auto record = store.load(number, matrices, layer); !record)
      return record.takeError();
    measureLayer(config, rotary, *whole, layer, matrices, threads, stream);
    if (llvm::Error error = stream.checkFinite(number))
      return error;
  }
  return llvm::Error::success();
}
