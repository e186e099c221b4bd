//===- CutNeurons.cpp - MLPs that lose neurons -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compressor.h"

#include "PlaceFactors.h"
#include "trn/Compress/Neurons.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;

std::string mlir::trn::spellRuns(llvm::ArrayRef<int64_t> numbers) {
  std::string text;
  for (size_t first = 0, next = 0; first < numbers.size(); first = next) {
    while (next < numbers.size() &&
           numbers[next] - numbers[first] == int64_t(next - first))
      ++next;
    text += (first ? "," : "") + std::to_string(numbers[first]);
    if (next - first > 1)
      text += "-" + std::to_string(numbers[next - 1]);
  }
  return text;
}

static void leaveNeurons(const Layer &whole, Layer &layer,
                         llvm::ArrayRef<int64_t> kept) {
  for (auto [from, into] :
       {std::pair{&whole.gate, &layer.gate}, {&whole.up, &layer.up}}) {
    into->weight = selectRows(from->weight, from->in, kept);
    into->out = kept.size();
  }
  layer.down.weight = selectColumns(whole.down.weight, whole.down.in, kept);
  layer.down.in = kept.size();
}

/// Neurons are chosen by what they are in the compressed model's stream, and
/// `down` is fitted to those that stay as the last factors of a half are. Where
/// what is left gets factors, every member of the team leaves the same neurons,
/// and fits some of the weights.
void Compressor::cutNeurons(const Half &half, const Layer &whole, Layer &layer,
                            llvm::json::Object &record) {
  FactoredMatrix &last = half.last;
  FitStatistics statistics =
      watchLast(half, whole, whole, /*goesOn=*/!last.isFactored());
  const double shrink = options.fit.value_or(FitOptions()).shrink;
  if (!options.fit || last.isFactored() || team.does(0)) {
    const std::vector<int64_t> kept =
        chooseNeurons(whole.down.weight, last.out, last.in, last.neurons,
                      options.scores, shrink, statistics, threads);
    record["kept_neurons"] = spellRuns(kept);
    leaveNeurons(whole, layer, kept);
    if (last.isFactored()) {
      fitReaders(half, whole, layer);
      fitLast(half, whole, layer);
      // They are not to be near to any weight there was.
      for (FactoredMatrix &matrix : half.readers)
        matrix.figures.erase("weight_error");
      last.figures.erase("weight_error");
      return;
    }
    if (options.fit)
      placeWeight(last,
                  fitKeptWeight(layer.down.weight, last.out, kept, shrink,
                                statistics, threads),
                  layer.down);
  }
  if (!options.fit)
    return;
  for (FactoredMatrix &matrix : half.readers)
    shareFactors(team, matrix, linearOf(layer, matrix.module), 0);
  shareFactors(team, last, layer.down, 0);
}
