//===- MeasureLosses.cpp - What sizes cost of the loss --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Curvature.h"
#include "JobTexts.h"
#include "LayerInputs.h"
#include "Statistics.h"
#include "trn/Compress/Allocate.h"
#include "trn/Compress/LayerStore.h"
#include "trn/Compress/Neurons.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;

/// Half of the squares of singular values that are lost, of all members, to
/// what a group has of losses already.
static void addLosses(const std::vector<Spectrum> &spectra, bool isOfNeurons,
                      std::vector<SizeGroup> &groups) {
  const Spectrum *spectrum = spectra.data();
  for (SizeGroup &group : groups) {
    group.losses.resize(group.sizes.size());
    const std::vector<int64_t> &ranks = isOfNeurons ? group.ranks : group.sizes;
    for (size_t i = 0; i < group.members.size(); ++i, ++spectrum)
      for (auto [rank, loss] : llvm::zip_equal(ranks, group.losses)) {
        const std::vector<double> &sigmas = spectrum->sigmas;
        for (size_t j = rank; rank && j < sigmas.size(); ++j)
          loss += sigmas[j] * sigmas[j] / 2;
      }
  }
}

namespace {
/// Losses of an MLP with fewer neurons.
class NeuronLosses {
public:
  NeuronLosses(const CompressOptions &options, const Linear &down,
               const Metric &metric, Matrix gram);

  std::vector<double> of(llvm::ArrayRef<int64_t> sizes);

private:
  const CompressOptions &options;
  const Linear &down;
  const Metric &metric;
  Workers workers;
  double shrink, mean, pull;
  FitStatistics statistics;
};
} // namespace

NeuronLosses::NeuronLosses(const CompressOptions &options, const Linear &down,
                           const Metric &metric, Matrix gram)
    : options(options), down(down), metric(metric),
      workers(options.factoring.threads),
      shrink(options.fit.value_or(FitOptions()).shrink),
      mean(meanDiagonal(gram, down.in)), pull(shrink * mean) {
  const Matrix wide(down.weight.begin(), down.weight.end());
  statistics.cross = multiply(gram, wide, down.in, down.in, down.out,
                              /*transposed=*/true, workers);
  statistics.inputs = std::move(gram);
}

/// With G, B and the pull of `fitWeight`, for the neurons K in the order in
/// which they are chosen and G_KK = L L^T, the fit leaves
/// |y|^2 + pull |W_K|^2 - |L^-1 B_K|^2, all in the metric: with one L, for all
/// sizes.
std::vector<double> NeuronLosses::of(llvm::ArrayRef<int64_t> sizes) {
  const int64_t in = down.in, out = down.out;
  const int64_t most = *llvm::max_element(sizes);
  if (!most)
    return std::vector<double>(sizes.size());
  const std::vector<int64_t> order =
      rankNeurons(down.weight, out, in, most, options.scores, shrink,
                  statistics, options.factoring.threads);
  FitStatistics mapped = statistics;
  metric.map(mapped, workers);
  const std::vector<float> weight = metric.map(down.weight, workers);
  double left = 0; // of y
  for (int64_t i = 0; i < in; ++i)
    for (int64_t j = 0; j < out; ++j)
      left += mapped.cross[i * out + j] * weight[j * in + i];
  FitStatistics kept = selectInputs(mapped, out, order);
  for (auto [i, neuron] : llvm::enumerate(order))
    for (int64_t j = 0; j < out; ++j)
      kept.cross[i * out + j] += pull * weight[j * in + neuron];
  const double share =
      (shrink + jitter) * mean / meanDiagonal(kept.inputs, most);
  Root root = Root::ofGram(std::move(kept.inputs), most, share, workers);
  Matrix rows = root.divideLeft(std::move(kept.cross), out, workers);
  std::vector<double> after(most + 1, left); // so many neurons
  for (int64_t i = 0; i < most; ++i) {
    for (int64_t j = 0; j < out; ++j) {
      const double own = weight[j * in + order[i]], row = rows[i * out + j];
      left += pull * own * own - row * row;
    }
    after[i + 1] = std::max(left, 0.0);
  }
  std::vector<double> losses;
  for (int64_t size : sizes)
    losses.push_back(size ? after[size] / 2 : 0);
  return losses;
}

