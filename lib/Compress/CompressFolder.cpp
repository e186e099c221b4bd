//===- CompressFolder.cpp - From a checkpoint to one with factors ---------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/CompressFolder.h"

#include "JobTexts.h"
#include "Manifest.h"
#include "MeasureErrors.h"
#include "OutputFolder.h"
#include "TrainLayers.h"
#include "trn/Compress/Compress.h"
#include "trn/Model/FolderFiles.h"
#include "trn/Model/ModelWriter.h"
#include "trn/Model/Score.h"
#include "trn/Support/OutputFile.h"
#include "trn/Support/Paths.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;

namespace {
class FolderCompressor {
public:
  FolderCompressor(const CompressionJob &job, const Checkpoint &checkpoint,
                   std::vector<FactoredMatrix> &plan, Team &team,
                   llvm::function_ref<void(StringRef)> phase,
                   HostModel::Progress progress)
      : job(job), checkpoint(checkpoint), plan(plan), team(team), phase(phase),
        progress(progress) {}

  llvm::Expected<llvm::json::Object> run();
  llvm::Expected<Needs> estimate();

private:
  std::string pathOf(StringRef file) const {
    return joinPath(job.output, file);
  }
  void warnOfShortText() const;
  void warnOfPadding() const;
  int64_t neededSpace() const;
  llvm::Error describeInputs();
  llvm::Expected<LayerStore> openStore() const;
  llvm::Error train(const LayerStore &store, LayerStore &last);
  llvm::Error writeModel(const LayerStore &store);
  llvm::Error evaluate();
  llvm::Error writeMatrix(ModelWriter &writer, const FactoredMatrix &matrix,
                          const Linear &linear) const;
  std::string tokenizerPath() const;
  /// Of what is written.
  ModelConfig writtenConfig() const;
  ElementType writtenType() const {
    return job.type.value_or(
        checkpoint.lookup("model.embed_tokens.weight").type.getFloats());
  }

  const CompressionJob &job;
  const Checkpoint &checkpoint;
  std::vector<FactoredMatrix> &plan;
  Team &team;
  llvm::function_ref<void(StringRef)> phase;
  HostModel::Progress progress;
  JobTexts texts;
  llvm::json::Object manifest;
};
} // namespace

//===----------------------------------------------------------------------===//
// Before anything is written
//===----------------------------------------------------------------------===//

llvm::Expected<Needs> FolderCompressor::estimate() {
  const ModelConfig &config = checkpoint.config();
  CalibrationSize size;
  size.longest = std::min(job.maxTokens, config.maxPositions);
  size.tokens = job.calibrationStories * size.longest;
  if (!job.calibration.empty() || plan.empty()) {
    if (llvm::Error error = texts.read(job, config, !plan.empty()))
      return error;
    if (!plan.empty())
      warnOfShortText();
    size = CalibrationSize::of(texts.calibration);
  }
  Needs needs = estimateNeeds(config, plan, job.options, size);
  if (job.training) {
    int64_t stories = job.training->stories;
    CalibrationSize text{stories * size.longest, size.longest};
    if (!texts.training.empty()) {
      stories = texts.training.size();
      text = CalibrationSize::of(texts.training);
    }
    addTrainingNeeds(*job.training, config, plan, text, stories,
                     job.options.factoring.threads, needs);
  }
  needs.diskBytes = neededSpace();
  return needs;
}

/// What few tokens say of many inputs is little.
void FolderCompressor::warnOfShortText() const {
  int64_t tokens = 0, inputs = 0;
  for (const HostModel::Tokens &story : texts.calibration)
    tokens += story.size();
  const bool isFitted = job.options.fit.has_value();
  for (const FactoredMatrix &matrix : plan)
    if (matrix.isFactored() || (matrix.isThin() && matrix.readsNeurons()))
      inputs = std::max(inputs, isFitted || matrix.isThin()
                                    ? matrix.in
                                    : std::min(matrix.in, matrix.out));
  const int64_t wanted = isFitted ? 4 * inputs : inputs;
  if (tokens < wanted)
    job.warn(formatv("{0} tokens of '{1}' are few to calibrate weights of {2} "
                     "columns: give a text of at least {3}",
                     tokens, job.calibration, inputs, wanted));
}

void FolderCompressor::warnOfPadding() const {
  const ModelConfig made = factoredConfig(checkpoint.config(), plan);
  if (job.exported == Export::Padded && !made.intermediates.empty())
    job.warn(formatv("--export=padded fills MLPs with zeros up to {0} neurons, "
                     "which take time as all others do",
                     made.intermediate));
}

/// The files, and what changes in f32 that lie beside them until these are
/// done.
int64_t FolderCompressor::neededSpace() const {
  int64_t bytes = 1 << 20; // of headers and tables
  for (const TensorSpec &spec : listTensors(writtenConfig()))
    bytes += *countElements(spec.shape) *
             byteSize(spec.type.value_or(writtenType()));
  for (const FactoredMatrix &matrix : plan)
    if (matrix.isChanged())
      bytes += matrix.parameters() * int64_t(sizeof(float));
  return bytes;
}

