//===- Compressor.h - Layers that are replaced one by one -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_COMPRESSOR_H
#define TRN_LIB_COMPRESS_COMPRESSOR_H

#include "Curvature.h"
#include "trn/Compress/CompressOptions.h"
#include "trn/Compress/LayerStore.h"
#include "trn/Compress/Team.h"
#include "trn/Model/HostModel.h"
#include "trn/Model/Layer.h"
#include "trn/Model/Stream.h"
#include "trn/Model/Workers.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::trn {

/// Attention or the MLP of a layer: some weights read the normed stream, and
/// the last one, which reads what comes of that, adds to the stream.
struct Half {
  bool isAttention;
  const std::vector<float> &gains; // of the norm
  llvm::MutableArrayRef<FactoredMatrix> readers;
  FactoredMatrix &last;

  bool isAsked() const {
    return last.isChanged() ||
           llvm::any_of(readers, [](const FactoredMatrix &matrix) {
             return matrix.isChanged();
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
             const CompressOptions &options,
             const std::optional<Curvature> &curvature,
             std::vector<FactoredMatrix> &plan, Team &team)
      : checkpoint(checkpoint), config(checkpoint.config()), options(options),
        curvature(curvature), threads(options.factoring.threads), plan(plan),
        perLayer(plan.size() / config.layers), team(team),
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
  void makeMetrics(int64_t number, const Layer &whole);
  Factors factorInMetric(
      const FactoredMatrix &matrix, llvm::ArrayRef<float> weight,
      const FactorOptions &factoring,
      llvm::function_ref<Factors(llvm::ArrayRef<float>, const Metric *)> body)
      const;
  void factorHalf(const Half &half, Layer &layer);
  void fitReaders(const Half &half, const Layer &whole, Layer &layer);
  void fitLast(const Half &half, const Layer &whole, Layer &layer);
  FitStatistics watchLast(const Half &half, const Layer &whole,
                          const Layer &layer, bool goesOn);
  void cutNeurons(const Half &half, const Layer &whole, Layer &layer,
                  llvm::json::Object &record);
  void cutHeads(const Half &half, const Layer &whole, Layer &layer,
                llvm::json::Object &record);
  void polish(const Half &half, const Layer &whole, Layer &layer,
              const Stream &before, llvm::json::Object &record);

  const Checkpoint &checkpoint;
  const ModelConfig &config;
  const CompressOptions &options;
  const std::optional<Curvature> &curvature;
  unsigned threads;
  std::vector<FactoredMatrix> &plan;
  const size_t perLayer;
  /// Of the weights of the layer that are factored, if there is a curvature.
  std::vector<std::optional<Metric>> metrics;
  /// Each layer has one member that factors it. Where factors are fitted, all
  /// go through all layers, and each weight of a layer has one member that fits
  /// it.
  Team &team;
  /// The residual streams of the whole and of the factored model; the second
  /// one is used where factors are fitted.
  Stream dense, factored;
  Rotary rotary;
};

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

/// Numbers in their order as `0,3-9`.
std::string spellRuns(llvm::ArrayRef<int64_t> numbers);

/// `body` for the number of each matrix.
void forEachMatrix(
    llvm::ArrayRef<FactoredMatrix *> matrices, const FactorOptions &options,
    llvm::function_ref<void(size_t, const FactorOptions &)> body);

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_COMPRESSOR_H
