//===- SizeOptions.cpp - Which sizes weights get --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeOptions.h"

#include "RecoveryOptions.h"
#include "SpeedUp.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Support/InputFile.h"

using namespace mlir::trn;
namespace cl = llvm::cl;

namespace {
cl::OptionCategory &category = getCategory();

cl::opt<unsigned> rank("rank", cl::desc("Rank of all factors"),
                       cl::value_desc("size"), cl::cat(category));
cl::opt<double>
    ratio("ratio", cl::desc("Share of the parameters of each weight to remove"),
          cl::value_desc("share"), cl::cat(category));
cl::opt<double> keepRatio("keep-ratio", cl::desc("Share of them to keep"),
                          cl::value_desc("share"), cl::cat(category));
cl::opt<double>
    modelRatio("model-ratio",
               cl::desc("Share of the parameters of the model to remove"),
               cl::value_desc("share"), cl::cat(category));
cl::opt<std::string> ranks("ranks",
                           cl::desc("Ranks by the names of modules, as JSON"),
                           cl::value_desc("file"), cl::cat(category));
cl::opt<unsigned> block("block",
                        cl::desc("Ranks are multiples of this (default 128)"),
                        cl::value_desc("size"), cl::init(0), cl::cat(category));
cl::opt<double> alpha("alpha",
                      cl::desc("Blocks that a rank of --ratio may be too small "
                               "by (default 0.5: the nearest)"),
                      cl::value_desc("share"), cl::init(0.5),
                      cl::cat(category));
cl::opt<Allocation> allocation(
    "allocate", cl::desc("How weights share parameters (default uniform)"),
    cl::init(Allocation::Uniform), cl::cat(category),
    cl::values(clEnumValN(Allocation::Uniform, "uniform",
                          "each gets the rank that is asked for"),
               clEnumValN(Allocation::Relative, "relative",
                          "more where singular values fall slowly"),
               clEnumValN(Allocation::Loss, "loss",
                          "so that the loss is estimated to rise least")));
cl::list<std::string> modules(
    "modules",
    cl::desc("Weights to factor: mlp (default), attention, or ends of names "
             "such as gate_proj"),
    cl::value_desc("names"), cl::CommaSeparated, cl::cat(category));
cl::list<std::string>
    ignored("ignore", cl::desc("Leave modules whole whose name matches"),
            cl::value_desc("regex"), cl::cat(category));
cl::opt<std::string> layers("layers",
                            cl::desc("Only these layers, as in 0,3-9"),
                            cl::value_desc("numbers"), cl::cat(category));

enum class Cut { Whiten, Plain, Asvd, Neurons };
cl::opt<Cut>
    method("method", cl::desc("What the factors keep best (default whiten)"),
           cl::init(Cut::Whiten), cl::cat(category),
           cl::values(clEnumValN(Cut::Whiten, "whiten",
                                 "the outputs for the calibration (SVD-LLM)"),
                      clEnumValN(Cut::Plain, "plain", "the weight (SVD)"),
                      clEnumValN(Cut::Asvd, "asvd",
                                 "the weight, scaled by its inputs (ASVD)"),
                      clEnumValN(Cut::Neurons, "neurons",
                                 "MLPs lose whole neurons; with --rank, "
                                 "factors of what is left")));
cl::list<unsigned> neurons(
    "neurons",
    cl::desc("Neurons that stay in each MLP, or a number for each layer"),
    cl::value_desc("counts"), cl::CommaSeparated, cl::cat(category));
cl::opt<unsigned> heads("heads",
                        cl::desc("Heads of queries that stay in attention"),
                        cl::value_desc("count"), cl::cat(category));
cl::opt<unsigned> kvHeads("kv-heads",
                          cl::desc("Heads of keys that stay, of which each has "
                                   "as many of queries"),
                          cl::value_desc("count"), cl::cat(category));
cl::opt<Scores> scores(
    "scores", cl::desc("Which neurons and heads stay (default greedy)"),
    cl::init(Scores::Greedy), cl::cat(category),
    cl::values(clEnumValN(Scores::Greedy, "greedy",
                          "one by one, what the outputs still need most"),
               clEnumValN(Scores::Norm, "norm",
                          "those that alone add most to the outputs")));
cl::opt<Svd> svd("svd",
                 cl::desc("How singular values are found (default mixed)"),
                 cl::init(Svd::Mixed), cl::cat(category),
                 cl::values(clEnumValN(Svd::Mixed, "mixed",
                                       "in f32, and in f64 where it matters"),
                            clEnumValN(Svd::Exact, "exact", "in f64"),
                            clEnumValN(Svd::Fast, "fast", "in f32")));
cl::opt<SigmaSide>
    sigma("sigma", cl::desc("Where singular values are (default balanced)"),
          cl::init(SigmaSide::Balanced), cl::cat(category),
          cl::values(clEnumValN(SigmaSide::Balanced, "balanced",
                                "in both factors, so that their norms agree"),
                     clEnumValN(SigmaSide::Sqrt, "sqrt",
                                "their roots in the second factor"),
                     clEnumValN(SigmaSide::U, "u", "in the first factor"),
                     clEnumValN(SigmaSide::V, "v", "in the second factor")));

cl::opt<bool>
    faster("require-faster",
           cl::desc("Leave weights whole whose factors are modelled slower at "
                    "all these rows"),
           cl::cat(category));

//===----------------------------------------------------------------------===//
// What is asked
//===----------------------------------------------------------------------===//

llvm::Error readRanks(RankChoice &choice) {
  auto buffer = readInputFile(ranks, /*isText=*/true);
  if (!buffer)
    return llvm::createFileError(ranks, buffer.takeError());
  auto parsed = parseRanks((*buffer)->getBuffer());
  if (!parsed)
    return llvm::createFileError(ranks, parsed.takeError());
  choice.ranks = std::move(*parsed);
  if (choice.ranks.empty())
    return refuse("'{0}' names no module", ranks);
  return llvm::Error::success();
}

bool isGiven(const cl::Option &option) {
  return option.getNumOccurrences() > 0;
}

bool asksForNumberOfHeads() { return isGiven(heads) || isGiven(kvHeads); }

/// What goes with --method=neurons, and what with all others.
llvm::Error readNeurons(RankChoice &choice) {
  choice.cutsNeurons = method == Cut::Neurons;
  for (const cl::Option *option :
       {static_cast<cl::Option *>(std::addressof(neurons)),
        static_cast<cl::Option *>(&heads), static_cast<cl::Option *>(&kvHeads),
        static_cast<cl::Option *>(&scores)})
    if (isGiven(*option) && !choice.cutsNeurons)
      return refuse("--{0} is for --method=neurons", option->ArgStr);
  if (!choice.cutsNeurons)
    return llvm::Error::success();
  if (isGiven(ranks) || requiresFaster())
    return refuse("--{0} is for factors of whole weights, of which "
                  "--method=neurons makes none; leave it out",
                  isGiven(ranks) ? "ranks" : "require-faster");
  for (const cl::Option *option :
       {static_cast<cl::Option *>(&svd), static_cast<cl::Option *>(&sigma)})
    if (isGiven(*option) && !isGiven(rank))
      return refuse("--{0} is for factors, of which --method=neurons makes "
                    "none without --rank; leave it out",
                    option->ArgStr);
  for (unsigned count : neurons) {
    if (count < 1)
      return refuse("--neurons must be at least 1");
    choice.neurons.push_back(count);
  }
  if (isGiven(heads))
    choice.heads = heads;
  if (isGiven(kvHeads))
    choice.kvHeads = kvHeads;
  // Numbers say what they are of.
  if (asksForNumberOfHeads() && modules.empty())
    choice.modules = neurons.empty()
                         ? std::vector<std::string>{"attention"}
                         : std::vector<std::string>{"mlp", "attention"};
  return llvm::Error::success();
}

/// Options that each say how much is to stay. The rank that goes with neurons
/// says what becomes of that.
int countSizes() {
  int given = getSpeedUp().has_value();
  for (const cl::Option *option :
       {static_cast<cl::Option *>(&rank), static_cast<cl::Option *>(&ratio),
        static_cast<cl::Option *>(&keepRatio),
        static_cast<cl::Option *>(&modelRatio),
        static_cast<cl::Option *>(&ranks)})
    given += isGiven(*option) && !(option == &rank && method == Cut::Neurons);
  return given + (!neurons.empty() || asksForNumberOfHeads());
}

/// Options that exclude each other.
llvm::Error checkSizes() {
  if (int given = countSizes(); given != 1)
    return refuse("give one of --rank, --ratio, --keep-ratio, --model-ratio, "
                  "--ranks, --neurons and --speedup, not {0}{1}",
                  given,
                  isGiven(rank) && method == Cut::Neurons
                      ? "; with --method=neurons, --rank goes with another one"
                      : "");
  if (allocation == Allocation::Relative && method == Cut::Neurons)
    return refuse("--allocate=relative is for factors, of which "
                  "--method=neurons makes none; use --allocate=loss");
  if (allocation == Allocation::Loss && method == Cut::Neurons &&
      (!modules.empty() || asksForNumberOfHeads()))
    return refuse("--allocate=loss shares neurons of MLPs out, not heads; "
                  "leave --modules and --heads out");
  if (getSpeedUp() &&
      (isGiven(allocation) || !modules.empty() || requiresFaster()))
    return refuse("--speedup shares out what MLPs may take by loss; leave "
                  "--allocate, --modules and --require-faster out");
  if (allocation != Allocation::Uniform && isGiven(ranks))
    return refuse("--allocate and --ranks both say which rank a weight gets; "
                  "give one");
  const bool isOfShare =
      isGiven(ratio) || isGiven(keepRatio) || isGiven(modelRatio);
  if (isGiven(alpha) && !isOfShare)
    return refuse("--alpha rounds ranks that come from a share, not those of "
                  "--rank and --ranks; leave it out");
  if (!(alpha >= 0 && alpha < 1))
    return refuse("--alpha is {0}, but must be at least 0 and below 1",
                  double(alpha));
  if (isGiven(rank) && rank < 1)
    return refuse("--rank must be at least 1");
  return llvm::Error::success();
}

llvm::Error readShare(RankChoice &choice) {
  const bool isOfModel = isGiven(modelRatio);
  const double share = isGiven(keepRatio) ? 1 - keepRatio
                       : isOfModel        ? modelRatio
                                          : ratio;
  if (!(share > 0 && share < 1))
    return refuse("--ratio, --keep-ratio and --model-ratio must lie between "
                  "0 and 1");
  (isOfModel ? choice.modelRatio : choice.ratio) = share;
  return llvm::Error::success();
}

} // namespace