/// What the factors depend on.
llvm::Error FolderCompressor::describeInputs() {
  llvm::Expected<llvm::json::Object> source = describeSource(job.model);
  if (!source)
    return source.takeError();
  manifest["source"] = std::move(*source);
  if (!job.adapter.empty()) {
    llvm::Expected<llvm::json::Object> adapter = describeSource(job.adapter);
    if (!adapter)
      return adapter.takeError();
    (*adapter)["modules"] = llvm::json::Array(checkpoint.adaptedModules());
    manifest["adapter"] = std::move(*adapter);
  }
  if (job.exported != Export::Factors)
    manifest["export"] = stringify(job.exported);
  if (job.weightType)
    manifest["weights"] = stringify(*job.weightType);
  if (plan.empty())
    return llvm::Error::success();
  llvm::Expected<llvm::json::Object> text =
      describeText(job.calibration, texts.calibration);
  if (!text)
    return text.takeError();
  manifest["calibration"] = std::move(*text);
  manifest["errors_of"] = texts.isHeldOut ? "held-out stories" : "calibration";
  manifest["options"] = describeOptions(job);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// The folder
//===----------------------------------------------------------------------===//

ModelConfig FolderCompressor::writtenConfig() const {
  ModelConfig config = factoredConfig(checkpoint.config(), plan);
  if (job.exported != Export::Factors)
    config.ranks.clear();
  if (job.exported == Export::Padded)
    config.intermediates.clear();
  config.weightType = job.weightType;
  return config;
}

llvm::Error FolderCompressor::writeModel(const LayerStore &store) {
  const ModelConfig &config = checkpoint.config();
  ModelConfig written = writtenConfig();
  llvm::Expected<ModelWriter> writer = ModelWriter::create(
      job.output, written, writtenType(), job.maxShardBytes);
  if (!writer)
    return writer.takeError();
  if (llvm::Error error =
          writer->copyFrom(checkpoint, factoredConfig(config, plan)))
    return error;
  const int64_t perLayer = plan.size() / config.layers;
  llvm::json::Array curves, neurons, heads;
  for (int64_t number = 0; number < config.layers && perLayer; ++number) {
    auto matrices =
        llvm::MutableArrayRef(plan).slice(number * perLayer, perLayer);
    Layer layer;
    auto record = store.load(number, matrices, layer);
    if (!record)
      return record.takeError();
    if (llvm::json::Array *curve = record->getArray("recovery_curve"))
      curves.push_back(
          llvm::json::Object{{"layer", number}, {"errors", std::move(*curve)}});
    for (auto [key, kept] :
         {std::pair{"kept_neurons", &neurons}, {"kept_heads", &heads}})
      if (std::optional<StringRef> numbers = record->getString(key))
        kept->push_back(
            llvm::json::Object{{"layer", number}, {"kept", numbers->str()}});
    for (const FactoredMatrix &matrix : matrices)
      if (llvm::Error error =
              writeMatrix(*writer, matrix, linearOf(layer, matrix.module)))
        return error;
  }
  if (!neurons.empty())
    manifest["neurons"] = std::move(neurons);
  if (!heads.empty())
    manifest["heads"] = std::move(heads);
  if (!curves.empty())
    manifest["recovery"] = std::move(curves);
  if (llvm::Error error = writer->finish())
    return error;
  return writeFolderFiles(job.output, checkpoint, written, writtenType(),
                          job.model, tokenizerPath());
}

llvm::Error FolderCompressor::writeMatrix(ModelWriter &writer,
                                          const FactoredMatrix &matrix,
                                          const Linear &linear) const {
  if (matrix.isFactored() && job.exported != Export::Factors)
    return writer.write(matrix.module + ".weight", linear.multiplyFactors(),
                        linear.in);
  for (const PlacedTensor &tensor : listTensors(matrix))
    if (llvm::Error error = writer.write(tensor.name, linear.*tensor.values,
                                         tensor.shape.back()))
      return error;
  return llvm::Error::success();
}

/// What becomes the tokenizer of the folder, unless it is copied with others.
std::string FolderCompressor::tokenizerPath() const {
  if (!job.tokenizer.empty() || llvm::sys::fs::is_directory(job.model))
    return job.tokenizer;
  std::vector<std::string> found = findTokenizers(job.model);
  return found.size() == 1 ? found.front() : "";
}

llvm::Error FolderCompressor::evaluate() {
  llvm::Expected<Checkpoint> made = Checkpoint::open(job.output);
  if (!made)
    return made.takeError();
  const unsigned threads = job.options.factoring.threads;
  llvm::json::Array results;
  for (auto [file, stories] :
       llvm::zip_equal(job.evaluation, texts.evaluation)) {
    llvm::Expected<llvm::json::Object> result = describeText(file, stories);
    if (!result)
      return result.takeError();
    for (auto [key, model] :
         {std::pair{"perplexity_dense", &checkpoint}, {"perplexity", &*made}}) {
      auto measured =
          measurePerplexity(HostModel(*model, threads), stories, progress);
      if (!measured)
        return measured.takeError();
      (*result)[key] = measured->value();
    }
    results.push_back(std::move(*result));
  }
  manifest["evaluation"] = std::move(results);
  return llvm::Error::success();
}

/// The first makes the folder, before the others look into it.
llvm::Expected<LayerStore> FolderCompressor::openStore() const {
  llvm::json::Object work = manifest;
  work["ranks"] = toJSON(factoredConfig(checkpoint.config(), plan));
  if (!team.isFirst())
    team.wait();
  llvm::Expected<LayerStore> store =
      LayerStore::open(pathOf(".partial"), std::move(work));
  if (team.isFirst())
    team.wait();
  return store;
}

/// What was trained lies beside what it was trained from.
llvm::Error FolderCompressor::train(const LayerStore &store, LayerStore &last) {
  llvm::Expected<LayerStore> trained =
      LayerStore::open(pathOf(".partial/trained"), {});
  if (!trained)
    return trained.takeError();
  phase("training factors");
  auto losses = trainLayers(job, checkpoint, texts.training, plan, store,
                            *trained, progress);
  if (!losses)
    return losses.takeError();
  manifest["training"] = llvm::json::Object{{"losses", std::move(*losses)}};
  last = std::move(*trained);
  return llvm::Error::success();
}

llvm::Expected<llvm::json::Object> FolderCompressor::run() {
  llvm::Expected<Needs> needs = estimate();
  if (!needs)
    return needs.takeError();
  if (team.isFirst()) {
    if (llvm::Error error = checkMemory(*needs))
      return error;
    if (llvm::Error error = makeRoom(job))
      return error;
    if (llvm::Error error = checkDiskSpace(job.output, needs->diskBytes))
      return error;
    if (llvm::Error error = checkFolderFiles(job.model))
      return error;
  }
  if (llvm::Error error = describeInputs())
    return error;
  llvm::Expected<LayerStore> store = openStore();
  if (!store)
    return store.takeError();
  if (!plan.empty()) {
    phase("factoring layers");
    if (llvm::Error error =
            compressLayers(checkpoint, texts.calibration, job.options, plan,
                           *store, team, progress))
      return error;
  }
  if (!team.isFirst())
    return llvm::json::Object();
  LayerStore last = *store;
  if (job.training)
    if (llvm::Error error = train(*store, last))
      return error;
  warnOfPadding();
  phase("writing the model");
  if (llvm::Error error = writeModel(last))
    return error;
  if (!plan.empty())
    if (llvm::Error error = measureErrors(checkpoint, texts.measured, last,
                                          job.options.factoring.threads, plan))
      return error;
  for (auto &[key, value] : describePlan(job, checkpoint.config(), plan))
    manifest[key] = std::move(value);
  if (!job.evaluation.empty()) {
    phase("evaluating");
    if (llvm::Error error = evaluate())
      return error;
  }
  llvm::json::Value text = llvm::json::Object(manifest);
  if (llvm::Error error =
          writeFile(pathOf("trn_compress.json"), [&](llvm::raw_ostream &os) {
            os << formatv("{0:2}\n", text);
          }))
    return error;
  if (llvm::Error error = store->remove())
    return error;
  return std::move(manifest);
}

llvm::Expected<Needs>
mlir::trn::estimateNeeds(const CompressionJob &job,
                         const Checkpoint &checkpoint,
                         std::vector<FactoredMatrix> &plan) {
  Team alone;
  return FolderCompressor(
             job, checkpoint, plan, alone, [](StringRef) {},
             [](size_t, size_t) {})
      .estimate();
}

llvm::json::Object
mlir::trn::describePlan(const CompressionJob &job, const ModelConfig &config,
                        llvm::ArrayRef<FactoredMatrix> plan) {
  llvm::json::Object described{{"model", describeModel(config, plan)},
                               {"matrices", describeMatrices(plan)}};
  if (!plan.empty())
    described["options"] = describeOptions(job);
  if (job.modelled != nullptr)
    described["modelled"] = job.modelled;
  if (job.speedUp != nullptr)
    described["speedup"] = job.speedUp;
  return described;
}

llvm::Expected<llvm::json::Object> mlir::trn::compressToFolder(
    const CompressionJob &job, const Checkpoint &checkpoint,
    std::vector<FactoredMatrix> &plan, Team &team,
    llvm::function_ref<void(StringRef)> phase, HostModel::Progress progress) {
  return FolderCompressor(job, checkpoint, plan, team, phase, progress).run();
}
