//===- Decoder.cpp - A language model, token by token ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Decoder.h"

#include "ResidentLayer.h"
#include "trn/Model/Attention.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

struct Decoder::Head {
  WeightMemory memory;
  ResidentMatrix words; // [vocabulary, hidden]
};

Decoder::Decoder(const Checkpoint &checkpoint, int64_t positions,
                 unsigned threads)
    : checkpoint(checkpoint), positions(positions), workers(threads) {}

Decoder::~Decoder() = default;

llvm::Expected<std::unique_ptr<Decoder>>
Decoder::create(const Checkpoint &checkpoint, int64_t positions,
                unsigned threads) {
  std::unique_ptr<Decoder> decoder(new Decoder(checkpoint, positions, threads));
  if (llvm::Error error = decoder->checkMemory())
    return error;
  if (llvm::Error error = decoder->load())
    return error;
  return decoder;
}

llvm::Error Decoder::checkMemory() const {
  int64_t needed = 2 * config().layers * positions * config().kvHeads *
                   config().headDim * int64_t(sizeof(float));
  for (const TensorSpec &spec : listTensors(config())) {
    ArrayView view = checkpoint.lookup(spec.name);
    bool isNarrow = view.type == HostType(ElementType::BF16);
    needed += *countElements(view.shape) * (isNarrow ? 2 : 4);
  }
  const int64_t available = getAvailableMemory();
  if (needed <= available)
    return llvm::Error::success();
  return createStringError(
      formatv("the weights and the keys and values of {0} tokens need {1:N0} "
              "bytes of memory, but {2:N0} are available",
              positions, needed, available));
}

llvm::Error Decoder::load() {
  for (int64_t number = 0; number < config().layers; ++number) {
    llvm::Expected<Layer> layer = Layer::load(checkpoint, number);
    if (!layer)
      return layer.takeError();
    layers.emplace_back(std::move(*layer));
  }
  if (llvm::Error error = checkpoint.load("model.norm.weight").moveInto(norm))
    return error;
  llvm::Expected<std::vector<float>> words = checkpoint.load(
      config().tiedHead ? "model.embed_tokens.weight" : "lm_head.weight");
  if (!words)
    return words.takeError();
  head = std::make_unique<Head>();
  head->memory.allocate(measureHeld(*words));
  head->words =
      hold(*words, config().vocabulary, config().hidden, head->memory);
  rotary = std::make_unique<Rotary>(config(), positions);
  caches.resize(layers.size());
  const int64_t width = config().kvHeads * config().headDim;
  for (Cache &cache : caches)
    for (std::vector<float> *kept : {&cache.keys, &cache.values})
      kept->reserve(positions * width);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

llvm::Error Decoder::check(llvm::ArrayRef<int32_t> tokens) const {
  if (tokens.empty())
    return createStringError("there is no token");
  if (int64_t(tokens.size()) > positions - past)
    return createStringError(
        formatv("there is room for {0} tokens, but {1} are needed", positions,
                past + tokens.size()));
  for (int32_t token : tokens)
    if (token < 0 || token >= config().vocabulary)
      return createStringError(
          formatv("token {0} is outside of the vocabulary of {1}", token,
                  config().vocabulary));
  return llvm::Error::success();
}

llvm::Expected<std::vector<float>>
Decoder::embed(llvm::ArrayRef<int32_t> tokens) const {
  std::vector<float> x;
  x.reserve(tokens.size() * config().hidden);
  for (int32_t token : tokens) {
    llvm::Expected<std::vector<float>> row =
        checkpoint.loadRows("model.embed_tokens.weight", token, 1);
    if (!row)
      return row.takeError();
    x.insert(x.end(), row->begin(), row->end());
  }
  return x;
}

static void add(std::vector<float> &x, const std::vector<float> &more) {
  for (size_t i = 0; i < x.size(); ++i)
    x[i] += more[i];
}

void Decoder::addAttention(size_t number, std::vector<float> &x, int64_t rows) {
  const ResidentLayer &layer = layers[number];
  const double epsilon = config().normEpsilon;
  std::vector<float> normed =
      normalize(x.data(), rows, layer.attentionNorm, epsilon);
  std::vector<float> query = layer.query.apply(normed, rows, workers);
  std::vector<float> key = layer.key.apply(normed, rows, workers);
  std::vector<float> value = layer.value.apply(normed, rows, workers);
  if (config().headNorms) {
    query = normalize(query.data(), rows * config().heads, layer.queryNorm,
                      epsilon);
    key =
        normalize(key.data(), rows * config().kvHeads, layer.keyNorm, epsilon);
  }
  rotary->apply(query.data(), rows, config().heads, past);
  rotary->apply(key.data(), rows, config().kvHeads, past);
  auto &[keys, values] = caches[number];
  keys.insert(keys.end(), key.begin(), key.end());
  values.insert(values.end(), value.begin(), value.end());
  std::vector<float> mixed(query.size());
  Heads(config().headDim, config().heads, config().kvHeads, layer.window, rows,
        past)
      .mix(query.data(), keys.data(), values.data(), mixed.data());
  add(x, layer.output.apply(mixed, rows, workers));
}

void Decoder::addMlp(size_t number, std::vector<float> &x, int64_t rows) {
  const ResidentLayer &layer = layers[number];
  std::vector<float> normed =
      normalize(x.data(), rows, layer.mlpNorm, config().normEpsilon);
  std::vector<float> gated =
      computeGated(layer.gate.apply(normed, rows, workers),
                   layer.up.apply(normed, rows, workers));
  add(x, layer.down.apply(gated, rows, workers));
}

static bool areFinite(llvm::ArrayRef<float> values) {
  bool all = true;
  for (float value : values)
    all &= std::isfinite(value);
  return all;
}

llvm::Error Decoder::runLayers(std::vector<float> &x) {
  const int64_t rows = x.size() / config().hidden;
  for (size_t number = 0; number < layers.size(); ++number) {
    addAttention(number, x, rows);
    addMlp(number, x, rows);
    if (!areFinite(x))
      return createStringError(
          formatv("layer {0} makes a value that is not finite of one of the "
                  "tokens {1} to {2}",
                  number, past, past + rows - 1));
  }
  past += rows;
  return llvm::Error::success();
}

llvm::Expected<llvm::ArrayRef<float>>
Decoder::feed(llvm::ArrayRef<int32_t> tokens) {
  if (llvm::Error error = check(tokens))
    return error;
  std::vector<float> x;
  while (!tokens.empty()) {
    // Enough for products that are fast, and few for the memory they take.
    const size_t count = std::min<size_t>(tokens.size(), 256);
    if (llvm::Error error = embed(tokens.take_front(count)).moveInto(x))
      return error;
    if (llvm::Error error = runLayers(x))
      return error;
    tokens = tokens.drop_front(count);
  }
  std::vector<float> last = normalize(x.data() + x.size() - config().hidden, 1,
                                      norm, config().normEpsilon);
  logits.resize(config().vocabulary);
  head->words.multiply(last.data(), 1, logits.data(), workers);
  if (!areFinite(logits))
    return createStringError(
        formatv("a logit after token {0} is not finite", past - 1));
  return llvm::ArrayRef<float>(logits);
}
