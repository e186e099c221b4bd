//===- RecoveryOptions.cpp - How accuracy is won back ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecoveryOptions.h"

#include "llvm/Support/FileSystem.h"

using namespace mlir::trn;
namespace cl = llvm::cl;

namespace {
cl::opt<Recovery> recovery(
    "recover", cl::desc("How accuracy is won back (default closed)"),
    cl::init(Recovery::Closed), cl::cat(getCategory()),
    cl::values(
        clEnumValN(Recovery::None, "none", "not; see --method"),
        clEnumValN(Recovery::Closed, "closed",
                   "factors are fitted to the whole model's stream"),
        clEnumValN(Recovery::Block, "block",
                   "those of an MLP are trained on, too"),
        clEnumValN(Recovery::Lora, "lora",
                   "adapters of all factors are trained, see --lora-from"),
        clEnumValN(Recovery::Distill, "distill",
                   "factors of block are trained on, all together")));
cl::opt<unsigned>
    steps("steps", cl::desc("Steps of training (default 200, 500 of distill)"),
          cl::value_desc("count"), cl::init(0), cl::cat(getCategory()));
cl::opt<unsigned> trainSeqs(
    "train-seqs",
    cl::desc("Stories of it that lora and distill train on (default 600)"),
    cl::value_desc("count"), cl::init(600), cl::cat(getCategory()));
cl::opt<Objective> loss(
    "loss", cl::desc("What they make small (default text for lora)"),
    cl::init(Objective::Dense), cl::cat(getCategory()),
    cl::values(clEnumValN(Objective::Text, "text", "the loss of the text"),
               clEnumValN(Objective::Dense, "dense",
                          "the divergence from what the whole model says")));
cl::opt<double> stepSize(
    "step-size",
    cl::desc("Largest step of Adam (default 0.007 of a factor's root mean "
             "square; 0.002 of an adapter or of fewer neurons)"),
    cl::value_desc("size"), cl::init(0), cl::cat(getCategory()));
cl::opt<Recovery> loraFrom(
    "lora-from",
    cl::desc("What lora trains adapters of (default none; closed for neurons)"),
    cl::init(Recovery::None), cl::cat(getCategory()),
    cl::values(clEnumValN(Recovery::None, "none", "factors of --method"),
               clEnumValN(Recovery::Closed, "closed", "fitted factors"),
               clEnumValN(Recovery::Block, "block",
                          "factors that --recover=block makes")));
cl::opt<unsigned> loraRank("lora-rank",
                           cl::desc("Rank of the adapters (default 8)"),
                           cl::value_desc("size"), cl::init(8),
                           cl::cat(getCategory()));
cl::opt<std::string>
    saveAdapter("save-adapter",
                cl::desc("Folder to make with the adapters, as PEFT does"),
                cl::value_desc("folder"), cl::cat(getCategory()));
enum class StreamError { Off, On };
cl::opt<StreamError> streamError(
    "stream-error",
    cl::desc("Whether fitted factors make up for what layers before them lost"),
    cl::init(StreamError::On), cl::cat(getCategory()),
    cl::values(clEnumValN(StreamError::On, "on", "(default)"),
               clEnumValN(StreamError::Off, "off", "")));
cl::opt<double> shrink("shrink",
                       cl::desc("Pull of fitted factors towards the weights "
                                "(default 0.1)"),
                       cl::value_desc("share"), cl::init(0.1),
                       cl::cat(getCategory()));
enum class Refit { None, Attention };
cl::opt<Refit> refit(
    "refit", cl::desc("Whole weights that are fitted anew, too (default none)"),
    cl::init(Refit::None), cl::cat(getCategory()),
    cl::values(clEnumValN(Refit::None, "none", ""),
               clEnumValN(Refit::Attention, "attention", "q, k, v and o")));
cl::opt<ErrorMetric>
    metric("metric",
           cl::desc("Which errors factors make small (default outputs)"),
           cl::init(ErrorMetric::Outputs), cl::cat(getCategory()),
           cl::values(clEnumValN(ErrorMetric::Outputs, "outputs",
                                 "those of outputs, all alike"),
                      clEnumValN(ErrorMetric::Fisher, "fisher",
                                 "those by what they cost of the loss")));

/// Options of training that trains nothing are not meant.
llvm::Error checkTraining(bool resumes) {
  const bool isLora = recovery == Recovery::Lora,
             isWhole = isLora || recovery == Recovery::Distill;
  for (auto [option, isUsed, where] :
       {std::tuple{static_cast<cl::Option *>(&steps),
                   isWhole || recovery == Recovery::Block,
                   "block, lora and distill"},
        {&trainSeqs, isWhole, "lora and distill"},
        {&loss, isWhole, "lora and distill"},
        {&stepSize, isWhole, "lora and distill"},
        {&loraFrom, isLora, "lora"},
        {&loraRank, isLora, "lora"},
        {&saveAdapter, isLora, "lora"}}) {
    if (!option->getNumOccurrences())
      continue;
    if (!isUsed)
      return refuse("--{0} is for --recover={1}, not {2}", option->ArgStr,
                    where, stringify(recovery));
  }
  for (const cl::opt<unsigned> *count : {&steps, &trainSeqs, &loraRank})
    if (count->getNumOccurrences() && *count < 1)
      return refuse("--{0} must be at least 1", count->ArgStr);
  if (stepSize.getNumOccurrences() && !(stepSize > 0 && stepSize <= 1))
    return refuse("--step-size must be above 0 and at most 1");
  if (!saveAdapter.empty() && llvm::sys::fs::exists(saveAdapter) && !resumes)
    return refuse("'{0}' is there already; name another folder or remove it",
                  saveAdapter);
  return llvm::Error::success();
}

TrainingJob describeTraining(bool cutsNeurons) {
  const bool isLora = recovery == Recovery::Lora;
  TrainingJob training;
  TrainOptions &options = training.options;
  options.objective = loss.getNumOccurrences() ? Objective(loss)
                      : isLora                 ? Objective::Text
                                               : Objective::Dense;
  options.steps = steps ? int64_t(steps) : isLora ? 200 : 500;
  options.rate = stepSize.getNumOccurrences() ? double(stepSize)
                 : isLora || cutsNeurons      ? 0.002
                                              : 0.007;
  if (isLora)
    options.adapterRank = loraRank;
  else
    options.storiesPerStep = 4;
  training.stories = trainSeqs;
  training.savedAdapter = saveAdapter;
  return training;
}
} // namespace