bool mlir::trn::requiresFaster() { return faster; }

bool mlir::trn::asksForSizes() { return countSizes() > 0; }

llvm::Expected<RankChoice> mlir::trn::readRankChoice() {
  if (llvm::Error error = checkSizes())
    return error;
  RankChoice choice;
  if (llvm::Error error = readNeurons(choice))
    return error;
  choice.block = block ? unsigned(block) : defaultMachine().partitions;
  if (choice.block % 32)
    return refuse("--block is {0}, but must be a multiple of 32", choice.block);
  choice.alpha = alpha;
  if (isGiven(rank))
    choice.rank = rank;
  if (getSpeedUp()) {
    // The least that there may be, for the time being.
    if (choice.cutsNeurons)
      choice.neurons = {choice.block};
    choice.rank = choice.cutsNeurons ? std::nullopt
                                     : std::optional<int64_t>(choice.block);
  } else if (isGiven(ranks)) {
    if (llvm::Error error = readRanks(choice))
      return error;
  } else if (isGiven(ratio) || isGiven(keepRatio) || isGiven(modelRatio)) {
    if (llvm::Error error = readShare(choice))
      return error;
  }
  if (!modules.empty())
    choice.modules = modules;
  choice.ignored = ignored;
  choice.layers = layers;
  choice.refitsAttention = refitsAttention();
  return choice;
}

void mlir::trn::readMethod(CompressionJob &job) {
  job.allocation = getSpeedUp() ? Allocation::Loss : Allocation(allocation);
  job.cutsNeurons = method == Cut::Neurons;
  job.options.method = method == Cut::Plain  ? Method::Plain
                       : method == Cut::Asvd ? Method::Asvd
                                             : Method::Whiten;
  job.options.scores = scores;
  job.options.factoring.svd = svd;
  job.options.factoring.side = sigma;
  if (job.cutsNeurons && isGiven(rank))
    job.thinRank = rank;
}
