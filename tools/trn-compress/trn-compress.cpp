//===- trn-compress.cpp - Factor the MLPs of a language model -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ToolStreams.h"
#include "trn/Compress/Compress.h"
#include "trn/Compress/Rank.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Model/Texts.h"
#include "trn/Support/OutputFile.h"
#include "trn/Support/Progress.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

using namespace mlir::trn;
using llvm::StringRef;
namespace cl = llvm::cl;

namespace {
constexpr const char *overview = R"(Factor the MLPs of a language model

  trn-compress MODEL -o FOLDER --ratio=SHARE --calib=FILE
  trn-compress MODEL --ratio=SHARE --dry-run

Each weight W of an MLP becomes two factors, W^T = U V, of fewer parameters. MODEL is a
file of llama2.c or a folder of Hugging Face; FOLDER is one of Hugging Face, with the
ranks in config.json and what was done in trn_compress.json. Ratios are shares that are
removed.
)";

cl::OptionCategory category("trn-compress options");

cl::opt<std::string> model(cl::Positional, cl::desc("MODEL"), cl::Required,
                           cl::cat(category));
cl::opt<std::string> output("o", cl::desc("Folder to make"),
                            cl::value_desc("folder"), cl::cat(category));
cl::opt<unsigned> rank("rank", cl::desc("Rank of all factors"),
                       cl::value_desc("size"), cl::cat(category));
cl::opt<double>
    ratio("ratio", cl::desc("Share of the parameters of each weight to remove"),
          cl::value_desc("share"), cl::cat(category));
cl::opt<double> keepRatio("keep-ratio", cl::desc("Share of them to keep"),
                          cl::value_desc("share"), cl::cat(category));
cl::opt<unsigned> block("block",
                        cl::desc("Ranks are multiples of this (default 128)"),
                        cl::value_desc("size"), cl::init(0), cl::cat(category));
cl::opt<Method>
    method("method", cl::desc("What the factors keep best (default whiten)"),
           cl::init(Method::Whiten), cl::cat(category),
           cl::values(clEnumValN(Method::Whiten, "whiten",
                                 "the outputs for the calibration (SVD-LLM)"),
                      clEnumValN(Method::Plain, "plain", "the weight (SVD)"),
                      clEnumValN(Method::Asvd, "asvd",
                                 "the weight, scaled by its inputs (ASVD)")));
enum class Recovery { None, Closed };
cl::opt<Recovery> recovery(
    "recover", cl::desc("How accuracy is won back (default closed)"),
    cl::init(Recovery::Closed), cl::cat(category),
    cl::values(clEnumValN(Recovery::None, "none", "not; see --method"),
               clEnumValN(Recovery::Closed, "closed",
                          "factors are fitted to the whole model's stream")));
cl::opt<double> shrink("shrink",
                       cl::desc("Pull of fitted factors towards the weights "
                                "(default 0.1)"),
                       cl::value_desc("share"), cl::init(0.1),
                       cl::cat(category));
cl::opt<std::string> calib("calib", cl::desc("Text to calibrate on"),
                           cl::value_desc("file"), cl::cat(category));
cl::opt<unsigned> calibSeqs("calib-seqs",
                            cl::desc("Stories of it to take (default 128)"),
                            cl::value_desc("count"), cl::init(128),
                            cl::cat(category));
cl::opt<unsigned> maxTokens(
    "max-tokens",
    cl::desc(
        "Tokens of a story at most (default 256, or what the model takes)"),
    cl::value_desc("count"), cl::init(256), cl::cat(category));
cl::opt<std::string>
    tokenizerFile("tokenizer",
                  cl::desc("tokenizer.bin of the model (default beside it)"),
                  cl::value_desc("file"), cl::cat(category));
cl::opt<ElementType>
    dtype("dtype",
          cl::desc("Type of what is written (default that of the model)"),
          cl::init(ElementType::F32), cl::cat(category),
          cl::values(clEnumValN(ElementType::BF16, "bf16", "bfloat16"),
                     clEnumValN(ElementType::F16, "f16", "IEEE half"),
                     clEnumValN(ElementType::F32, "f32", "IEEE single")));
cl::opt<double>
    maxShardSize("max-shard-size",
                 cl::desc("Gigabytes of a file at most (default 5)"),
                 cl::value_desc("GB"), cl::init(5), cl::cat(category));
cl::opt<bool> dryRun("dry-run",
                     cl::desc("Only say which ranks and sizes there would be"),
                     cl::cat(category));
unsigned threads = 0;

template <typename... Args>
llvm::Error refuse(const char *format, Args &&...args) {
  return llvm::createStringError(
      llvm::formatv(format, std::forward<Args>(args)...));
}

