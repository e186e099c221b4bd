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
             llvm::ArrayRef<HostModel::Tokens> calibration,
             const CompressOptions &options, std::vector<FactoredMatrix> &plan,
             ModelWriter &writer)
      : checkpoint(checkpoint), config(checkpoint.config()), options(options),
        threads(options.threads), plan(plan), writer(writer),
        dense(embed(checkpoint, calibration)), factored(dense),
        rotary(config, dense.longest()) {}

  llvm::Error run(HostModel::Progress progress);

private:
  /// `body` for the number of each sequence, after `compute` made its values on
  /// one of several threads.
  template <typename Values>
  void inTurns(llvm::function_ref<Values(size_t)> compute,
               llvm::function_ref<void(size_t, const Values &)> body) const;
  void addAttentionTo(Stream &stream, const Layer &layer);
  FactoredMatrix &matrixOf(int64_t layer, unsigned weight) {
    return plan[layer * 3 + weight];
  }
  /// Writes the factors of gate, up or down, and puts them into `linear`.
  void replace(FactoredMatrix &matrix, const Factors &factors, Linear &linear);
  void factorLayer(int64_t number, Layer &layer);
  void fitLayer(int64_t number, const Layer &layer);
  void fitGateAndUp(int64_t number, Layer &layer);
  void fitDown(int64_t number, const Layer &whole, Layer &layer);

  const Checkpoint &checkpoint;
  const ModelConfig &config;
  const CompressOptions &options;
  unsigned threads;
  std::vector<FactoredMatrix> &plan;
  ModelWriter &writer;
  /// The residual streams of the whole and of the factored model; the second
  /// one is used where factors are fitted.
  Stream dense, factored;
  Rotary rotary;
};
} // namespace

template <typename Values>
void Compressor::inTurns(
    llvm::function_ref<Values(size_t)> compute,
    llvm::function_ref<void(size_t, const Values &)> body) const {
  const size_t atOnce = 16, count = dense.numSequences();
  for (size_t start = 0; start < count; start += atOnce) {
    std::vector<Values> values(std::min(atOnce, count - start));
    forEachOnThreads(values.size(), threads,
                     [&](size_t i) { values[i] = compute(start + i); });
    for (auto [i, own] : llvm::enumerate(values))
      body(start + i, own);
  }
}

void Compressor::addAttentionTo(Stream &stream, const Layer &layer) {
  stream.forEach(threads, [&](size_t, float *x, int64_t rows) {
    addAttention(config, layer, rotary, x, rows);
  });
}

void Compressor::replace(FactoredMatrix &matrix, const Factors &factors,
                         Linear &linear) {
  llvm::StringRef stem =
      llvm::StringRef(matrix.module).drop_back(strlen("proj"));
  writer.write((stem + "v_proj.weight").str(), factors.first);
  writer.write((stem + "u_proj.weight").str(), factors.second);
  matrix.weightError = factors.weightError;
  matrix.outputError = factors.outputError;
  matrix.lastSigma = factors.lastSigma;
  linear.rank = matrix.rank;
  linear.weight = factors.first;
  linear.second = factors.second;
}

//===----------------------------------------------------------------------===//
// Factors of weights
//===----------------------------------------------------------------------===//

void Compressor::factorLayer(int64_t number, Layer &layer) {
  Linear *weights[] = {&layer.gate, &layer.up, &layer.down};
  std::vector<StatisticsSum> sums;
  for (const Linear *weight : weights)
    sums.emplace_back(weight->out, weight->in);
  inTurns<MlpValues>(
      [&](size_t i) {
        return computeMlp(config, layer, dense.rows(i), dense.numRows(i));
      },
      [&](size_t i, const MlpValues &values) {
        int64_t rows = dense.numRows(i);
        sums[0].add(values.normed, values.gate, rows, threads);
        sums[1].add(values.normed, values.up, rows, threads);
        sums[2].add(values.gated, values.down, rows, threads);
        dense.add(i, values.down);
      });
  forEachOnThreads(std::size(weights), threads, [&](size_t i) {
    FactoredMatrix &matrix = matrixOf(number, i);
    if (matrix.keptDense.empty())
      replace(matrix,
              factor(weights[i]->weight, matrix.out, matrix.in, matrix.rank,
                     options.method, sums[i].mean()),
              *weights[i]);
  });
}

//===----------------------------------------------------------------------===//
// Factors that are fitted to the whole model
//===----------------------------------------------------------------------===//

