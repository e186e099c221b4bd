//===- TimeModel.cpp - Modelled times of language models ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Run/TimeModel.h"

#include "Run.h"
#include "SummarizeRun.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Generate/Llama.h"
#include "trn/Run/RunModule.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;

llvm::Error mlir::trn::checkTokens(const ModelConfig &config,
                                   const ModelTimeOptions &options) {
  for (auto [name, count] :
       {std::pair("prompt", options.promptTokens), {"new", options.newTokens}})
    if (count < 1)
      return createStringError(formatv(
          "there are {0} {1} tokens, but at least 1 is needed", count, name));
  // Written so that no sum overflows.
  if (options.promptTokens > config.maxPositions ||
      options.newTokens > config.maxPositions - options.promptTokens)
    return createStringError(
        formatv("{0} tokens of a prompt and {1} new ones are more than the {2} "
                "positions of the model",
                options.promptTokens, options.newTokens, config.maxPositions));
  return llvm::Error::success();
}

int64_t mlir::trn::chooseContext(int64_t tokens, const ModelConfig &config) {
  return std::min<int64_t>(llvm::PowerOf2Ceil(tokens), config.maxPositions);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Times `more` layers than the module has. Nothing if it is not clear what a
/// layer is.
static FailureOr<std::optional<StepTime>>
compileAndTime(ModuleOp module, int64_t size, int64_t more,
               const ModelTimeOptions &options) {
  setMachine(module, options.machine);
  RunOptions runOptions;
  runOptions.compile = formatv("partition={0} scheme={1}", options.cores,
                               stringify(options.scheme));
  if (options.hasVendorLoops)
    *runOptions.compile += " strategy=nki-xw strategy-for=.mlp.";
  if (options.dropMaxima)
    *runOptions.compile += " drop-maxima";
  if (options.effort)
    *runOptions.compile += formatv(" effort={0}", *options.effort).str();
  runOptions.planCache = options.planCache;
  runOptions.timingOnly = true;
  runOptions.range = options.range;
  Run run(module, runOptions);
  if (failed(run.execute()))
    return failure();
  if (more > 0 && !run.addRounds(more))
    return std::optional<StepTime>();
  FailureOr<Report> report = run.summarize();
  if (failed(report))
    return failure();
  StepTime step;
  step.size = size;
  step.report = std::move(*report);
  step.split = splitTime(run.getEntry(), step.report, run.getLikes());
  if (options.timeline)
    step.timeline =
        recordTimeline(run.getEntry(), run.getExecutable(), step.report);
  return std::optional(std::move(step));
}

static llvm::Expected<std::optional<StepTime>>
timeStep(const LlamaSpec &spec, int64_t more, const ModelTimeOptions &options) {
  DialectRegistry registry;
  registry.insert<TrnDialect>();
  registerRunDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string problem;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    DiagnosticSeverity severity = diagnostic.getSeverity();
    if (severity == DiagnosticSeverity::Error && problem.empty())
      problem = diagnostic.str();
    if (severity == DiagnosticSeverity::Warning && options.warn)
      options.warn(diagnostic.str());
    return success();
  });
  auto module = generateLlama(&context, spec);
  if (!module)
    return module.takeError();
  auto step = compileAndTime(**module, spec.rows ? *spec.rows : *spec.context,
                             more, options);
  if (failed(step))
    return createStringError(problem);
  return std::move(*step);
}

/// So many layers show what a further one does: the first and the last ones
/// differ from those between.
static constexpr int64_t fewLayers = 6;

/// The model without all but `fewLayers` of its layers, if all are alike.
static std::optional<ModelConfig> withFewLayers(const ModelConfig &config) {
  if (config.layers <= fewLayers || !llvm::all_equal(config.windows) ||
      !llvm::all_equal(config.intermediates))
    return std::nullopt;
  ModelConfig few = config;
  few.layers = fewLayers;
  if (!few.windows.empty())
    few.windows.resize(fewLayers);
  if (!few.intermediates.empty())
    few.intermediates.resize(fewLayers);
  few.ranks.clear();
  std::map<std::string, int64_t> counts;
  for (const auto &[module, rank] : config.ranks) {
    StringRef rest = module;
    int64_t layer;
    if (!rest.consume_front("model.layers.") ||
        rest.consumeInteger(10, layer)) {
      few.ranks.emplace(module, rank);
      continue;
    }
    std::string first = ("model.layers.0" + rest).str();
    auto known = config.ranks.find(first);
    if (known == config.ranks.end() || known->second != rank)
      return std::nullopt;
    ++counts[first];
    if (layer < fewLayers)
      few.ranks.emplace(module, rank);
  }
  for (const auto &[module, count] : counts)
    if (count != config.layers)
      return std::nullopt;
  return few;
}

/// Layers that are alike are compiled a few times, and timed as often as they
/// come. A timeline has all of them.
static llvm::Expected<StepTime> timeStep(const LlamaSpec &spec,
                                         const ModelTimeOptions &options) {
  if (std::optional<ModelConfig> few = withFewLayers(spec.config);
      few && !options.timeline) {
    LlamaSpec shorter = spec;
    shorter.config = std::move(*few);
    auto step =
        timeStep(shorter, spec.config.layers - shorter.config.layers, options);
    if (!step)
      return step.takeError();
    if (*step)
      return std::move(**step);
  }
  auto step = timeStep(spec, /*more=*/0, options);
  if (!step)
    return step.takeError();
  return std::move(**step);
}

