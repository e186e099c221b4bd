//===- Manifest.cpp - What was done to a model ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Manifest.h"

#include "trn/Support/Hash.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

using namespace mlir::trn;
using llvm::StringRef;

/// What a model is read from: a file, or files of a folder.
static llvm::Expected<std::vector<std::string>> listFiles(StringRef model) {
  if (!llvm::sys::fs::is_directory(model))
    return std::vector<std::string>{model.str()};
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry(model, error), end;
       entry != end && !error; entry.increment(error)) {
    StringRef name = llvm::sys::path::filename(entry->path());
    if (name == "config.json" || name == "adapter_config.json" ||
        name.ends_with(".safetensors"))
      files.push_back(entry->path());
  }
  if (error)
    return llvm::createFileError(model, error);
  llvm::sort(files);
  return files;
}

llvm::Expected<llvm::json::Object> mlir::trn::describeSource(StringRef model) {
  llvm::Expected<std::vector<std::string>> files = listFiles(model);
  if (!files)
    return files.takeError();
  llvm::json::Object hashes;
  for (const std::string &file : *files) {
    llvm::Expected<std::string> hash = hashFile(file);
    if (!hash)
      return hash.takeError();
    hashes[llvm::sys::path::filename(file).str()] = *hash;
  }
  return llvm::json::Object{{"path", model}, {"sha256", std::move(hashes)}};
}

llvm::Expected<llvm::json::Object>
mlir::trn::describeText(StringRef file,
                        llvm::ArrayRef<HostModel::Tokens> stories) {
  llvm::Expected<std::string> hash = hashFile(file);
  if (!hash)
    return hash.takeError();
  int64_t tokens = 0;
  llvm::SHA256 ids;
  for (const HostModel::Tokens &story : stories) {
    tokens += story.size();
    ids.update(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(story.data()),
                              story.size() * sizeof(story[0])));
  }
  return llvm::json::Object{
      {"file", file},
      {"sha256", *hash},
      {"stories", int64_t(stories.size())},
      {"tokens", tokens},
      {"ids_sha256", llvm::toHex(ids.final(), /*LowerCase=*/true)}};
}

static llvm::json::Object describeTraining(const TrainingJob &training) {
  const TrainOptions &options = training.options;
  return llvm::json::Object{{"loss", stringify(options.objective)},
                            {"steps", options.steps},
                            {"step_size", options.rate},
                            {"stories_per_step", options.storiesPerStep},
                            {"stories", training.stories},
                            {"adapter_rank", options.adapterRank}};
}

llvm::json::Object mlir::trn::describeOptions(const CompressionJob &job) {
  const FactorOptions &factoring = job.options.factoring;
  llvm::json::Object options{{"allocate", stringify(job.allocation)},
                             {"recover", stringify(job.recovery)},
                             {"svd", stringify(factoring.svd)},
                             {"sigma", stringify(factoring.side)}};
  if (const std::optional<FitOptions> &fit = job.options.fit) {
    options["shrink"] = fit->shrink;
    options["stream_error"] = fit->mendsStream;
    options["refit"] = fit->refitsAttention ? "attention" : "none";
    if (job.options.polish)
      options["block_steps"] = job.options.polish->steps;
  }
  if (job.cutsNeurons) {
    options["method"] = "neurons";
    options["scores"] = stringify(job.options.scores);
  } else if (!job.options.fit) {
    options["method"] = stringify(job.options.method);
  }
  if (!job.cutsNeurons)
    options["metric"] = stringify(job.options.metric);
  if (job.training)
    options["training"] = describeTraining(*job.training);
  return options;
}

llvm::json::Object
mlir::trn::describeModel(const ModelConfig &before,
                         llvm::ArrayRef<FactoredMatrix> plan) {
  int64_t all = countParameters(before),
          left = countParameters(factoredConfig(before, plan)), mlp = 0,
          mlpLeft = 0;
  for (const FactoredMatrix &matrix : plan)
    if (StringRef(matrix.module).contains(".mlp.")) {
      mlp += matrix.out * matrix.in;
      mlpLeft += matrix.parameters();
    }
  return llvm::json::Object{
      {"params_before", all},
      {"params_after", left},
      {"ratio", 1 - double(left) / double(all)},
      {"mlp_ratio", mlp ? 1 - double(mlpLeft) / double(mlp) : 0}};
}

/// As many as a chart can show, with four digits, at even steps from the first
/// to the last.
static llvm::json::Array sample(llvm::ArrayRef<double> sigmas) {
  const size_t count = std::min<size_t>(sigmas.size(), 97);
  llvm::json::Array samples;
  for (size_t i = 0; i < count && sigmas[0] > 0; ++i) {
    size_t at = count < 2 ? 0 : i * (sigmas.size() - 1) / (count - 1);
    std::string digits = llvm::formatv("{0:e4}", sigmas[at] / sigmas[0]);
    samples.push_back(std::strtod(digits.c_str(), nullptr));
  }
  return samples;
}

llvm::json::Object mlir::trn::describeFactors(const Factors &factors) {
  llvm::json::Object figures;
  figures["weight_error"] = factors.weightError;
  figures["output_error"] = factors.outputError;
  figures["sigma"] = factors.lastSigma;
  figures["spectrum"] = sample(factors.sigmas);
  figures["jitter"] = factors.jitter;
  if (factors.root != RootForm::Diagonal) {
    figures["root"] = stringify(factors.root);
    figures["condition"] = factors.condition;
  }
  figures["svd"] = stringify(factors.svd);
  if (!factors.svdReason.empty())
    figures["svd_reason"] = factors.svdReason;
  return figures;
}

static llvm::json::Array describeTimes(llvm::ArrayRef<ModelledTime> times) {
  llvm::json::Array all;
  for (const ModelledTime &time : times)
    all.push_back(llvm::json::Object{{"rows", time.rows},
                                     {"dense", time.dense},
                                     {"factored", time.factored}});
  return all;
}

llvm::json::Array
mlir::trn::describeMatrices(llvm::ArrayRef<FactoredMatrix> plan) {
  llvm::json::Array matrices;
  for (const FactoredMatrix &matrix : plan) {
    llvm::json::Object entry = matrix.figures;
    entry["name"] = matrix.module;
    if (!matrix.times.empty())
      entry["modelled_ms"] = describeTimes(matrix.times);
    entry["shape"] = llvm::json::Array{matrix.out, matrix.in};
    if (!matrix.keptDense.empty())
      entry["kept_dense"] = matrix.keptDense;
    if (matrix.isRefitted)
      entry["refitted"] = true;
    if (matrix.isFactored())
      entry["rank"] = matrix.rank;
    if (matrix.isThin())
      entry[matrix.isOfMlp() ? "neurons" : "head_elements"] = matrix.neurons;
    matrices.push_back(std::move(entry));
  }
  return matrices;
}