static llvm::Error
measureNeurons(const CompressionJob &job, const Checkpoint &checkpoint,
               llvm::ArrayRef<HostModel::Tokens> calibration,
               const Curvature &curvature, llvm::ArrayRef<FactoredMatrix> plan,
               std::vector<SizeGroup> &groups, HostModel::Progress progress) {
  const ModelConfig &config = checkpoint.config();
  const unsigned threads = job.options.factoring.threads;
  Stream stream = embed(checkpoint, calibration);
  Rotary rotary(config, stream.longest());
  const size_t perLayer = plan.size() / config.layers;
  SizeGroup *group = groups.data();
  for (int64_t number = 0; number < config.layers; ++number) {
    llvm::Expected<Layer> layer = Layer::load(checkpoint, number);
    if (!layer)
      return layer.takeError();
    const auto matrices = plan.slice(number * perLayer, perLayer);
    const bool isAsked = matrices.back().isThin();
    auto metrics =
        curvature.metricsOf(number, *layer, rotary, stream, matrices,
                            [&](const FactoredMatrix &matrix) {
                              return isAsked && matrix.readsNeurons();
                            });
    Matrix gram;
    const size_t atOnce = 16, all = stream.numSequences();
    for (size_t start = 0; start < all; start += atOnce) {
      std::vector<LayerInputs> inputs(std::min(atOnce, all - start));
      forEachOnThreads(inputs.size(), threads, [&](size_t i) {
        inputs[i] = runLayer(config, *layer, rotary, stream.rows(start + i),
                             stream.numRows(start + i));
      });
      for (size_t i = 0; isAsked && i < inputs.size(); ++i)
        addProduct(gram, inputs[i].gated, inputs[i].gated,
                   stream.numRows(start + i), threads);
    }
    if (llvm::Error error = stream.checkFinite(number))
      return error;
    progress(number + 1, config.layers);
    if (!isAsked)
      continue;
    finishGram(gram, double(stream.starts.back()), threads);
    group->losses =
        NeuronLosses(job.options, layer->down, *metrics.back(), std::move(gram))
            .of(group->sizes);
    ++group;
  }
  return llvm::Error::success();
}

/// Where neurons go, the whole weights with factors of a rank.
static std::vector<FactoredMatrix>
asFactors(llvm::ArrayRef<FactoredMatrix> plan, int64_t rank) {
  std::vector<FactoredMatrix> factored = plan.vec();
  for (FactoredMatrix &matrix : factored)
    if (matrix.isThin())
      std::tie(matrix.neurons, matrix.rank) = std::pair(0, rank);
  return factored;
}

llvm::Error mlir::trn::measureLosses(const CompressionJob &job,
                                     const Checkpoint &checkpoint,
                                     llvm::ArrayRef<FactoredMatrix> plan,
                                     std::vector<SizeGroup> &groups,
                                     HostModel::Progress progress) {
  auto calibration = readCalibration(job, checkpoint.config());
  if (!calibration)
    return calibration.takeError();
  CompressOptions options = job.options;
  options.metric = ErrorMetric::Fisher;
  const bool hasSpectra = !job.cutsNeurons || job.thinRank;
  const std::vector<FactoredMatrix> factored =
      job.thinRank ? asFactors(plan, *job.thinRank) : plan.vec();
  for (llvm::ArrayRef<FactoredMatrix> own : {plan, llvm::ArrayRef(factored)})
    if (llvm::Error error =
            checkMemory(estimateNeeds(checkpoint.config(), own, options,
                                      CalibrationSize::of(*calibration))))
      return error;
  const unsigned threads = job.options.factoring.threads;
  auto curvature =
      Curvature::measure(checkpoint, *calibration, threads, progress);
  if (!curvature)
    return curvature.takeError();
  if (job.cutsNeurons)
    if (llvm::Error error = measureNeurons(job, checkpoint, *calibration,
                                           *curvature, plan, groups, progress))
      return error;
  if (!hasSpectra)
    return llvm::Error::success();
  auto spectra = measureSpectra(checkpoint, *calibration, Method::Whiten,
                                threads, factored, &*curvature, progress);
  if (!spectra)
    return spectra.takeError();
  addLosses(*spectra, job.cutsNeurons, groups);
  return llvm::Error::success();
}
