//===- TimeModel.cpp - trn-llm time ---------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimeModel.h"

#include "../ToolStreams.h"
#include "Commands.h"
#include "CoreOptions.h"
#include "TimeBuckets.h"
#include "TimeTargets.h"
#include "TimeVariants.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Page/Html.h"
#include "trn/Support/OutputFile.h"
#include "trn/Support/Progress.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;
namespace cl = llvm::cl;

namespace {
#define TIMING cl::sub(getTimeCommand()), cl::cat(getCategory())
cl::opt<int64_t> promptTokens("prompt-tokens", cl::desc("Tokens of the prompt"),
                              cl::Required, cl::value_desc("count"), TIMING);
cl::opt<int64_t> newTokens("new-tokens", cl::desc("Tokens to generate"),
                           cl::Required, cl::value_desc("count"), TIMING);
CoreOptions &core = getCoreOptions();
cl::opt<double> maxMsPerToken(
    "max-ms-per-token", TIMING, cl::value_desc("ms"),
    cl::desc("Say on how few cores a token takes no longer, and with which "
             "batch and ratio"));
cl::opt<double>
    minTokensPerSecond("min-tokens-per-s", TIMING, cl::value_desc("count"),
                       cl::desc("The same of new tokens a second of all "
                                "sequences"));
cl::list<PartitionScheme>
    schemes("tp-scheme", TIMING, cl::CommaSeparated,
            cl::desc("How factors of weights may be split over cores: the "
                     "fastest of these (default: of all)"),
            partitionSchemeValues());
cl::opt<bool>
    range("range", TIMING,
          cl::desc("Also time with the machine's constants at the ends of "
                   "their ranges"));
cl::opt<std::string> tableFile(
    "table", TIMING, cl::value_desc("file"),
    cl::desc("Write times of prompts and caches of powers of two rows "
             "as CSV, for simulators of serving"));
cl::opt<std::string>
    html("html", cl::value_desc("file"), TIMING,
         cl::desc("Write a page with the split and the last token's report"));

} // namespace

StringRef mlir::trn::getPageFile() { return html; }
StringRef mlir::trn::getTableFile() { return tableFile; }

static llvm::Expected<ModelTimeOptions> readOptions() {
  ModelTimeOptions options;
  if (llvm::Error error = core.load().moveInto(options.machine))
    return error;
  options.type = core.type;
  options.promptTokens = promptTokens;
  options.newTokens = newTokens;
  options.range = range;
  options.timeline = !html.empty();
  options.effort = core.getEffort();
  options.planCache = core.planCache;
  options.dropMaxima = core.dropMaxima;
  options.warn = [](const std::string &text) {
    llvm::WithColor::warning(llvm::errs(), "trn-llm")
        << escapeUnprintable(text) << "\n";
  };
  return options;
}

