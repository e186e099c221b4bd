//===- TrainLayers.cpp - Train the factors of all layers ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainLayers.h"

#include "PolishMlp.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Threading.h"

using namespace mlir::trn;
using llvm::json::Array;

/// Where the record of the first layer has the losses of all steps.
static constexpr llvm::StringLiteral lossesKey = "losses";

namespace {
class LayerTrainer {
public:
  LayerTrainer(const CompressionJob &job, const Checkpoint &checkpoint,
               std::vector<FactoredMatrix> &plan)
      : job(job), checkpoint(checkpoint), plan(plan) {}

  llvm::Error load(const LayerStore &store);
  llvm::Expected<Array> train(llvm::ArrayRef<HostModel::Tokens> stories,
                              HostModel::Progress progress);
  llvm::Error save(const LayerStore &store, Array losses);

private:
  llvm::MutableArrayRef<FactoredMatrix> matricesOf(int64_t layer) {
    const int64_t perLayer = plan.size() / checkpoint.config().layers;
    return llvm::MutableArrayRef(plan).slice(layer * perLayer, perLayer);
  }

  const CompressionJob &job;
  const Checkpoint &checkpoint;
  std::vector<FactoredMatrix> &plan;
  std::vector<Layer> layers;
  std::vector<llvm::json::Object> records; // of how they were made
};
} // namespace

llvm::Error LayerTrainer::load(const LayerStore &store) {
  for (int64_t number = 0; number < checkpoint.config().layers; ++number) {
    llvm::Expected<Layer> layer = Layer::load(checkpoint, number);
    if (!layer)
      return layer.takeError();
    auto record = store.load(number, matricesOf(number), *layer);
    if (!record)
      return record.takeError();
    layers.push_back(std::move(*layer));
    records.push_back(std::move(*record));
  }
  return llvm::Error::success();
}

llvm::Expected<Array>
LayerTrainer::train(llvm::ArrayRef<HostModel::Tokens> stories,
                    HostModel::Progress progress) {
  const TrainingJob &training = *job.training;
  TrainOptions options = training.options;
  options.threads = job.options.factoring.threads;
  // What had factors before has them in the dense model, too.
  for (const auto &[module, rank] : checkpoint.config().ranks)
    options.frozen.insert(module);
  for (const FactoredMatrix &matrix : plan)
    if (matrix.isThin() && !matrix.rank)
      options.whole.insert(matrix.module);
  llvm::Expected<TrainResult> result =
      trainFactors(checkpoint, layers, stories, options, progress);
  if (!result)
    return result.takeError();
  if (!training.savedAdapter.empty())
    // Alpha is the rank: updates are B A.
    if (llvm::Error error = writeAdapter(
            training.savedAdapter, result->updates, options.adapterRank,
            double(options.adapterRank), job.model))
      return error;
  return Array(result->losses);
}

llvm::Error LayerTrainer::save(const LayerStore &store, Array losses) {
  // The first layer, which has the losses, comes last: then all are there.
  for (int64_t number = checkpoint.config().layers; number-- > 0;) {
    llvm::Expected<Layer> whole = Layer::load(checkpoint, number);
    if (!whole)
      return whole.takeError();
    for (FactoredMatrix &matrix : matricesOf(number)) {
      // What was known of outputs, of other factors, is not.
      matrix.figures = {};
      if (matrix.isFactored() && !matrix.isThin())
        matrix.figures["weight_error"] =
            weightErrorOf(linearOf(*whole, matrix.module),
                          linearOf(layers[number], matrix.module));
    }
    llvm::json::Object &record = records[number];
    if (!number)
      record[lossesKey] = std::move(losses);
    if (llvm::Error error = store.save(number, matricesOf(number),
                                       layers[number], std::move(record)))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<Array>
mlir::trn::trainLayers(const CompressionJob &job, const Checkpoint &checkpoint,
                       llvm::ArrayRef<HostModel::Tokens> stories,
                       std::vector<FactoredMatrix> &plan,
                       const LayerStore &from, const LayerStore &to,
                       HostModel::Progress progress) {
  LayerTrainer trainer(job, checkpoint, plan);
  if (to.contains(0)) {
    Layer layer;
    const int64_t perLayer = plan.size() / checkpoint.config().layers;
    auto record =
        to.load(0, llvm::MutableArrayRef(plan).take_front(perLayer), layer);
    if (!record)
      return record.takeError();
    const Array *losses = record->getArray(lossesKey);
    return losses ? *losses : Array();
  }
  if (llvm::Error error = trainer.load(from))
    return error;
  llvm::Expected<Array> losses = trainer.train(stories, progress);
  if (!losses)
    return losses.takeError();
  if (llvm::Error error = trainer.save(to, *losses))
    return error;
  return losses;
}

/// On the way back, layers are computed again, and then gradients of what they
/// read and of factors; of the head only the former.
void mlir::trn::addTrainingNeeds(const TrainingJob &training,
                                 const ModelConfig &config,
                                 llvm::ArrayRef<FactoredMatrix> plan,
                                 CalibrationSize text, int64_t stories,
                                 unsigned threads, Needs &needs) {
  const TrainOptions &options = training.options;
  const bool isDense = options.objective == Objective::Dense;
  double whole = 0, left = 0, factors = 0, trained = 0;
  for (const FactoredMatrix &matrix : plan) {
    whole += double(matrix.out * matrix.in);
    left += double(matrix.parameters());
    if (!matrix.isChanged())
      continue;
    const double own = double(matrix.parameters()),
                 sides = double(matrix.inLeft() + matrix.outLeft()) +
                         (matrix.rank ? 2 * double(matrix.rank) : 0);
    factors += own;
    trained += options.adapterRank ? double(options.adapterRank) * sides : own;
  }
  const double head = double(config.vocabulary * config.hidden),
               tokens = double(text.tokens),
               rows = tokens / double(stories) * double(options.storiesPerStep),
               columns = double(config.heads * config.headDim),
               weighed = double(text.longest) * columns * double(config.layers);
  needs.flops32 += double(options.steps) * rows *
                   (6 * left + (options.adapterRank ? 4 : 2) * trained +
                    (isDense ? 6 : 4) * head + 10 * weighed);
  if (isDense)
    needs.flops32 += tokens * (2 * whole + 2 * weighed);
  const double cores =
                   llvm::hardware_concurrency(threads).compute_thread_count(),
               hidden = double(config.hidden);
  const double stream = rows * hidden * double(config.layers + 8),
               layer = rows * (6 * double(config.intermediate) + 6 * columns),
               logits = cores * std::min(rows, 256.0) *
                        double(config.vocabulary) * (isDense ? 2 : 1),
               outputs = isDense ? tokens * hidden : 0;
  // Of what is trained a gradient, two means of Adam, and zeros to begin with;
  // with adapters the factors also without them.
  const double memory = left + 4 * trained +
                        (options.adapterRank ? factors : 0) + head + stream +
                        layer + logits + outputs;
  needs.memoryBytes =
      std::max(needs.memoryBytes, programBytes + int64_t(4 * memory));
}
