//===- TimeVariants.cpp - What trn-llm time compares ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimeVariants.h"

#include "../ToolStreams.h"
#include "Commands.h"
#include "trn/Compress/RankPlan.h"
#include "trn/Machine/KnownMachines.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;
namespace cl = llvm::cl;

namespace {
#define TIMING cl::sub(getTimeCommand()), cl::cat(getCategory())
cl::opt<std::string>
    ratios("ratio",
           cl::desc("Shares of the parameters that the MLPs lose, as with "
                    "trn-compress --model-ratio: a column each, 0 is dense"),
           cl::value_desc("share,share"), TIMING);
enum class Cut { Factors, Neurons };
cl::list<Cut> cuts(
    "cut", TIMING, cl::CommaSeparated,
    cl::desc("How the MLPs lose these shares, a column each (default factors)"),
    cl::values(clEnumValN(Cut::Factors, "factors",
                          "each weight becomes two factors"),
               clEnumValN(Cut::Neurons, "neurons", "whole neurons go")));
enum class Baseline { Ours, NkiXw };
cl::list<Baseline> baselines(
    "dense-baseline", TIMING, cl::CommaSeparated,
    cl::desc("How the MLPs of the dense model run, which others are compared "
             "with: a column each (default ours)"),
    cl::values(clEnumValN(Baseline::Ours, "ours", "as they are compiled"),
               clEnumValN(Baseline::NkiXw, "nki-xw",
                          "in the loops of the vendor's blocked product")));
cl::opt<std::string>
    parallel("tp", TIMING, cl::value_desc("count,count"), cl::init("1"),
             cl::desc("Logical cores that share each layer (tensor "
                      "parallelism): a column each (default 1)"));
cl::opt<std::string>
    batches("batch", TIMING, cl::value_desc("count,count"), cl::init("1"),
            cl::desc("Sequences that are continued together: a column each "
                     "(default 1)"));

/// As the model has them, or stored in 8 bits.
enum class Weights { Model, Int8, Fp8 };
cl::list<Weights>
    weights("weights", TIMING, cl::CommaSeparated,
            cl::desc("What the weights of projections are stored in: a column "
                     "each (default model)"),
            cl::values(clEnumValN(Weights::Model, "model",
                                  "as config.json says, else --dtype"),
                       clEnumValN(Weights::Int8, "int8", "8-bit integers"),
                       clEnumValN(Weights::Fp8, "fp8", "8-bit floats (e4m3)")));

void say(const std::string &text) {
  llvm::WithColor::note(llvm::errs(), "trn-llm")
      << escapeUnprintable(text) << "\n";
}
} // namespace

static llvm::Expected<double> readRatio(StringRef text) {
  double ratio;
  if (text.getAsDouble(ratio) || !(ratio >= 0 && ratio < 1))
    return createStringError(
        formatv("--ratio has '{0}', but takes shares of at least 0 and less "
                "than 1, such as 0,0.1,0.2",
                text));
  return ratio;
}

/// Without a share of the parameters, or as it is where nothing would become
/// smaller.
static llvm::Expected<TimedVariant>
cutVariant(TimedVariant variant, double ratio, StringRef text, Cut cut) {
  const bool cutsNeurons = cut == Cut::Neurons;
  variant.name = text.str() + (cutsNeurons ? " neurons" : "");
  variant.ratio = ratio;
  RankChoice choice;
  choice.modelRatio = ratio;
  choice.block = defaultMachine().partitions;
  choice.cutsNeurons = cutsNeurons;
  auto plan = planRanks(variant.config, choice);
  if (plan) {
    variant.config = factoredConfig(variant.config, *plan);
    variant.isThin = cutsNeurons;
    return variant;
  }
  llvm::Error left =
      llvm::handleErrors(plan.takeError(), [&](const NothingToFactor &nothing) {
        const int64_t least = nothing.largestRank + 1;
        say(formatv(cutsNeurons
                        ? "ratio {0} leaves all {1} neurons"
                        : "ratio {0} leaves all weights dense: factors of {1} "
                          "columns or more have no fewer parameters",
                    text, least));
      });
  if (left)
    return std::move(left);
  return variant;
}

/// The dense model `whole` as --dense-baseline asks for.
static void addBaselines(std::vector<TimedVariant> &variants,
                         const TimedVariant &whole) {
  const std::vector<Baseline> asked =
      baselines.empty() ? std::vector<Baseline>{Baseline::Ours} : baselines;
  for (Baseline baseline : asked) {
    TimedVariant &variant = variants.emplace_back(whole);
    variant.hasVendorLoops = baseline == Baseline::NkiXw;
    if (variant.hasVendorLoops)
      variant.name += " nki-xw";
  }
}

