//===- FitHalf.cpp - Factors that are fitted to the whole model --------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compressor.h"

#include "PlaceFactors.h"
#include "PolishMlp.h"
#include "Statistics.h"

using namespace mlir::trn;

static void divide(std::vector<double> &sum, double count) {
  for (double &value : sum)
    value /= count;
}

/// From the inputs h' of the factored model to W h of the whole one.
void Compressor::fitReaders(const Half &half, const Layer &whole,
                            Layer &layer) {
  std::vector<FactoredMatrix *> asked;
  for (FactoredMatrix &matrix : half.readers)
    if (matrix.isFactored() || matrix.isRefitted)
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
  const double tokens = double(dense.starts.back());
  for (std::vector<double> *gram : {&statistics.inputs, &statistics.whole})
    finishGram(*gram, tokens, threads);
  divide(statistics.cross, tokens);
  forEachMatrix(
      asked, options.factoring, [&](size_t i, const FactorOptions &factoring) {
        if (!team.does(i))
          return;
        FactoredMatrix &matrix = *asked[i];
        const std::vector<float> &weight =
            linearOf(matrix.isThin() ? layer : whole, matrix.module).weight;
        Linear &linear = linearOf(layer, matrix.module);
        const double shrink = options.fit->shrink;
        if (matrix.isRefitted)
          placeWeight(matrix,
                      fitMappedWeight(weight, matrix.out, matrix.in, shrink,
                                      statistics, factoring.threads),
                      linear);
        else
          placeFactors(
              matrix,
              factorInMetric(matrix, weight, factoring,
                             [&](llvm::ArrayRef<float> own, const Metric *) {
                               return fitMappedFactors(
                                   own, matrix.outLeft(), matrix.in,
                                   matrix.rank, shrink, statistics, factoring);
                             }),
              linear);
      });
  for (auto [i, matrix] : llvm::enumerate(asked))
    shareFactors(team, *matrix, linearOf(layer, matrix->module), i);
}

/// What comes to the last weight of `layer` in the compressed model, and what
/// makes its stream that of the whole one, which may go on.
FitStatistics Compressor::watchLast(const Half &half, const Layer &whole,
                                    const Layer &layer, bool goesOn) {
  FitStatistics statistics;
  struct Values {
    std::vector<float> mixed, added, target;
  };
  const Linear &last = linearOf(whole, half.last.module);
  inTurns<Values>(
      [&](size_t i) {
        int64_t rows = dense.numRows(i);
        const float *x = dense.rows(i);
        Values values{inputsOf(half, whole, x, rows).mixed, {}, {}};
        values.added = last.apply(values.mixed.data(), rows);
        if (!half.last.isChanged())
          return values;
        values.target = values.added;
        if (!options.fit)
          return values;
        const float *own = factored.rows(i);
        values.mixed = inputsOf(half, layer, own, rows).mixed;
        if (options.fit->mendsStream)
          for (float &value : values.target)
            value += *x++ - *own++;
        return values;
      },
      [&](size_t i, const Values &values) {
        if (goesOn)
          dense.add(i, values.added);
        if (!half.last.isChanged())
          return;
        int64_t rows = dense.numRows(i);
        addProduct(statistics.inputs, values.mixed, values.mixed, rows,
                   threads);
        addProduct(statistics.cross, values.mixed, values.target, rows,
                   threads);
        for (float value : values.target)
          statistics.outputSquares += double(value) * value;
      });
  const double tokens = double(dense.starts.back());
  statistics.outputSquares /= tokens;
  finishGram(statistics.inputs, tokens, threads);
  divide(statistics.cross, tokens);
  return statistics;
}

void Compressor::fitLast(const Half &half, const Layer &whole, Layer &layer) {
  FitStatistics statistics = watchLast(half, whole, layer, /*goesOn=*/true);
  FactoredMatrix &last = half.last;
  if (!last.isChanged())
    return;
  const std::vector<float> &weight =
      linearOf(last.isThin() ? layer : whole, last.module).weight;
  Linear &linear = linearOf(layer, last.module);
  const double shrink = options.fit->shrink;
  auto make = [&](llvm::ArrayRef<float> own, const Metric *metric) {
    Workers workers(threads);
    if (metric)
      metric->map(statistics, workers);
    return fitFactors(own, last.out, last.inLeft(), last.rank, shrink,
                      std::move(statistics), options.factoring);
  };
  if (team.does(0) && last.isRefitted)
    placeWeight(last,
                fitWeight(weight, last.out, last.in, shrink,
                          std::move(statistics), threads),
                linear);
  else if (team.does(0))
    placeFactors(last, factorInMetric(last, weight, options.factoring, make),
                 linear);
  shareFactors(team, last, linear, 0);
}

/// Trains what was made of an MLP on, `before` being the stream of the whole
/// model that came to it.
void Compressor::polish(const Half &half, const Layer &whole, Layer &layer,
                        const Stream &before, llvm::json::Object &record) {
  if (team.does(0))
    record["recovery_curve"] = llvm::json::Array(
        polishMlp(config, whole, layer, {before, dense, factored},
                  options.fit->mendsStream, *options.polish, threads));
  auto share = [&](FactoredMatrix &matrix) {
    if (!matrix.isChanged())
      return;
    Linear &linear = linearOf(layer, matrix.module);
    if (matrix.isFactored() && !matrix.isThin())
      matrix.figures["weight_error"] =
          weightErrorOf(linearOf(whole, matrix.module), linear);
    shareFactors(team, matrix, linear, 0);
  };
  llvm::for_each(half.readers, share);
  share(half.last);
}
