//===- MeasureSpectra.cpp - Singular values of a model's weights ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Curvature.h"
#include "LayerInputs.h"
#include "Statistics.h"
#include "trn/Compress/Allocate.h"
#include "trn/Compress/LayerStore.h"
#include "trn/Model/Stream.h"
#include "trn/Model/Workers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;

/// Runs a layer and sums up what its weights read and write.
static std::vector<StatisticsSum>
watchLayer(const ModelConfig &config, const Layer &layer, const Rotary &rotary,
           Stream &stream, llvm::ArrayRef<const FactoredMatrix *> asked,
           unsigned threads) {
  std::vector<StatisticsSum> sums;
  for (const FactoredMatrix *matrix : asked)
    sums.emplace_back(matrix->out, matrix->in);
  const size_t atOnce = 16, all = stream.numSequences();
  for (size_t start = 0; start < all; start += atOnce) {
    std::vector<LayerInputs> inputs(std::min(atOnce, all - start));
    forEachOnThreads(inputs.size(), threads, [&](size_t i) {
      inputs[i] = runLayer(config, layer, rotary, stream.rows(start + i),
                           stream.numRows(start + i));
    });
    // Each sum by one thread, in the order of the sequences.
    forEachOnThreads(asked.size(), threads, [&](size_t k) {
      const FactoredMatrix &matrix = *asked[k];
      for (auto [i, own] : llvm::enumerate(inputs)) {
        const int64_t rows = stream.numRows(start + i);
        const std::vector<float> &x = own.of(matrix.module);
        std::vector<float> y;
        if (matrix.in >= matrix.out)
          y = linearOf(layer, matrix.module).applyWithoutBias(x.data(), rows);
        sums[k].add(x, y, rows, /*threads=*/1);
      }
    });
  }
  return sums;
}

llvm::Expected<std::vector<Spectrum>> mlir::trn::measureSpectra(
    const Checkpoint &checkpoint, llvm::ArrayRef<HostModel::Tokens> calibration,
    Method method, unsigned threads, llvm::ArrayRef<FactoredMatrix> plan,
    const Curvature *curvature, HostModel::Progress progress) {
  const ModelConfig &config = checkpoint.config();
  Stream stream = embed(checkpoint, calibration);
  Rotary rotary(config, stream.longest());
  std::vector<Spectrum> spectra;
  const int64_t perLayer = plan.size() / config.layers;
  for (int64_t number = 0; number < config.layers; ++number) {
    llvm::Expected<Layer> layer = Layer::load(checkpoint, number);
    if (!layer)
      return layer.takeError();
    std::vector<const FactoredMatrix *> asked;
    std::vector<int64_t> sizes;
    const auto matrices = plan.slice(number * perLayer, perLayer);
    for (const FactoredMatrix &matrix : matrices)
      if (matrix.isFactored()) {
        asked.push_back(&matrix);
        sizes.push_back(std::min(matrix.in, matrix.out));
      }
    std::vector<std::optional<Metric>> metrics;
    if (curvature)
      for (std::optional<Metric> &metric : curvature->metricsOf(
               number, *layer, rotary, stream, matrices,
               [](const FactoredMatrix &own) { return own.isFactored(); }))
        if (metric)
          metrics.push_back(std::move(metric));
    std::vector<StatisticsSum> sums =
        watchLayer(config, *layer, rotary, stream, asked, threads);
    if (llvm::Error error = stream.checkFinite(number))
      return error;
    const size_t first = spectra.size();
    spectra.resize(first + asked.size());
    forEachWeight(sizes, threads, [&](size_t i, unsigned own) {
      const FactoredMatrix &matrix = *asked[i];
      std::vector<float> weight = linearOf(*layer, matrix.module).weight;
      Statistics statistics = sums[i].mean(own);
      if (curvature) {
        Workers workers(own);
        weight = metrics[i]->map(weight, workers);
        metrics[i]->map(statistics, workers);
      }
      spectra[first + i] = {
          matrix.out, matrix.in,
          findSigmas(weight, matrix.out, matrix.in, method, statistics, own)};
    });
    progress(number + 1, config.layers);
  }
  return spectra;
}
