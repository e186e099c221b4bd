//===- trn-llm.cpp - Look at language models ------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ToolStreams.h"
#include "Commands.h"
#include "CoreOptions.h"
#include "GenerateText.h"
#include "Simulation.h"
#include "TimeModel.h"
#include "TokenizeText.h"
#include "trn/Model/Parts.h"
#include "trn/Model/Texts.h"
#include "trn/Support/Hash.h"
#include "trn/Support/InputFile.h"
#include "trn/Support/JSON.h"
#include "trn/Support/OutputFile.h"
#include "trn/Support/Paths.h"
#include "trn/Support/Progress.h"
#include "trn/Support/Version.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir::trn;
using llvm::StringRef;
namespace cl = llvm::cl;

namespace {
constexpr const char *overview =
    R"(What a language model writes, and how well it knows a text

  trn-llm generate MODEL --prompt=TEXT    how it goes on
  trn-llm perplexity MODEL --text=FILE    e to the mean loss of a token
  trn-llm choose MODEL FILE.jsonl         how often it picks the right ending
  trn-llm time MODEL --prompt-tokens=402 --new-tokens=238
                                          how long it would take on Trainium
  trn-llm parameters MODEL                where its parameters are
  trn-llm encode MODEL FILE               a text as tokens
  trn-llm decode MODEL FILE               tokens as text

MODEL is a file of llama2.c (stories15M.bin) or a folder of Hugging Face with
config.json and safetensors (llama, mistral, qwen2, qwen3), also one with factors.
A text is cut into stories at <|endoftext|>, each one of which is predicted from its
beginning. Computed in f32 on the host, or, with --simulate, by kernels that are
compiled and run on a simulated core, which takes longer. Times and parameters need
no weights: MODEL may be a config.json, and to count parameters also one of mixtral or
qwen3_moe, which have experts. Times are modelled.
)";

cl::OptionCategory &category = getCategory();
cl::SubCommand &generateCommand = getGenerateCommand();
cl::SubCommand &timeCommand = getTimeCommand();
cl::SubCommand &perplexityCommand = getPerplexityCommand();
cl::SubCommand &encodeCommand = getEncodeCommand();
cl::SubCommand &decodeCommand = getDecodeCommand();
cl::SubCommand chooseCommand("choose",
                             "Measure how often the right choice wins");
cl::SubCommand parametersCommand("parameters",
                                 "Count the parameters of each part");

#define RUNNING                                                                \
  cl::sub(perplexityCommand), cl::sub(chooseCommand),                          \
      cl::sub(generateCommand), cl::cat(category)
#define REPORTING cl::sub(parametersCommand), cl::sub(timeCommand), RUNNING
#define TOKENIZING cl::sub(encodeCommand), cl::sub(decodeCommand)
cl::opt<std::string> model(cl::Positional, cl::desc("MODEL"), cl::Required,
                           REPORTING, TOKENIZING);
cl::opt<std::string> source(cl::Positional, cl::desc("FILE"), cl::init("-"),
                            TOKENIZING, cl::cat(category));
cl::opt<std::string> items(cl::Positional, cl::desc("FILE.jsonl"), cl::Required,
                           cl::sub(chooseCommand), cl::cat(category));
cl::opt<std::string> text("text",
                          cl::desc("Text to predict, or its tokens as npy"),
                          cl::Required, cl::value_desc("file"),
                          cl::sub(perplexityCommand), cl::cat(category));
cl::opt<unsigned> stories("stories",
                          cl::desc("Only so many stories (default all)"),
                          cl::value_desc("count"), cl::sub(perplexityCommand),
                          cl::cat(category));
cl::opt<unsigned> maxTokens(
    "max-tokens",
    cl::desc(
        "Tokens of a story at most (default 256, or what the model takes)"),
    cl::value_desc("count"), cl::init(256), cl::sub(perplexityCommand),
    cl::cat(category));
cl::opt<std::string> tokenizerFile(
    "tokenizer",
    cl::desc("tokenizer.json or .bin of the model (default beside it)"),
    cl::value_desc("file"), RUNNING, TOKENIZING);
cl::opt<unsigned> threads("threads", cl::desc("Threads (default all cores)"),
                          cl::value_desc("count"), RUNNING);
cl::opt<std::string> report("report", cl::desc("Write the figures as JSON"),
                            cl::value_desc("file"), REPORTING);

llvm::Error writeReport(llvm::json::Value value) {
  if (report.empty())
    return llvm::Error::success();
  return writeFile(report, [&](llvm::raw_ostream &os) {
    os << llvm::formatv("{0:2}\n", value);
  });
}

/// Prints the figures, and writes them to the report.
llvm::Error show(llvm::json::Object figures) {
  for (const char *key : {"perplexity", "nll", "tokens", "stories", "accuracy",
                          "accuracy_per_byte", "items"})
    if (const llvm::json::Value *value = figures.get(key))
      llvm::outs() << llvm::formatv("{0,-18} {1}\n", key, *value);
  return writeReport(std::move(figures));
}

/// What a model was fitted to says little of it. trn-compress leaves the hash
/// of its text.
void warnOfFittedText() {
  llvm::SmallString<0> path{StringRef(model)};
  llvm::sys::path::append(path, "trn_compress.json");
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return;
  llvm::Expected<std::string> hash = hashFile(text);
  auto manifest = parseJSON((*buffer)->getBuffer());
  if (hash && manifest && manifest->getAsObject())
    if (const auto *fitted = manifest->getAsObject()->getObject("calibration");
        fitted && fitted->getString("sha256") == *hash)
      llvm::WithColor::warning(llvm::errs(), "trn-llm")
          << "the factors of the model were fitted to this text\n";
  llvm::consumeError(hash.takeError());
  llvm::consumeError(manifest.takeError());
}

