//===- GenerateText.cpp - trn-llm generate --------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GenerateText.h"

#include "../ToolStreams.h"
#include "Commands.h"
#include "Simulation.h"
#include "TextStream.h"
#include "trn/Model/Decoder.h"
#include "trn/Model/Generate.h"
#include "trn/Model/Texts.h"
#include "trn/Support/InputFile.h"
#include "trn/Support/JSON.h"
#include "trn/Support/Paths.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;
namespace cl = llvm::cl;

namespace {
#define GENERATING cl::sub(getGenerateCommand()), cl::cat(getCategory())
cl::opt<std::string> prompt("prompt",
                            cl::desc("Text to go on with (default none)"),
                            cl::value_desc("text"), GENERATING);
cl::opt<std::string>
    ids("ids", cl::desc("Tokens to go on with, as npy; prints tokens"),
        cl::value_desc("file"), GENERATING);
cl::opt<int64_t> count("n", cl::desc("Tokens to write at most (default 256)"),
                       cl::value_desc("count"), cl::init(256), GENERATING);
cl::opt<double> temperature(
    "temperature",
    cl::desc("Divides logits before a token is drawn (default 0: the most "
             "probable one)"),
    cl::value_desc("number"), cl::init(0), GENERATING);
cl::opt<int64_t>
    topK("top-k", cl::desc("Draw from the most probable tokens (default all)"),
         cl::value_desc("count"), cl::init(0), GENERATING);
cl::opt<double> topP(
    "top-p",
    cl::desc("Draw from those whose probabilities add up to it (default 1)"),
    cl::value_desc("share"), cl::init(1), GENERATING);
cl::opt<uint64_t> seed("seed", cl::desc("Of what is drawn (default 0)"),
                       cl::value_desc("number"), cl::init(0), GENERATING);

/// A model on the host, or on the simulated core.
struct RunningModel {
  std::unique_ptr<Decoder> host;
  std::unique_ptr<SimulatedModel> core;

  llvm::Expected<llvm::ArrayRef<float>> feed(llvm::ArrayRef<int32_t> tokens) {
    return core ? core->feed(tokens) : host->feed(tokens);
  }
};

/// Writes tokens where somebody waits for them, one by one: as text if there is
/// a tokenizer, otherwise as numbers.
class TokenWriter {
public:
  explicit TokenWriter(const Tokenizer *tokenizer) {
    if (tokenizer)
      decoder.emplace(*tokenizer);
  }

  /// Returns whether somebody still reads.
  bool write(int32_t token) {
    if (decoder)
      printPiece(decoder->decode(token));
    else
      os << std::exchange(separator, " ") << token;
    os.flush();
    return !os.has_error();
  }
  void finish() { os << "\n"; }

private:
  std::optional<TokenDecoder> decoder;
  llvm::raw_fd_ostream &os = llvm::outs();
  const char *separator = "";
};
} // namespace

StringRef mlir::trn::getIdsFile() { return ids; }

/// generation_config.json beside config.json; empty if there is none.
static llvm::Expected<llvm::json::Object>
readGenerationConfig(StringRef model) {
  std::string file = joinPath(model, "generation_config.json");
  if (!llvm::sys::fs::is_directory(model) || !llvm::sys::fs::exists(file))
    return llvm::json::Object();
  auto buffer = readInputFile(file, /*isText=*/true);
  if (!buffer)
    return createFileError(file, buffer.takeError());
  llvm::Expected<llvm::json::Value> value = parseJSON((*buffer)->getBuffer());
  if (!value)
    return createFileError(file, value.takeError());
  if (llvm::json::Object *object = value->getAsObject())
    return std::move(*object);
  return createFileError(file, createStringError("must be a JSON object"));
}

/// What ends a text: what generation_config.json says, or config.json if that
/// says nothing, or otherwise what it is for llama2.c.
static llvm::Expected<std::vector<int32_t>>
listEnds(const Checkpoint &checkpoint, StringRef model) {
  llvm::Expected<llvm::json::Object> generation = readGenerationConfig(model);
  if (!generation)
    return generation.takeError();
  std::vector<int32_t> ends;
  auto add = [&](const llvm::json::Value &value) {
    if (std::optional<int64_t> token = value.getAsInteger())
      ends.push_back(*token);
  };
  for (const char *key : {"bos_token_id", "eos_token_id"}) {
    const llvm::json::Value *value = generation->get(key);
    if (!value)
      value = checkpoint.json().get(key);
    if (!value)
      continue;
    if (const llvm::json::Array *several = value->getAsArray())
      llvm::for_each(*several, add);
    else
      add(*value);
  }
  if (ends.empty())
    ends = {llama2c::begin, llama2c::end};
  return ends;
}