static LlamaSpec specOf(const ModelConfig &config,
                        const ModelTimeOptions &options) {
  LlamaSpec spec;
  spec.config = config;
  spec.type = options.type;
  return spec;
}

llvm::Expected<StepTime> mlir::trn::timePrefill(const ModelConfig &config,
                                                const ModelTimeOptions &options,
                                                int64_t rows) {
  LlamaSpec spec = specOf(config, options);
  spec.rows = rows;
  return timeStep(spec, options);
}

llvm::Expected<StepTime> mlir::trn::timeDecode(const ModelConfig &config,
                                               const ModelTimeOptions &options,
                                               int64_t context) {
  LlamaSpec spec = specOf(config, options);
  spec.context = context;
  spec.batch = options.batch;
  return timeStep(spec, options);
}

llvm::Expected<ModelTime>
mlir::trn::timeModel(const ModelConfig &config,
                     const ModelTimeOptions &options) {
  if (llvm::Error error = checkTokens(config, options))
    return error;
  if (llvm::Error error = checkHbm(config, options))
    return error;
  ModelTime time;
  time.promptTokens = options.promptTokens;
  time.newTokens = options.newTokens;
  time.batch = options.batch;
  size_t done = 0;
  auto tell = [&] {
    if (options.progress)
      options.progress(done++, 3);
  };
  ModelTimeOptions early = options;
  early.timeline = false;

  tell();
  if (llvm::Error error = timePrefill(config, early, options.promptTokens)
                              .moveInto(time.prefill))
    return error;

  // The first token generated by a decode sees the prompt, the last one all
  // tokens but itself.
  const int64_t first = chooseContext(options.promptTokens, config),
                last = chooseContext(
                    options.promptTokens + options.newTokens - 1, config);
  tell();
  if (llvm::Error error =
          timeDecode(config, first == last ? options : early, first)
              .moveInto(time.first))
    return error;

  tell();
  if (first == last)
    time.last = time.first;
  else if (llvm::Error error =
               timeDecode(config, options, last).moveInto(time.last))
    return error;
  tell();
  return time;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static double milliseconds(int64_t picoseconds) {
  return double(picoseconds) / 1e9;
}

namespace {
/// Milliseconds of a prompt and of a step of all sequences.
struct Times {
  double prefill, first, last;
  int64_t newTokens, batch;

  double mean() const { return (first + last) / 2; }
  double total() const {
    return double(batch) * prefill + double(newTokens) * mean();
  }
};
} // namespace

static Times timesOf(const ModelTime &time,
                     function_ref<int64_t(const Metrics &)> latency) {
  auto of = [&](const StepTime &step) {
    return milliseconds(latency(step.report.total));
  };
  return {of(time.prefill), of(time.first), of(time.last), time.newTokens,
          time.batch};
}

Entries mlir::trn::timeEntries(const ModelTime &time) {
  Times times =
      timesOf(time, [](const Metrics &total) { return total.sum.latency; });
  const auto made = double(time.batch * time.newTokens),
             tokens = made + double(time.batch * time.promptTokens);
  Entries entries = {{"ttft_ms", times.prefill},
                     {"ms_per_token", times.mean()},
                     {"ms_per_token_first", times.first},
                     {"ms_per_token_last", times.last},
                     {"e2e_ms", times.total()},
                     {"tokens_per_s", 1e3 * tokens / times.total()},
                     {"new_tokens_per_s", 1e3 * made / times.total()}};
  if (!time.prefill.report.total.latencyRange)
    return entries;
  Times low = timesOf(
      time, [](const Metrics &total) { return total.latencyRange->first; });
  Times high = timesOf(
      time, [](const Metrics &total) { return total.latencyRange->second; });
  auto add = [&](const char *name, double from, double to) {
    entries.emplace_back(name, llvm::json::Array{from, to});
  };
  add("ttft_range_ms", low.prefill, high.prefill);
  add("ms_per_token_range", low.mean(), high.mean());
  add("e2e_range_ms", low.total(), high.total());
  return entries;
}

Entries mlir::trn::stepEntries(const StepTime &step) {
  const Report &report = step.report;
  Entries entries;
  for (const char *key :
       {"latency_ms", "latency_range_ms", "bound_ms", "launches"})
    if (llvm::json::Value value =
            findMetricKey(key)->value(report.total, report.machine);
        value.kind() != llvm::json::Value::Null)
      entries.emplace_back(key, std::move(value));
  entries.emplace_back("host_ops", countHostOps(report));
  return entries;
}

Entries mlir::trn::splitEntries(const TimeSplit &split) {
  Entries entries;
  for (size_t part = 0; part != numModelParts; ++part)
    if (split[part] || (ModelPart(part) != ModelPart::Unknown &&
                        ModelPart(part) != ModelPart::Collectives))
      entries.emplace_back(stringify(ModelPart(part)),
                           milliseconds(split[part]));
  return entries;
}