/// Neurons that go unseen leave little to train.
static Recovery getLoraFrom(const CompressionJob &job) {
  return job.cutsNeurons && !loraFrom.getNumOccurrences() ? Recovery::Closed
                                                          : Recovery(loraFrom);
}

/// What has no errors of outputs to weigh.
static llvm::Error checkMetric(const CompressionJob &job, Recovery begin) {
  if (metric == ErrorMetric::Outputs)
    return llvm::Error::success();
  if (job.cutsNeurons)
    return refuse("--metric is for factors of whole weights, of which "
                  "--method=neurons makes none; leave it out");
  if (begin == Recovery::None && job.options.method != Method::Whiten)
    return refuse("--metric=fisher weighs errors of outputs, and "
                  "--method={0} knows none; use --method=whiten or "
                  "--recover=closed",
                  stringify(job.options.method));
  return llvm::Error::success();
}

bool mlir::trn::refitsAttention() { return refit == Refit::Attention; }

llvm::Error mlir::trn::readRecovery(CompressionJob &job) {
  const Recovery begin = recovery == Recovery::Lora      ? getLoraFrom(job)
                         : recovery == Recovery::Distill ? Recovery::Block
                                                         : recovery;
  if (begin != Recovery::None && job.options.method != Method::Whiten)
    return refuse("--method={0} is for --recover=none: {1} fits factors to "
                  "the whole model, not to weights",
                  stringify(job.options.method), stringify(begin));
  if (llvm::Error error = checkMetric(job, begin))
    return error;
  if (begin == Recovery::None && job.thinRank)
    return refuse("factors of what neurons leave are fitted to the whole "
                  "model; leave --rank or --{0}=none out",
                  recovery == Recovery::Lora ? "lora-from" : "recover");
  for (const cl::Option *option : {static_cast<cl::Option *>(&shrink),
                                   static_cast<cl::Option *>(&streamError),
                                   static_cast<cl::Option *>(&refit)})
    if (begin == Recovery::None && option->getNumOccurrences())
      return refuse("--{0} is for what is fitted, and nothing is; leave it out "
                    "or use --recover=closed",
                    option->ArgStr);
  if (llvm::Error error = checkTraining(job.resumes))
    return error;
  if (!(shrink >= 0 && shrink <= 1e3))
    return refuse("--shrink must lie between 0 and 1000");
  job.recovery = recovery;
  if (begin == Recovery::None)
    job.options.fit = std::nullopt;
  else
    job.options.fit =
        FitOptions{shrink, streamError == StreamError::On, refitsAttention()};
  job.options.metric = metric;
  if (begin == Recovery::Block)
    job.options.polish = PolishOptions();
  if (recovery == Recovery::Block && steps)
    job.options.polish->steps = steps;
  if (recovery == Recovery::Lora || recovery == Recovery::Distill)
    job.training = describeTraining(job.cutsNeurons);
  return llvm::Error::success();
}