static llvm::Error checkOptions() {
  if (llvm::Error error = checkSimulation())
    return error;
  if (ids.getNumOccurrences() && prompt.getNumOccurrences())
    return createStringError("--prompt and --ids are two prompts; give one");
  if (temperature == 0 &&
      (topK.getNumOccurrences() || topP.getNumOccurrences()))
    return createStringError(
        "--top-k and --top-p choose what a token is drawn from, but with a "
        "temperature of 0 none is drawn; add --temperature=1");
  if (topK.getNumOccurrences() && topK == 0)
    return createStringError("--top-k must be at least 1");
  return llvm::Error::success();
}

static StringRef describe(Ending ending) {
  switch (ending) {
  case Ending::Token:
    return "end";
  case Ending::Context:
    return "context";
  case Ending::Sink:
    return "output";
  case Ending::Count:
    break;
  }
  return "count";
}

namespace {
/// What a model goes on with.
struct Prompt {
  std::vector<int32_t> tokens;
  std::unique_ptr<Tokenizer> tokenizer; // none: tokens stay numbers
};
} // namespace

static llvm::Expected<Prompt>
readPrompt(StringRef model, StringRef tokenizerFile, int64_t vocabulary) {
  Prompt read;
  if (!ids.empty()) {
    if (llvm::Error error = readIds(ids).moveInto(read.tokens))
      return error;
    return read;
  }
  auto tokenizer = findTokenizer(tokenizerFile, model, vocabulary);
  if (!tokenizer)
    return tokenizer.takeError();
  if (llvm::Error error = (*tokenizer)->encode(prompt).moveInto(read.tokens))
    return error;
  read.tokenizer = std::move(*tokenizer);
  return read;
}

/// Makes a model ready to go on with `prompt` tokens.
static llvm::Expected<RunningModel> start(const Checkpoint &checkpoint,
                                          StringRef place, int64_t prompt,
                                          unsigned threads) {
  const ModelConfig &config = checkpoint.config();
  // Nothing is computed of the last token.
  const int64_t positions =
      std::min(config.maxPositions,
               prompt + std::min<int64_t>(count, config.maxPositions) - 1);
  RunningModel model;
  llvm::Error error =
      isSimulated()
          ? simulateGeneration({place, threads}, config, prompt, positions)
                .moveInto(model.core)
          : Decoder::create(checkpoint, positions, threads)
                .moveInto(model.host);
  if (error)
    return error;
  return model;
}

llvm::Expected<llvm::json::Object>
mlir::trn::generateText(const Checkpoint &checkpoint, StringRef model,
                        StringRef tokenizerFile, unsigned threads) {
  if (llvm::Error error = checkOptions())
    return error;
  llvm::Expected<std::vector<int32_t>> ends = listEnds(checkpoint, model);
  if (!ends)
    return ends.takeError();
  const ModelConfig &config = checkpoint.config();
  GenerateOptions options{count,
                          config.maxPositions,
                          config.vocabulary,
                          std::move(*ends),
                          {temperature, topK, topP, seed}};
  llvm::Expected<Prompt> begin =
      readPrompt(model, tokenizerFile, config.vocabulary);
  if (!begin)
    return begin.takeError();
  const std::vector<int32_t> &tokens = begin->tokens;
  if (llvm::Error error = options.check(tokens))
    return error;
  llvm::Expected<RunningModel> running =
      start(checkpoint, model, tokens.size(), threads);
  if (!running)
    return running.takeError();

  TokenWriter writer(begin->tokenizer.get());
  for (int32_t token : tokens)
    writer.write(token);
  const auto began = std::chrono::steady_clock::now();
  llvm::Expected<GeneratedTokens> result = generate(
      [&](llvm::ArrayRef<int32_t> more) { return running->feed(more); }, tokens,
      options, [&](int32_t token) { return writer.write(token); });
  const std::chrono::duration<double> taken =
      std::chrono::steady_clock::now() - began;
  writer.finish();
  if (!result)
    return result.takeError();
  const double rate = double(result->tokens.size()) / taken.count();
  if (result->ending == Ending::Context)
    llvm::WithColor::note(llvm::errs(), "trn-llm")
        << "ended because the model takes " << config.maxPositions
        << " tokens at most\n";
  if (llvm::errs().is_displayed())
    llvm::errs() << formatv("{0:f1} tokens per second\n", rate);
  llvm::json::Object figures{{"prompt_tokens", llvm::json::Array(tokens)},
                             {"tokens", llvm::json::Array(result->tokens)},
                             {"ended_by", describe(result->ending)},
                             {"seconds", taken.count()},
                             {"tokens_per_second", rate}};
  if (running->core)
    reportSimulation(*running->core, figures);
  return figures;
}