/// From the inputs h' of the factored model to W h of the whole one.
void Compressor::fitGateAndUp(int64_t number, Layer &layer) {
  std::vector<double> own, cross, whole; // h' h'^T, h' h^T, h h^T
  using Inputs = std::pair<std::vector<float>, std::vector<float>>;
  auto normed = [&](Stream &stream, size_t i) {
    return normalize(stream.rows(i), stream.numRows(i), layer.mlpNorm,
                     config.normEpsilon);
  };
  inTurns<Inputs>(
      [&](size_t i) { return Inputs(normed(factored, i), normed(dense, i)); },
      [&](size_t i, const Inputs &inputs) {
        const auto &[fromFactored, fromDense] = inputs;
        int64_t rows = dense.numRows(i);
        addProduct(own, fromFactored, fromFactored, rows, threads);
        addProduct(cross, fromFactored, fromDense, rows, threads);
        addProduct(whole, fromDense, fromDense, rows, threads);
      });
  double tokens = double(dense.starts.back());
  for (std::vector<double> *sum : {&own, &cross, &whole})
    for (double &value : *sum)
      value /= tokens;
  Linear *weights[] = {&layer.gate, &layer.up};
  forEachOnThreads(std::size(weights), threads, [&](size_t i) {
    FactoredMatrix &matrix = matrixOf(number, i);
    if (!matrix.keptDense.empty())
      return;
    FitStatistics statistics =
        mapOutputs(own, cross, whole, weights[i]->weight);
    replace(matrix,
            fitFactors(weights[i]->weight, matrix.out, matrix.in, matrix.rank,
                       *options.closed, statistics),
            *weights[i]);
  });
}

/// From what comes to down in the factored model to what makes its stream that
/// of the whole one.
void Compressor::fitDown(int64_t number, const Layer &whole, Layer &layer) {
  FitStatistics statistics;
  FactoredMatrix &matrix = matrixOf(number, 2);
  struct Values {
    std::vector<float> gated, down, target;
  };
  inTurns<Values>(
      [&](size_t i) {
        int64_t rows = dense.numRows(i);
        const float *x = dense.rows(i), *own = factored.rows(i);
        Values values{computeGated(config, layer, own, rows).gated,
                      computeMlp(config, whole, x, rows).down,
                      {}};
        for (float down : values.down)
          values.target.push_back(down + *x++ - *own++);
        return values;
      },
      [&](size_t i, const Values &values) {
        dense.add(i, values.down);
        if (!matrix.keptDense.empty())
          return;
        int64_t rows = dense.numRows(i);
        addProduct(statistics.inputs, values.gated, values.gated, rows,
                   threads);
        addProduct(statistics.cross, values.gated, values.target, rows,
                   threads);
        for (float value : values.target)
          statistics.outputSquares += double(value) * value;
      });
  if (!matrix.keptDense.empty())
    return;
  double tokens = double(dense.starts.back());
  statistics.outputSquares /= tokens;
  for (std::vector<double> *sum : {&statistics.inputs, &statistics.cross})
    for (double &value : *sum)
      value /= tokens;
  replace(matrix,
          fitFactors(layer.down.weight, matrix.out, matrix.in, matrix.rank,
                     *options.closed, statistics),
          layer.down);
}

void Compressor::fitLayer(int64_t number, const Layer &whole) {
  Layer layer = whole;
  addAttentionTo(factored, layer);
  fitGateAndUp(number, layer);
  fitDown(number, whole, layer);
  factored.forEach(threads, [&](size_t, float *x, int64_t rows) {
    addMlp(config, layer, x, rows);
  });
}

llvm::Error Compressor::run(HostModel::Progress progress) {
  if (llvm::Error error = writer.copyFrom(checkpoint))
    return error;
  for (int64_t number = 0; number < config.layers; ++number) {
    llvm::Expected<Layer> layer = Layer::load(checkpoint, number);
    if (!layer)
      return layer.takeError();
    addAttentionTo(dense, *layer);
    if (options.closed)
      fitLayer(number, *layer);
    else
      factorLayer(number, *layer);
    for (const Stream *stream : {&dense, &factored})
      if (llvm::Error error = stream->checkFinite(number))
        return error;
    progress(number + 1, config.layers);
  }
  return writer.finish();
}

llvm::Error mlir::trn::compressModel(
    const Checkpoint &checkpoint, llvm::ArrayRef<HostModel::Tokens> calibration,
    const CompressOptions &options, std::vector<FactoredMatrix> &plan,
    ModelWriter &writer, HostModel::Progress progress) {
  return Compressor(checkpoint, calibration, options, plan, writer)
      .run(progress);
}
