//===- Compress.cpp - Language models with factored weights ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Compress.h"

#include "PlaceFactors.h"
#include "PolishMlp.h"
#include "Statistics.h"
#include "trn/Model/Layer.h"
#include "trn/Model/Stream.h"
#include "trn/Model/Workers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;

namespace {
/// Attention or the MLP of a layer: some weights read the normed stream, and
/// the last one, which reads what comes of that, adds to the stream.
struct Half {
  bool isAttention;
  const std::vector<float> &gains; // of the norm
  llvm::MutableArrayRef<FactoredMatrix> readers;
  FactoredMatrix &last;

  bool isAsked() const {
    return last.isFactored() ||
           llvm::any_of(readers, [](const FactoredMatrix &matrix) {
             return matrix.isFactored();
           });
  }
};

/// What its weights read for some rows of the stream.
struct HalfInputs {
  std::vector<float> normed, mixed;
};

/// Runs a model on its calibration, and replaces the weights of each layer.
class Compressor {
public:
  Compressor(const Checkpoint &checkpoint,
             llvm::ArrayRef<HostModel::Tokens> calibration,
             const CompressOptions &options, std::vector<FactoredMatrix> &plan,
             Team &team)
      : checkpoint(checkpoint), config(checkpoint.config()), options(options),
        threads(options.factoring.threads), plan(plan), team(team),
        dense(embed(checkpoint, calibration)), rotary(config, dense.longest()) {
    if (options.fit)
      factored = dense;
  }

  llvm::Error run(const LayerStore &store, HostModel::Progress progress);

private:
  /// `body` for the number of each sequence, after `compute` made its values on
  /// one of several threads.
  template <typename Values>
  void inTurns(llvm::function_ref<Values(size_t)> compute,
               llvm::function_ref<void(size_t, const Values &)> body) const;
  HalfInputs inputsOf(const Half &half, const Layer &layer, const float *x,
                      int64_t rows) const;
  void addHalf(const Half &half, const Layer &layer, Stream &stream) const;
  void compressHalf(const Half &half, const Layer &whole, Layer &layer,
                    bool isOwn, llvm::json::Object &record);
  void factorHalf(const Half &half, Layer &layer);
  void fitReaders(const Half &half, const Layer &whole, Layer &layer);
  void fitLast(const Half &half, const Layer &whole, Layer &layer);
  void polish(const Half &half, const Layer &whole, Layer &layer,
              const Stream &before, llvm::json::Object &record);