/// Fails if --dense-baseline asks for what `variants` do not have.
static llvm::Error checkBaselines(llvm::ArrayRef<TimedVariant> variants) {
  if (!baselines.empty() && llvm::none_of(variants, [](const auto &variant) {
        return variant.isDense() && !variant.ratio.value_or(0);
      }))
    return createStringError("--dense-baseline is of the dense model, but no "
                             "column is dense");
  if (llvm::is_contained(baselines, Baseline::NkiXw) &&
      (llvm::any_of(weights,
                    [](Weights kind) { return kind != Weights::Model; }) ||
       llvm::any_of(variants, [](const TimedVariant &variant) {
         return variant.config.weightType.has_value();
       })))
    return createStringError("--dense-baseline=nki-xw multiplies weights as "
                             "they lie in HBM, and cannot widen those of 8 "
                             "bits");
  return llvm::Error::success();
}

/// Those of one core.
static llvm::Expected<std::vector<TimedVariant>>
listRatios(const ModelConfig &config) {
  std::vector<TimedVariant> variants;
  TimedVariant whole;
  whole.name = config.ranks.empty() ? "dense" : "factored";
  whole.config = config;
  if (!ratios.getNumOccurrences()) {
    if (!cuts.empty())
      return createStringError("--cut says how --ratio is reached, but there "
                               "is no --ratio");
    if (whole.isDense())
      addBaselines(variants, whole);
    else
      variants.push_back(std::move(whole));
    return variants;
  }
  if (!config.ranks.empty())
    return createStringError("--ratio is of a dense model, but this one has "
                             "factors already");
  for (StringRef text : llvm::split(StringRef(ratios), ',')) {
    text = text.trim();
    llvm::Expected<double> ratio = readRatio(text);
    if (!ratio)
      return ratio.takeError();
    if (*ratio == 0) {
      whole.ratio = 0;
      addBaselines(variants, whole);
      continue;
    }
    const std::vector<Cut> ways =
        cuts.empty() ? std::vector<Cut>{Cut::Factors} : cuts;
    for (Cut cut : ways) {
      auto variant = cutVariant(whole, *ratio, text, cut);
      if (!variant)
        return variant.takeError();
      variants.push_back(std::move(*variant));
    }
  }
  return variants;
}

/// The variants with their weights stored as --weights asks for.
static std::vector<TimedVariant>
storeWeights(const std::vector<TimedVariant> &variants) {
  if (weights.empty())
    return variants;
  std::vector<TimedVariant> stored;
  for (const TimedVariant &variant : variants)
    for (Weights kind : weights) {
      TimedVariant &own = stored.emplace_back(variant);
      if (kind == Weights::Model)
        continue;
      const bool isFloat = kind == Weights::Fp8;
      own.config.weightType = isFloat ? ElementType::F8E4M3FN : ElementType::I8;
      own.name += isFloat ? " fp8" : " int8";
    }
  return stored;
}

/// Counts of `what` from 1 to `most`, with commas between them.
static llvm::Expected<std::vector<int64_t>>
readCounts(const cl::opt<std::string> &option, StringRef what, int64_t most,
           StringRef example) {
  std::vector<int64_t> counts;
  for (StringRef text : llvm::split(StringRef(option), ',')) {
    int64_t &count = counts.emplace_back();
    if (text.trim().getAsInteger(10, count) || count < 1 || count > most)
      return createStringError(
          formatv("--{0} has '{1}', but takes numbers of {2} from 1 to {3}, "
                  "such as {4}",
                  option.ArgStr, text, what, most, example));
  }
  return counts;
}

/// Leaves out what does not fit in HBM. Fails if nothing does.
static llvm::Error dropTooLarge(std::vector<TimedVariant> &variants,
                                const ModelTimeOptions &options) {
  std::vector<TimedVariant> kept;
  std::string problem;
  for (TimedVariant &variant : variants) {
    ModelTimeOptions own = optionsOf(variant, options);
    if (llvm::Error error = checkHbm(variant.config, own)) {
      problem = llvm::toString(std::move(error));
      say(formatv("left out: {0} cores, batch {1}, {2}: {3}", variant.cores,
                  variant.batch, variant.name, problem));
      continue;
    }
    variant.hbmGiB =
        countHbmBytes(variant.config, own) / double(int64_t(1) << 30);
    kept.push_back(std::move(variant));
  }
  variants = std::move(kept);
  return variants.empty() ? createStringError(problem) : llvm::Error::success();
}

llvm::Expected<std::vector<TimedVariant>>
mlir::trn::listVariants(const ModelConfig &config,
                        const ModelTimeOptions &options) {
  auto plain = listRatios(config);
  if (!plain)
    return plain.takeError();
  if (llvm::Error error = checkBaselines(*plain))
    return error;
  auto cores = readCounts(parallel, "cores", 64, "1,2");
  if (!cores)
    return cores.takeError();
  auto sequences = readCounts(batches, "sequences", 4096, "1,8");
  if (!sequences)
    return sequences.takeError();
  std::vector<TimedVariant> variants;
  for (int64_t count : *cores)
    for (int64_t batch : *sequences)
      for (TimedVariant variant : storeWeights(*plain)) {
        variant.cores = count;
        variant.batch = batch;
        variants.push_back(std::move(variant));
      }
  if (llvm::Error error = dropTooLarge(variants, options))
    return error;
  return variants;
}
