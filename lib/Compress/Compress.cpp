//===- Compress.cpp - Language models with factored weights ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Compress.h"

#include "Compressor.h"
#include "PlaceFactors.h"
#include "Statistics.h"

using namespace mlir::trn;

HalfInputs Compressor::inputsOf(const Half &half, const Layer &layer,
                                const float *x, int64_t rows) const {
  if (half.isAttention) {
    AttentionValues values = computeMixed(config, layer, rotary, x, rows);
    return {std::move(values.normed), std::move(values.mixed)};
  }
  MlpValues values = computeGated(config, layer, x, rows);
  return {std::move(values.normed), std::move(values.gated)};
}

void Compressor::addHalf(const Half &half, const Layer &layer,
                         Stream &stream) const {
  stream.forEach(threads, [&](size_t, float *x, int64_t rows) {
    if (half.isAttention)
      addAttention(config, layer, rotary, x, rows);
    else
      addMlp(config, layer, x, rows);
  });
}

void mlir::trn::forEachMatrix(
    llvm::ArrayRef<FactoredMatrix *> matrices, const FactorOptions &options,
    llvm::function_ref<void(size_t, const FactorOptions &)> body) {
  std::vector<int64_t> sizes;
  for (const FactoredMatrix *matrix : matrices)
    sizes.push_back(std::min(matrix->in, matrix->out));
  forEachWeight(sizes, options.threads, [&](size_t i, unsigned threads) {
    FactorOptions own = options;
    own.threads = threads;
    body(i, own);
  });
}

//===----------------------------------------------------------------------===//
// Factors of weights
//===----------------------------------------------------------------------===//

/// While the stream is what comes to layer `number`.
void Compressor::makeMetrics(int64_t number, const Layer &whole) {
  metrics.clear();
  if (!curvature)
    return;
  metrics = curvature->metricsOf(
      number, whole, rotary, dense,
      llvm::ArrayRef(plan).slice(number * perLayer, perLayer),
      [](const FactoredMatrix &matrix) { return matrix.isFactored(); });
}

/// `body` makes factors of a weight, or, with a metric, of what that makes of
/// it.
Factors Compressor::factorInMetric(
    const FactoredMatrix &matrix, llvm::ArrayRef<float> weight,
    const FactorOptions &factoring,
    llvm::function_ref<Factors(llvm::ArrayRef<float>, const Metric *)> body)
    const {
  if (metrics.empty())
    return body(weight, nullptr);
  const Metric &metric = *metrics[(&matrix - plan.data()) % perLayer];
  Workers workers(factoring.threads);
  Factors factors = body(metric.map(weight, workers), &metric);
  metric.undo(factors, weight, factoring.side, workers);
  return factors;
}

namespace {
/// Weights of a half for which the same is to be known.
struct Watched {
  StatisticsSum sum;
  bool isLast, byInputs;
  llvm::SmallVector<FactoredMatrix *, 2> matrices;
};
} // namespace

/// Those that know their inputs best share what the readers know of them.
static std::vector<Watched> listWatched(const Half &half) {
  std::vector<Watched> watched;
  for (FactoredMatrix &matrix : half.readers) {
    if (!matrix.isFactored())
      continue;
    bool byInputs = matrix.in < matrix.out;
    auto same = llvm::find_if(watched, [&](const Watched &other) {
      return byInputs && other.byInputs;
    });
    if (same != watched.end())
      same->matrices.push_back(&matrix);
    else
      watched.push_back({{matrix.out, matrix.in}, false, byInputs, {&matrix}});
  }
  if (FactoredMatrix &last = half.last; last.isFactored())
    watched.push_back({{last.out, last.in}, true, last.in < last.out, {&last}});
  return watched;
}