llvm::Error measurePerplexity(const HostModel &host,
                              HostModel::Progress progress) {
  if (maxTokens < 2)
    return llvm::createStringError(
        "--max-tokens must be at least 2: the first token is not predicted");
  if (llvm::Error error = checkSimulation())
    return error;
  warnOfFittedText();
  const ModelConfig &config = host.config();
  SequenceReader reader(model, tokenizerFile, config.vocabulary);
  auto tokens = reader.read(
      text, {stories, std::min<int64_t>(maxTokens, config.maxPositions)});
  if (!tokens)
    return tokens.takeError();
  llvm::json::Object figures;
  llvm::Expected<Perplexity> result =
      isSimulated() ? simulatePerplexity({model, threads}, config, *tokens,
                                         progress, figures)
                    : measurePerplexity(host, *tokens, progress);
  if (!result)
    return result.takeError();
  figures["perplexity"] = result->value();
  figures["nll"] = result->nll;
  figures["tokens"] = result->tokens;
  figures["stories"] = result->stories;
  return show(std::move(figures));
}

llvm::Error measureChoices(const HostModel &host,
                           HostModel::Progress progress) {
  // Tokens need none; only what is named must be one.
  std::unique_ptr<Tokenizer> tokenizer;
  if (!tokenizerFile.empty() || !findTokenizers(model).empty())
    if (llvm::Error error =
            findTokenizer(tokenizerFile, model, host.config().vocabulary)
                .moveInto(tokenizer))
      return error;
  auto choices = readChoices(items, tokenizer.get());
  if (!choices)
    return choices.takeError();
  llvm::Expected<ChoiceAccuracy> result =
      measureChoices(host, *choices, progress);
  if (!result)
    return result.takeError();
  llvm::json::Object figures{
      {"accuracy", double(result->right) / double(result->items)},
      {"items", result->items}};
  if (result->rightPerByte)
    figures["accuracy_per_byte"] =
        double(*result->rightPerByte) / double(result->items);
  return show(std::move(figures));
}

/// Of a file of llama2.c, of config.json, or of a folder with one.
llvm::Expected<std::vector<ParameterPart>> readParts() {
  llvm::SmallString<0> path{StringRef(model)};
  if (llvm::sys::fs::is_directory(path))
    llvm::sys::path::append(path, "config.json");
  if (!StringRef(path).ends_with(".json")) {
    llvm::Expected<Checkpoint> checkpoint = Checkpoint::open(model);
    if (!checkpoint)
      return checkpoint.takeError();
    return countParts(checkpoint->config());
  }
  auto buffer = readInputFile(path, /*isText=*/true);
  if (!buffer)
    return llvm::createFileError(path, buffer.takeError());
  auto parts = countParts((*buffer)->getBuffer());
  if (!parts)
    return llvm::createFileError(path, parts.takeError());
  return parts;
}

llvm::Error showParameters() {
  llvm::Expected<std::vector<ParameterPart>> parts = readParts();
  if (!parts)
    return parts.takeError();
  llvm::json::Object figures;
  int64_t all = 0;
  for (const ParameterPart &part : *parts) {
    figures[part.name] = part.count;
    all += part.count;
  }
  figures["all"] = all;
  for (const ParameterPart &part : *parts)
    llvm::outs() << llvm::formatv("{0,-10} {1,18:N} {2,10:P2}\n", part.name,
                                  part.count, double(part.count) / double(all));
  llvm::outs() << llvm::formatv("{0,-10} {1,18:N}\n", "all", all);
  return writeReport(std::move(figures));
}

llvm::Error run() {
  if (llvm::Error error = checkOutputs(
          {StringRef(report), getPageFile(), getTableFile(), getTokensFile()},
          {StringRef(model), joinPath(model, "config.json"), StringRef(text),
           StringRef(items), StringRef(source), StringRef(tokenizerFile),
           getIdsFile(), StringRef(getCoreOptions().machine)}))
    return error;
  if (timeCommand) {
    llvm::Expected<llvm::json::Value> figures = showTimes(model);
    return figures ? writeReport(std::move(*figures)) : figures.takeError();
  }
  if (parametersCommand)
    return showParameters();
  if (encodeCommand)
    return encodeFile(model, tokenizerFile, source);
  if (decodeCommand)
    return decodeFile(model, tokenizerFile, source);
  llvm::Expected<Checkpoint> checkpoint = Checkpoint::open(model);
  if (!checkpoint)
    return checkpoint.takeError();
  if (generateCommand) {
    llvm::Expected<llvm::json::Object> figures =
        generateText(*checkpoint, model, tokenizerFile, threads);
    return figures ? writeReport(std::move(*figures)) : figures.takeError();
  }
  HostModel host(*checkpoint, threads);
  ProgressBar bar(llvm::errs());
  auto progress = [&](size_t done, size_t total) { bar.show(done, total); };
  return perplexityCommand ? measurePerplexity(host, progress)
                           : measureChoices(host, progress);
}
} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  surviveWriteErrors();
  cl::SetVersionPrinter(printVersion);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, overview);
  int status = 0;
  if (!generateCommand && !perplexityCommand && !chooseCommand &&
      !timeCommand && !parametersCommand && !encodeCommand && !decodeCommand) {
    printError("trn-llm",
               "name what to do: generate, perplexity, choose, time, "
               "parameters, encode or decode; see --help");
    status = 1;
  } else if (llvm::Error error = run()) {
    printError("trn-llm", llvm::toString(std::move(error)));
    status = 1;
  }
  return finishStreams("trn-llm", status);
}