static llvm::Expected<TimeTargets> readTargets() {
  for (const cl::opt<double> *target : {&maxMsPerToken, &minTokensPerSecond})
    if (target->getNumOccurrences() && !(*target > 0))
      return createStringError(formatv("--{0} is {1}, but must be above 0",
                                       target->ArgStr, double(*target)));
  TimeTargets targets;
  if (maxMsPerToken.getNumOccurrences())
    targets.maxMsPerToken = maxMsPerToken;
  if (minTokensPerSecond.getNumOccurrences())
    targets.minTokensPerSecond = minTokensPerSecond;
  return targets;
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

static llvm::Error writePage(llvm::ArrayRef<TimedVariant> variants,
                             const ModelTimeOptions &options, StringRef model) {
  HtmlPage page;
  page.title = formatv("{0} on {1}", model, options.machine.name);
  page.model = toJson(variants, options);
  for (const TimedVariant &variant : variants) {
    const StepTime &last = variant.time.last;
    std::string name = variant.name;
    if (variant.cores > 1)
      name += formatv(" on {0} cores", variant.cores);
    if (variant.batch > 1)
      name += formatv(", batch {0}", variant.batch);
    page.reports.push_back({name, toJson(last.report), last.timeline});
  }
  return writeFile(html, [&](llvm::raw_ostream &os) { printHtml(page, os); });
}

static llvm::Error writeTable(llvm::ArrayRef<TimedVariant> variants,
                              const ModelTimeOptions &options) {
  llvm::Expected<std::string> table = timeBuckets(variants, options);
  if (!table)
    return table.takeError();
  return writeFile(tableFile, [&](llvm::raw_ostream &os) { os << *table; });
}

/// What may be chosen for a variant; dense weights are split in one way.
static std::vector<PartitionScheme> listSchemes(const TimedVariant &variant) {
  if (variant.cores == 1 || variant.config.ranks.empty())
    return {PartitionScheme::Column};
  if (!schemes.empty())
    return schemes;
  return {PartitionScheme::Column, PartitionScheme::Gather,
          PartitionScheme::Reduce};
}

/// Times a variant by the scheme that makes it fastest.
static llvm::Error timeBest(TimedVariant &variant, ModelTimeOptions options) {
  options = optionsOf(variant, std::move(options));
  std::vector<PartitionScheme> choice = listSchemes(variant);
  std::optional<double> best;
  for (PartitionScheme scheme : choice) {
    options.scheme = scheme;
    ModelTime time;
    if (llvm::Error error = timeModel(variant.config, options).moveInto(time))
      return error;
    double all = wholeTime(time);
    if (choice.size() > 1)
      variant.schemeTimes.emplace_back(scheme, all);
    if (best && *best <= all)
      continue;
    best = all;
    variant.time = std::move(time);
    if (choice.size() > 1 || !schemes.empty())
      variant.scheme = scheme;
  }
  return llvm::Error::success();
}

/// Variants that came to the same ranks and types are timed once.
static llvm::Error timeVariants(std::vector<TimedVariant> &variants,
                                ModelTimeOptions options) {
  ProgressBar bar(llvm::errs());
  for (auto [i, variant] : llvm::enumerate(variants)) {
    options.progress = [&, i = i](size_t done, size_t total) {
      bar.show(i * total + done, variants.size() * total);
    };
    auto same = llvm::find_if(
        variants, [&variant = variant](const TimedVariant &other) {
          return other.config.ranks == variant.config.ranks &&
                 other.config.weightType == variant.config.weightType &&
                 other.config.intermediate == variant.config.intermediate &&
                 other.config.intermediates == variant.config.intermediates &&
                 other.hasVendorLoops == variant.hasVendorLoops &&
                 other.cores == variant.cores && other.batch == variant.batch;
        });
    if (&*same == &variant) {
      if (llvm::Error error = timeBest(variant, options))
        return error;
      continue;
    }
    variant.time = same->time;
    variant.scheme = same->scheme;
    variant.schemeTimes = same->schemeTimes;
  }
  return llvm::Error::success();
}

llvm::Expected<llvm::json::Value> mlir::trn::showTimes(StringRef model) {
  llvm::Expected<ModelTimeOptions> options = readOptions();
  if (!options)
    return options.takeError();
  llvm::Expected<ModelConfig> config = readConfig(model);
  if (!config)
    return config.takeError();
  if (llvm::Error error = checkTokens(*config, *options))
    return error;
  llvm::Expected<TimeTargets> targets = readTargets();
  if (!targets)
    return targets.takeError();
  auto variants = listVariants(*config, *options);
  if (!variants)
    return variants.takeError();
  if (llvm::Error error = timeVariants(*variants, *options))
    return error;
  llvm::outs() << formatv("modelled on {0} in {1} (simulated, not measured on "
                          "hardware): {2} tokens of a prompt, {3} new ones\n",
                          options->machine.name, stringify(options->type),
                          options->promptTokens, options->newTokens);
  printTimes(*variants, llvm::outs());
  llvm::json::Value answer = printTargets(*variants, *targets, llvm::outs());
  if (!html.empty())
    if (llvm::Error error = writePage(*variants, *options, model))
      return error;
  if (!tableFile.empty())
    if (llvm::Error error = writeTable(*variants, *options))
      return error;
  llvm::json::Object figures = toJson(*variants, *options);
  if (answer.kind() != llvm::json::Value::Null)
    figures["targets"] = std::move(answer);
  return figures;
}