void Compressor::factorHalf(const Half &half, Layer &layer) {
  std::vector<Watched> watched = listWatched(half);
  struct Values {
    HalfInputs inputs;
    std::vector<std::vector<float>> outputs; // of what is watched by them
    std::vector<float> added;
  };
  const Linear &last = linearOf(layer, half.last.module);
  inTurns<Values>(
      [&](size_t i) {
        int64_t rows = dense.numRows(i);
        Values values{inputsOf(half, layer, dense.rows(i), rows), {}, {}};
        values.added = last.apply(values.inputs.mixed.data(), rows);
        for (const Watched &own : watched) {
          std::vector<float> &outputs = values.outputs.emplace_back();
          if (own.isLast)
            outputs = values.added;
          else if (!own.byInputs)
            outputs = linearOf(layer, own.matrices[0]->module)
                          .applyWithoutBias(values.inputs.normed.data(), rows);
        }
        return values;
      },
      [&](size_t i, const Values &values) {
        for (auto [own, outputs] : llvm::zip_equal(watched, values.outputs))
          own.sum.add(own.isLast ? values.inputs.mixed : values.inputs.normed,
                      outputs, dense.numRows(i), threads);
        dense.add(i, values.added);
      });
  std::vector<FactoredMatrix *> matrices;
  std::vector<const Watched *> knowing;
  for (const Watched &own : watched)
    for (FactoredMatrix *matrix : own.matrices) {
      matrices.push_back(matrix);
      knowing.push_back(&own);
    }
  forEachMatrix(
      matrices, options.factoring,
      [&](size_t k, const FactorOptions &factoring) {
        FactoredMatrix &matrix = *matrices[k];
        Linear &linear = linearOf(layer, matrix.module);
        Statistics statistics = knowing[k]->sum.mean(factoring.threads);
        auto make = [&](llvm::ArrayRef<float> weight, const Metric *metric) {
          Workers workers(factoring.threads);
          if (metric)
            metric->map(statistics, workers);
          return factor(weight, matrix.out, matrix.in, matrix.rank,
                        options.method, statistics, factoring);
        };
        placeFactors(matrix,
                     factorInMetric(matrix, linear.weight, factoring, make),
                     linear);
      });
}

//===----------------------------------------------------------------------===//
// Layer by layer
//===----------------------------------------------------------------------===//

void Compressor::compressHalf(const Half &half, const Layer &whole,
                              Layer &layer, bool isOwn,
                              llvm::json::Object &record) {
  if (!half.isAsked() || !isOwn) {
    addHalf(half, whole, dense);
  } else if (options.fit || half.last.isThin()) {
    const bool isPolished = options.polish && !half.isAttention;
    const Stream before = isPolished ? dense : Stream();
    if (half.last.isThin() && half.isAttention) {
      cutHeads(half, whole, layer, record);
    } else if (half.last.isThin()) {
      cutNeurons(half, whole, layer, record);
    } else {
      fitReaders(half, whole, layer);
      fitLast(half, whole, layer);
    }
    if (isPolished)
      polish(half, whole, layer, before, record);
  } else {
    factorHalf(half, layer);
  }
  if (options.fit)
    addHalf(half, layer, factored);
}

llvm::Error Compressor::run(const LayerStore &store,
                            HostModel::Progress progress) {
  // Nobody may find a layer done that another has just written.
  std::vector<bool> done(config.layers);
  for (int64_t number = 0; number < config.layers; ++number)
    done[number] = store.contains(number);
  team.wait();
  for (int64_t number = 0; number < config.layers; ++number) {
    llvm::Expected<Layer> loaded = Layer::load(checkpoint, number);
    if (!loaded)
      return loaded.takeError();
    const Layer &whole = *loaded;
    Layer layer = whole;
    auto matrices =
        llvm::MutableArrayRef(plan).slice(number * perLayer, perLayer);
    const Half halves[] = {
        {true, whole.attentionNorm, matrices.take_front(3), matrices[3]},
        {false, whole.mlpNorm, matrices.slice(4, 2), matrices[6]}};
    if (options.fit) // to what the whole layer has, which is enough to keep
      for (const FactoredMatrix &matrix : matrices)
        if (matrix.isFactored())
          linearOf(layer, matrix.module).weight = std::vector<float>();
    if (done[number])
      if (auto record = store.load(number, matrices, layer); !record)
        return record.takeError();
    const bool isOwn = options.fit || team.does(number);
    llvm::json::Object record;
    if (!done[number] && isOwn)
      makeMetrics(number, whole);
    for (const Half &half : halves) {
      if (!done[number]) {
        compressHalf(half, whole, layer, isOwn, record);
        continue;
      }
      addHalf(half, whole, dense);
      if (options.fit)
        addHalf(half, layer, factored);
    }
    for (const Stream *stream : {&dense, &factored})
      if (llvm::Error error = stream->checkFinite(number))
        return error;
    if (!done[number] && (options.fit ? team.isFirst() : isOwn))
      if (llvm::Error error =
              store.save(number, matrices, layer, std::move(record)))
        return error;
    progress(number + 1, config.layers);
  }
  team.wait();
  return llvm::Error::success();
}

llvm::Error mlir::trn::compressLayers(
    const Checkpoint &checkpoint, llvm::ArrayRef<HostModel::Tokens> calibration,
    const CompressOptions &options, std::vector<FactoredMatrix> &plan,
    const LayerStore &store, Team &team, HostModel::Progress progress) {
  std::optional<Curvature> curvature;
  if (options.metric == ErrorMetric::Fisher) {
    llvm::Expected<Curvature> measured = Curvature::measure(
        checkpoint, calibration, options.factoring.threads, progress);
    if (!measured)
      return measured.takeError();
    curvature = std::move(*measured);
  }
  return Compressor(checkpoint, calibration, options, curvature, plan, team)
      .run(store, progress);
}