llvm::Expected<RankChoice> chooseRanks() {
  int given = (rank.getNumOccurrences() > 0) + (ratio.getNumOccurrences() > 0) +
              (keepRatio.getNumOccurrences() > 0);
  if (given != 1)
    return refuse("give one of --rank, --ratio and --keep-ratio, not {0}",
                  given);
  const unsigned tile = defaultMachine().partitions;
  RankChoice choice;
  choice.rank = rank;
  choice.ratio = keepRatio.getNumOccurrences() ? 1 - keepRatio : ratio;
  choice.block = block ? unsigned(block) : tile;
  if (rank.getNumOccurrences() && rank < 1)
    return refuse("--rank must be at least 1");
  if (!rank && !(choice.ratio > 0 && choice.ratio < 1))
    return refuse("--ratio and --keep-ratio must lie between 0 and 1");
  if (choice.block % 32)
    return refuse("--block is {0}, but must be a multiple of 32", choice.block);
  if ((rank ? rank : choice.block) % tile)
    llvm::WithColor::warning(llvm::errs(), "trn-compress") << llvm::formatv(
        "ranks that are no multiple of {0} leave partitions idle\n", tile);
  return choice;
}

int64_t countParameters(const ModelConfig &config) {
  int64_t count = 0;
  for (const TensorSpec &spec : listTensors(config))
    count += *countElements(spec.shape);
  return count;
}

ModelConfig factoredConfig(const ModelConfig &config,
                           llvm::ArrayRef<FactoredMatrix> plan) {
  ModelConfig factored = config;
  factored.rotatesNeighbours = false;
  for (const FactoredMatrix &matrix : plan)
    if (matrix.keptDense.empty())
      factored.ranks[matrix.module] = matrix.rank;
  return factored;
}

llvm::json::Object describeModel(const ModelConfig &before,
                                 const ModelConfig &after,
                                 llvm::ArrayRef<FactoredMatrix> plan) {
  int64_t all = countParameters(before), left = countParameters(after), mlp = 0,
          mlpLeft = 0;
  for (const FactoredMatrix &matrix : plan) {
    mlp += matrix.out * matrix.in;
    mlpLeft += matrix.parameters();
  }
  return llvm::json::Object{{"params_before", all},
                            {"params_after", left},
                            {"ratio", 1 - double(left) / double(all)},
                            {"mlp_ratio", 1 - double(mlpLeft) / double(mlp)}};
}

llvm::json::Array describeMatrices(llvm::ArrayRef<FactoredMatrix> plan) {
  llvm::json::Array matrices;
  for (const FactoredMatrix &matrix : plan) {
    llvm::json::Object entry{
        {"name", matrix.module},
        {"shape", llvm::json::Array{matrix.out, matrix.in}}};
    if (!matrix.keptDense.empty()) {
      entry["kept_dense"] = matrix.keptDense;
    } else {
      entry["rank"] = matrix.rank;
      entry["weight_error"] = matrix.weightError;
      entry["output_error"] = matrix.outputError;
      entry["sigma"] = matrix.lastSigma;
    }
    matrices.push_back(std::move(entry));
  }
  return matrices;
}

void show(const ModelConfig &before, const ModelConfig &after,
          llvm::ArrayRef<FactoredMatrix> plan) {
  for (const FactoredMatrix &matrix : plan) {
    llvm::outs() << llvm::formatv("{0,-32} {1,6} x {2,-6}", matrix.module,
                                  matrix.in, matrix.out);
    if (!matrix.keptDense.empty())
      llvm::outs() << " kept dense, " << matrix.keptDense << "\n";
    else if (dryRun)
      llvm::outs() << llvm::formatv(" rank {0}\n", matrix.rank);
    else
      llvm::outs() << llvm::formatv(
          " rank {0,-5} weight error {1:F4}, output error {2:F4}\n",
          matrix.rank, matrix.weightError, matrix.outputError);
  }
  int64_t all = countParameters(before), left = countParameters(after);
  llvm::outs() << llvm::formatv("parameters {0:N0} of {1:N0}: {2:P1} removed\n",
                                left, all, 1 - double(left) / double(all));
}

llvm::Error checkUseful(llvm::ArrayRef<FactoredMatrix> plan) {
  if (llvm::any_of(plan, [](const FactoredMatrix &matrix) {
        return matrix.keptDense.empty();
      }))
    return llvm::Error::success();
  int64_t most = 0;
  for (const FactoredMatrix &matrix : plan)
    most = std::max(most, getLargestUsefulRank(matrix.in, matrix.out));
  return refuse("nothing was compressed: the largest useful rank is {0}; give "
                "a larger --ratio, a smaller --rank or a smaller --block",
                most);
}

