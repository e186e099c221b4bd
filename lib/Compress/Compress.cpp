//===- Compress.cpp - Language models with factored MLPs ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Compress.h"

#include "Statistics.h"
#include "trn/Compress/Rank.h"
#include "trn/Model/Layer.h"
#include "trn/Model/Stream.h"
#include "trn/Model/Workers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir::trn;
using llvm::formatv;

std::vector<FactoredMatrix> mlir::trn::planRanks(const ModelConfig &config,
                                                 const RankChoice &choice) {
  std::vector<FactoredMatrix> plan;
  const int64_t hidden = config.hidden, inter = config.intermediate;
  for (int64_t layer = 0; layer < config.layers; ++layer)
    for (auto [name, out, in] : {std::tuple{"gate", inter, hidden},
                                 {"up", inter, hidden},
                                 {"down", hidden, inter}}) {
      FactoredMatrix matrix{
          formatv("model.layers.{0}.mlp.{1}_proj", layer, name), out, in};
      matrix.rank = choice.rank
                        ? choice.rank
                        : getRankOfRatio(choice.ratio, in, out, choice.block);
      int64_t most = getLargestUsefulRank(in, out);
      if (config.ranks.count(matrix.module))
        matrix.keptDense = "it has factors already";
      else if (matrix.rank > most)
        matrix.keptDense =
            "break-even: the largest useful rank is " + std::to_string(most);
      plan.push_back(std::move(matrix));
    }
  return plan;
}

namespace {
/// Runs a model on its calibration, and replaces the MLP of each layer.
class Compressor {
public:
  Compressor(const Checkpoint &checkpoint,
             llvm::ArrayRef<HostModel::Tokens> calibration, Method method,
             unsigned threads, std::vector<FactoredMatrix> &plan,
             ModelWriter &writer)
      : checkpoint(checkpoint), config(checkpoint.config()), method(method),
        threads(threads), plan(plan), writer(writer),
        stream(embed(checkpoint, calibration)),
        rotary(config, stream.longest()) {}

  llvm::Error run(HostModel::Progress progress);

private:
  void addMlpOfAll(const Layer &layer);
  void factorLayer(int64_t number, const Layer &layer);

  const Checkpoint &checkpoint;
  const ModelConfig &config;
  Method method;
  unsigned threads;
  std::vector<FactoredMatrix> &plan;
  ModelWriter &writer;
  Stream stream;
  Rotary rotary;
  std::vector<StatisticsSum> sums; // gate, up, down of a layer
};
} // namespace

/// The MLP for all sequences, some at a time, and what flows through its
/// weights.
void Compressor::addMlpOfAll(const Layer &layer) {
  const size_t atOnce = 16, count = stream.numSequences();
  for (size_t start = 0; start < count; start += atOnce) {
    std::vector<MlpValues> values(std::min(atOnce, count - start));
    forEachOnThreads(values.size(), threads, [&](size_t i) {
      values[i] = computeMlp(config, layer, stream.rows(start + i),
                             stream.numRows(start + i));
    });
    for (auto [i, own] : llvm::enumerate(values)) {
      int64_t rows = stream.numRows(start + i);
      sums[0].add(own.normed, own.gate, rows, threads);
      sums[1].add(own.normed, own.up, rows, threads);
      sums[2].add(own.gated, own.down, rows, threads);
      float *x = stream.rows(start + i);
      for (float value : own.down)
        *x++ += value;
    }
  }
}

void Compressor::factorLayer(int64_t number, const Layer &layer) {
  const Linear *weights[] = {&layer.gate, &layer.up, &layer.down};
  forEachOnThreads(std::size(weights), threads, [&](size_t i) {
    FactoredMatrix &matrix = plan[number * std::size(weights) + i];
    if (!matrix.keptDense.empty())
      return;
    Factors factors = factor(weights[i]->weight, matrix.out, matrix.in,
                             matrix.rank, method, sums[i].mean());
    llvm::StringRef stem = llvm::StringRef(matrix.module).drop_back(4);
    writer.write((stem + "v_proj.weight").str(), factors.first);
    writer.write((stem + "u_proj.weight").str(), factors.second);
    matrix.weightError = factors.weightError;
    matrix.outputError = factors.outputError;
    matrix.lastSigma = factors.lastSigma;
  });
}

llvm::Error Compressor::run(HostModel::Progress progress) {
  writer.copyFrom(checkpoint);
  for (int64_t number = 0; number < config.layers; ++number) {
    Layer layer = Layer::load(checkpoint, number);
    stream.forEach(threads, [&](size_t, float *x, int64_t rows) {
      addAttention(config, layer, rotary, x, rows);
    });
    sums.clear();
    for (const Linear *weight : {&layer.gate, &layer.up, &layer.down})
      sums.emplace_back(weight->out, weight->in);
    addMlpOfAll(layer);
    if (llvm::Error error = stream.checkFinite(number))
      return error;
    factorLayer(number, layer);
    progress(number + 1, config.layers);
  }
  return writer.finish();
}

llvm::Error mlir::trn::compressModel(
    const Checkpoint &checkpoint, llvm::ArrayRef<HostModel::Tokens> calibration,
    Method method, unsigned threads, std::vector<FactoredMatrix> &plan,
    ModelWriter &writer, HostModel::Progress progress) {
  return Compressor(checkpoint, calibration, method, threads, plan, writer)
      .run(progress);
}