  const Checkpoint &checkpoint;
  const ModelConfig &config;
  const CompressOptions &options;
  unsigned threads;
  std::vector<FactoredMatrix> &plan;
  /// Each layer has one member that factors it. Where factors are fitted, all
  /// go through all layers, and each weight of a layer has one member that fits
  /// it.
  Team &team;
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

/// `body` for the number of each matrix.
static void
forEachMatrix(llvm::ArrayRef<FactoredMatrix *> matrices,
              const FactorOptions &options,
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

static void divide(std::vector<double> &sum, double count) {
  for (double &value : sum)
    value /= count;
}

//===----------------------------------------------------------------------===//
// Factors of weights
//===----------------------------------------------------------------------===//

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
  forEachMatrix(matrices, options.factoring,
                [&](size_t k, const FactorOptions &factoring) {
                  FactoredMatrix &matrix = *matrices[k];
                  Linear &linear = linearOf(layer, matrix.module);
                  placeFactors(matrix,
                               factor(linear.weight, matrix.out, matrix.in,
                                      matrix.rank, options.method,
                                      knowing[k]->sum.mean(), factoring),
                               linear);
                });
}

//===----------------------------------------------------------------------===//
// Factors that are fitted to the whole model
//===----------------------------------------------------------------------===//

/// From the inputs h' of the factored model to W h of the whole one.
void Compressor::fitReaders(const Half &half, const Layer &whole,
                            Layer &layer) {
  std::vector<FactoredMatrix *> asked;
  for (FactoredMatrix &matrix : half.readers)
    if (matrix.isFactored())
      asked.push_back(&matrix);
  if (asked.empty())
    return;
  MappedStatistics statistics; // of h' h'^T, h' h^T, h h^T
  using Inputs = std::pair<std::vector<float>, std::vector<float>>;
  auto normed = [&](Stream &stream, size_t i) {
    return normalize(stream.rows(i), stream.numRows(i), half.gains,
                     config.normEpsilon);
  };
  inTurns<Inputs>(
      [&](size_t i) { return Inputs(normed(factored, i), normed(dense, i)); },
      [&](size_t i, const Inputs &inputs) {
        const auto &[fromFactored, fromDense] = inputs;
        int64_t rows = dense.numRows(i);
        addProduct(statistics.inputs, fromFactored, fromFactored, rows,
                   threads);
        addProduct(statistics.cross, fromFactored, fromDense, rows, threads);
        addProduct(statistics.whole, fromDense, fromDense, rows, threads);
      });
  for (std::vector<double> *sum :
       {&statistics.inputs, &statistics.cross, &statistics.whole})
    divide(*sum, double(dense.starts.back()));
  forEachMatrix(
      asked, options.factoring, [&](size_t i, const FactorOptions &factoring) {
        if (!team.does(i))
          return;
        FactoredMatrix &matrix = *asked[i];
        placeFactors(matrix,
                     fitMappedFactors(linearOf(whole, matrix.module).weight,
                                      matrix.out, matrix.in, matrix.rank,
                                      options.fit->shrink, statistics,
                                      factoring),
                     linearOf(layer, matrix.module));
      });
  for (auto [i, matrix] : llvm::enumerate(asked))
    shareFactors(team, *matrix, linearOf(layer, matrix->module), i);
}

/// From what comes to the last weight in the factored model to what makes its
/// stream that of the whole one, which goes on.
void Compressor::fitLast(const Half &half, const Layer &whole, Layer &layer) {
  FitStatistics statistics;
  struct Values {
    std::vector<float> mixed, added, target;
  };
  const Linear &last = linearOf(whole, half.last.module);
  inTurns<Values>(
      [&](size_t i) {
        int64_t rows = dense.numRows(i);
        const float *x = dense.rows(i), *own = factored.rows(i);
        std::vector<float> mixed = inputsOf(half, whole, x, rows).mixed;
        Values values{{}, last.apply(mixed.data(), rows), {}};
        if (!half.last.isFactored())
          return values;
        values.mixed = inputsOf(half, layer, own, rows).mixed;
        values.target = values.added;
        if (options.fit->mendsStream)
          for (float &value : values.target)
            value += *x++ - *own++;
        return values;
      },
      [&](size_t i, const Values &values) {
        dense.add(i, values.added);
        if (!half.last.isFactored())
          return;
        int64_t rows = dense.numRows(i);
        addProduct(statistics.inputs, values.mixed, values.mixed, rows,
                   threads);
        addProduct(statistics.cross, values.mixed, values.target, rows,
                   threads);
        for (float value : values.target)
          statistics.outputSquares += double(value) * value;
      });
  if (!half.last.isFactored())
    return;
  const double tokens = double(dense.starts.back());
  statistics.outputSquares /= tokens;
  divide(statistics.inputs, tokens);
  divide(statistics.cross, tokens);
  Linear &linear = linearOf(layer, half.last.module);
  if (team.does(0))
    placeFactors(half.last,
                 fitFactors(last.weight, half.last.out, half.last.in,
                            half.last.rank, options.fit->shrink,
                            std::move(statistics), options.factoring),
                 linear);
  shareFactors(team, half.last, linear, 0);
}

/// Trains the factors of an MLP on, `before` being the stream of the whole
/// model that came to it.
void Compressor::polish(const Half &half, const Layer &whole, Layer &layer,
                        const Stream &before, llvm::json::Object &record) {
  if (team.does(0))
    record["recovery_curve"] = llvm::json::Array(
        polishMlp(config, whole, layer, {before, dense, factored},
                  options.fit->mendsStream, *options.polish, threads));
  auto share = [&](FactoredMatrix &matrix) {
    if (!matrix.isFactored())
      return;
    Linear &linear = linearOf(layer, matrix.module);
    matrix.figures["weight_error"] =
        weightErrorOf(linearOf(whole, matrix.module), linear);
    shareFactors(team, matrix, linear, 0);
  };
  llvm::for_each(half.readers, share);
  share(half.last);
}

//===----------------------------------------------------------------------===//
// Layer by layer
//===----------------------------------------------------------------------===//

void Compressor::compressHalf(const Half &half, const Layer &whole,
                              Layer &layer, bool isOwn,
                              llvm::json::Object &record) {
  if (!half.isAsked() || !isOwn) {
    addHalf(half, whole, dense);
  } else if (options.fit) {
    const bool isPolished = options.polish && !half.isAttention;
    const Stream before = isPolished ? dense : Stream();
    fitReaders(half, whole, layer);
    fitLast(half, whole, layer);
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
  const int64_t perLayer = plan.size() / config.layers;
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
  return Compressor(checkpoint, calibration, options, plan, team)
      .run(store, progress);
}