llvm::Error writeJSON(StringRef name, llvm::json::Object object) {
  llvm::SmallString<0> path{StringRef(output)};
  llvm::sys::path::append(path, name);
  llvm::json::Value value(std::move(object));
  return writeFile(path, [&](llvm::raw_ostream &os) {
    os << llvm::formatv("{0:2}\n", value);
  });
}

llvm::Error compress(const Checkpoint &checkpoint,
                     std::vector<FactoredMatrix> &plan) {
  const ModelConfig &config = checkpoint.config();
  if (output.empty() || calib.empty())
    return refuse("give the folder to make with -o and the text to calibrate "
                  "on with --calib, or --dry-run");
  if (llvm::sys::fs::exists(output))
    return refuse("'{0}' is there already; name another folder or remove it",
                  output);
  if (maxTokens < 1)
    return refuse("--max-tokens must be at least 1");
  if (recovery == Recovery::Closed && method != Method::Whiten)
    return refuse("--method={0} is for --recover=none: closed fits factors to "
                  "the whole model, not to weights",
                  stringify(method));
  if (!(shrink >= 0 && shrink <= 1e3))
    return refuse("--shrink must lie between 0 and 1000");
  if (!(maxShardSize > 0))
    return refuse("--max-shard-size must be above 0");
  llvm::Expected<Tokenizer> tokenizer =
      findTokenizer(tokenizerFile, model, config.vocabulary);
  if (!tokenizer)
    return tokenizer.takeError();
  auto stories = readStories(calib, *tokenizer, calibSeqs,
                             std::min<int64_t>(maxTokens, config.maxPositions));
  if (!stories)
    return stories.takeError();
  ModelConfig factored = factoredConfig(config, plan);
  ElementType type =
      dtype.getNumOccurrences()
          ? ElementType(dtype)
          : checkpoint.lookup("model.embed_tokens.weight").type.getFloats();
  llvm::Expected<ModelWriter> writer =
      ModelWriter::create(output, factored, type, int64_t(maxShardSize * 1e9));
  if (!writer)
    return writer.takeError();
  CompressOptions options{method, std::nullopt, threads};
  if (recovery == Recovery::Closed)
    options.closed = shrink;
  ProgressBar bar(llvm::errs());
  if (llvm::Error error = compressModel(
          checkpoint, *stories, options, plan, *writer,
          [&](size_t done, size_t total) { bar.show(done, total); }))
    return error;
  int64_t tokens = 0;
  for (const HostModel::Tokens &story : *stories)
    tokens += story.size();
  llvm::json::Object manifest{
      {"recover", recovery == Recovery::Closed ? "closed" : "none"},
      {"calibration", llvm::json::Object{{"file", calib.getValue()},
                                         {"stories", int64_t(stories->size())},
                                         {"tokens", tokens}}},
      {"model", describeModel(config, factored, plan)},
      {"matrices", describeMatrices(plan)}};
  if (recovery == Recovery::Closed)
    manifest["shrink"] = double(shrink);
  else
    manifest["method"] = stringify(method);
  if (llvm::Error error = writeJSON("config.json", toJSON(factored)))
    return error;
  return writeJSON("trn_compress.json", std::move(manifest));
}

llvm::Error run() {
  llvm::Expected<RankChoice> choice = chooseRanks();
  if (!choice)
    return choice.takeError();
  llvm::Expected<Checkpoint> checkpoint = Checkpoint::open(model);
  if (!checkpoint)
    return checkpoint.takeError();
  std::vector<FactoredMatrix> plan = planRanks(checkpoint->config(), *choice);
  if (llvm::Error error = checkUseful(plan))
    return error;
  if (!dryRun)
    if (llvm::Error error = compress(*checkpoint, plan))
      return error;
  show(checkpoint->config(), factoredConfig(checkpoint->config(), plan), plan);
  return llvm::Error::success();
}
} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  surviveWriteErrors();
  // The LLVM library registers a flag of its own under this name.
  if (cl::Option *foreign = cl::getRegisteredOptions().lookup("threads"))
    foreign->removeArgument();
  cl::opt<unsigned, /*ExternalStorage=*/true> threadsOption(
      "threads", cl::desc("Threads (default all cores)"),
      cl::value_desc("count"), cl::location(threads), cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, overview);
  int status = 0;
  if (llvm::Error error = run()) {
    llvm::WithColor::error(llvm::errs(), "trn-compress")
        << llvm::toString(std::move(error)) << "\n";
    status = 1;
  }
  return finishStreams("trn-compress", status);
}
