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
#include "TimeTable.h"
#include "trn/Compress/RankPlan.h"
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
cl::opt<std::string> ratios(
    "ratio",
    cl::desc("Shares of the parameters that factors of the MLPs remove, as "
             "trn-compress --model-ratio does: a column each, 0 is dense"),
    cl::value_desc("share,share"), TIMING);
cl::opt<std::string>
    parallel("tp", TIMING, cl::value_desc("count,count"), cl::init("1"),
             cl::desc("Cores that share each layer (tensor parallelism): a "
                      "column each (default 1)"));
cl::list<PartitionScheme>
    schemes("tp-scheme", TIMING, cl::CommaSeparated,
            cl::desc("How factors of weights may be split over cores: the "
                     "fastest of these (default: of all)"),
            partitionSchemeValues());
cl::opt<bool>
    range("range", TIMING,
          cl::desc("Also time with the machine's constants at the ends of "
                   "their ranges"));
cl::opt<std::string>
    html("html", cl::value_desc("file"), TIMING,
         cl::desc("Write a page with the split and the last token's report"));

void say(const std::string &text) {
  llvm::WithColor::note(llvm::errs(), "trn-llm")
      << escapeUnprintable(text) << "\n";
}
} // namespace

StringRef mlir::trn::getPageFile() { return html; }

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

/// With the factors that remove a share of the parameters, or as it is where
/// they would be no smaller than the weights.
static llvm::Expected<TimedVariant> makeVariant(const ModelConfig &config,
                                                StringRef text) {
  double ratio;
  if (text.getAsDouble(ratio) || !(ratio >= 0 && ratio < 1))
    return createStringError(
        formatv("--ratio has '{0}', but takes shares of at least 0 and less "
                "than 1, such as 0,0.1,0.2",
                text));
  TimedVariant variant{"dense", ratio, 1, config, {}};
  if (ratio == 0)
    return variant;
  variant.name = text.str();
  RankChoice choice;
  choice.modelRatio = ratio;
  choice.block = defaultMachine().partitions;
  llvm::Expected<std::vector<FactoredMatrix>> plan = planRanks(config, choice);
  if (plan) {
    variant.config = factoredConfig(config, *plan);
    return variant;
  }
  llvm::Error left =
      llvm::handleErrors(plan.takeError(), [&](const NothingToFactor &nothing) {
        say(formatv("ratio {0} leaves all weights dense: factors of {1} "
                    "columns or more have no fewer parameters",
                    text, nothing.largestRank + 1));
      });
  if (left)
    return std::move(left);
  return variant;
}

/// Those of one core.
static llvm::Expected<std::vector<TimedVariant>>
listRatios(const ModelConfig &config) {
  std::vector<TimedVariant> variants;
  if (!ratios.getNumOccurrences()) {
    variants.push_back({config.ranks.empty() ? "dense" : "factored",
                        std::nullopt,
                        1,
                        config,
                        {}});
    return variants;
  }
  if (!config.ranks.empty())
    return createStringError("--ratio is of a dense model, but this one has "
                             "factors already");
  for (StringRef text : llvm::split(StringRef(ratios), ',')) {
    llvm::Expected<TimedVariant> variant = makeVariant(config, text.trim());
    if (!variant)
      return variant.takeError();
    variants.push_back(std::move(*variant));
  }
  return variants;
}

static llvm::Expected<std::vector<TimedVariant>>
listVariants(const ModelConfig &config) {
  llvm::Expected<std::vector<TimedVariant>> onOne = listRatios(config);
  if (!onOne)
    return onOne.takeError();
  std::vector<TimedVariant> variants;
  for (StringRef text : llvm::split(StringRef(parallel), ',')) {
    int64_t cores;
    if (text.trim().getAsInteger(10, cores) || cores < 1 || cores > 64)
      return createStringError(formatv(
          "--tp has '{0}', but takes numbers of cores from 1 to 64, such as "
          "1,2",
          text));
    for (TimedVariant variant : *onOne) {
      variant.cores = cores;
      variants.push_back(std::move(variant));
    }
  }
  return variants;
}

static llvm::Expected<ModelTimeOptions> readOptions() {
  ModelTimeOptions options;
  if (llvm::Error error = core.load().moveInto(options.machine))
    return error;
  options.type = core.type;
  options.promptTokens = promptTokens;
  options.newTokens = newTokens;
  options.range = range;
  options.timeline = !html.empty();
  options.planCache = core.planCache;
  options.warn = [](const std::string &text) {
    llvm::WithColor::warning(llvm::errs(), "trn-llm")
        << escapeUnprintable(text) << "\n";
  };
  return options;
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
    page.reports.push_back({name, toJson(last.report), last.timeline});
  }
  return writeFile(html, [&](llvm::raw_ostream &os) { printHtml(page, os); });
}

/// Variants that came to the same ranks are timed once.
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
  options.cores = variant.cores;
  std::vector<PartitionScheme> choice = listSchemes(variant);
  std::optional<double> best;
  for (PartitionScheme scheme : choice) {
    options.scheme = scheme;
    ModelTime time;
    if (llvm::Error error = timeModel(variant.config, options).moveInto(time))
      return error;
    double all = wholeTime(time);
    if (best && *best <= all)
      continue;
    best = all;
    variant.time = std::move(time);
    if (choice.size() > 1 || !schemes.empty())
      variant.scheme = scheme;
  }
  return llvm::Error::success();
}

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
                 other.cores == variant.cores;
        });
    if (&*same != &variant)
      variant.time = same->time;
    else if (llvm::Error error = timeBest(variant, options))
      return error;
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
  auto variants = listVariants(*config);
  if (!variants)
    return variants.takeError();
  if (llvm::Error error = timeVariants(*variants, *options))
    return error;
  llvm::outs() << formatv("modelled on {0} in {1} (simulated, not measured on "
                          "hardware): {2} tokens of a prompt, {3} new ones\n",
                          options->machine.name, stringify(options->type),
                          options->promptTokens, options->newTokens);
  printTimes(*variants, llvm::outs());
  if (!html.empty())
    if (llvm::Error error = writePage(*variants, *options, model))
      return error;
  return toJson(*variants, *options);
}
