//===- Adapter.cpp - Low-rank updates of weights --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Adapter.h"

#include "AdapterConfig.h"
#include "trn/Model/FiniteValues.h"
#include "trn/Model/Product.h"
#include "trn/Model/Workers.h"
#include "trn/Support/InputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;

static constexpr StringRef prefix = "base_model.model.";

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// Of `<module>.lora_A.weight` or `<module>.lora_A.<name>.weight`: the module.
static std::optional<StringRef> getModule(StringRef key, StringRef half) {
  auto [module, rest] = key.split(half);
  if (!module.consume_front(prefix) || !rest.consume_back(".weight"))
    return std::nullopt;
  bool isNamed = rest.consume_front(".") && !rest.empty();
  if (!rest.empty() && (!isNamed || rest.contains('.')))
    return std::nullopt;
  return module;
}

static llvm::Error refuseKey(StringRef key) {
  const char *why = "it must be base_model.model.<module>.lora_A.weight, or "
                    "lora_B, with or without a name before 'weight'";
  if (key.contains("lora_magnitude_vector"))
    why = "DoRA is not supported; merge it with PEFT (merge_and_unload)";
  else if (key.contains("lora_embedding_"))
    why = "updates of embeddings are not supported";
  else if (key.ends_with(".bias"))
    why = "only weights can change, not biases";
  else if (key.contains("modules_to_save"))
    why = "only low-rank updates are merged, not whole modules";
  return createStringError(formatv("tensor '{0}': {1}", key, why));
}

llvm::Error Adapter::pairKeys() {
  std::vector<std::string> keys;
  for (StringRef key : file.names())
    keys.push_back(key.str());
  llvm::sort(keys);
  for (const std::string &key : keys) {
    std::optional<StringRef> down = getModule(key, ".lora_A");
    std::optional<StringRef> up = getModule(key, ".lora_B");
    if (!down && !up)
      return refuseKey(key);
    Update &update = updates[(down ? *down : *up).str()];
    std::string &place = down ? update.downKey : update.upKey;
    if (!place.empty())
      return createStringError(
          formatv("'{0}' and '{1}' are two updates of one module; merge one "
                  "adapter after the other",
                  place, key));
    place = key;
  }
  for (const auto &[module, update] : updates)
    if (update.downKey.empty() || update.upKey.empty())
      return createStringError(
          formatv("tensor '{0}{1}' has no {2} beside it", update.downKey,
                  update.upKey, update.downKey.empty() ? "lora_A" : "lora_B"));
  if (updates.empty())
    return createStringError("it has no updates");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Why `module`, which `key` is for, is no weight that the model has.
static llvm::Error refuseModule(StringRef key, StringRef module,
                                const ModelConfig &config) {
  std::string why = "the model has no such weight";
  StringRef stem = module;
  bool isFactor = stem.consume_back("u_proj") || stem.consume_back("v_proj");
  if (config.ranks.count(module.str()))
    why = "it is for the dense weight, but the model has it as two factors, "
          "*_v_proj and *_u_proj; merge it before the model is compressed";
  else if (isFactor && stem.ends_with("_"))
    why = "it is for a factor, but the model has the weight dense; merge it "
          "into the model that it was trained on";
  else if (module == "lm_head" && config.tiedHead)
    why = "the model has no head of its own, it is the embedding";
  return createStringError(formatv("tensor '{0}': {1}", key, why));
}

llvm::Error Adapter::place(const ModelConfig &config,
                           const AdapterConfig &scales) {
  headDim = config.headDim;
  std::map<std::string, TensorSpec> weights;
  for (TensorSpec &spec : listTensors(config))
    if (StringRef(spec.name).ends_with("_proj.weight") ||
        spec.name == "lm_head.weight")
      weights.emplace(StringRef(spec.name).drop_back(strlen(".weight")).str(),
                      std::move(spec));
  for (auto &[module, update] : updates) {
    auto weight = weights.find(module);
    if (weight == weights.end())
      return refuseModule(update.downKey, module, config);
    llvm::Expected<AdapterConfig::Update> wanted = scales.lookup(module);
    if (!wanted)
      return wanted.takeError();
    update.rank = wanted->rank;
    update.scale = wanted->scale;
    update.isTransposed = scales.isTransposed;
    update.out = weight->second.shape[scales.isTransposed ? 1 : 0];
    update.in = weight->second.shape[scales.isTransposed ? 0 : 1];
    update.isRotated = config.rotatesNeighbours && isRotated(module);
    const std::pair<StringRef, std::array<int64_t, 2>> halves[] = {
        {update.downKey, {update.rank, update.in}},
        {update.upKey, {update.out, update.rank}}};
    for (const auto &[key, shape] : halves) {
      llvm::Expected<ArrayView> view = file.lookup(key);
      if (!view)
        return view.takeError();
      if (llvm::ArrayRef(view->shape) != llvm::ArrayRef(shape))
        return createStringError(
            formatv("tensor '{0}' is {1}, but must be {2} by the rank in "
                    "adapter_config.json and the weight",
                    key, formatShape(view->shape), formatShape(shape)));
    }
  }
  return llvm::Error::success();
}

llvm::Expected<Adapter> Adapter::open(StringRef folder,
                                      const ModelConfig &config) {
  auto pathOf = [&](StringRef name) {
    llvm::SmallString<0> path(folder);
    llvm::sys::path::append(path, name);
    return path;
  };
  auto description = pathOf("adapter_config.json");
  auto buffer = readInputFile(description, /*isText=*/true);
  if (!buffer)
    return llvm::createFileError(description, buffer.takeError());
  llvm::Expected<AdapterConfig> scales =
      AdapterConfig::parse((*buffer)->getBuffer());
  if (!scales)
    return llvm::createFileError(description, scales.takeError());
  auto path = pathOf("adapter_model.safetensors");
  if (!llvm::sys::fs::exists(path) &&
      llvm::sys::fs::exists(pathOf("adapter_model.bin")))
    return llvm::createFileError(
        pathOf("adapter_model.bin"),
        createStringError("pickles of torch are not read; save the adapter "
                          "with save_pretrained(..., "
                          "safe_serialization=True)"));
  llvm::Expected<SafetensorsFile> file = SafetensorsFile::open(path);
  if (!file)
    return file.takeError();
  Adapter adapter(std::move(*file));
  if (llvm::Error error = adapter.pairKeys())
    return llvm::createFileError(path, std::move(error));
  if (llvm::Error error = adapter.place(config, *scales))
    return llvm::createFileError(path, std::move(error));
  return adapter;
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

std::vector<std::string> Adapter::modules() const {
  std::vector<std::string> names;
  for (const auto &[module, update] : updates)
    names.push_back(module);
  return names;
}

/// [columns, rows] of a matrix [rows, columns].
static std::vector<float> transpose(const std::vector<float> &from,
                                    int64_t rows, int64_t columns) {
  std::vector<float> to(from.size());
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      to[column * rows + row] = from[row * columns + column];
  return to;
}

/// `into += scale * left * right`, the same for any number of threads.
static void addProduct(float scale, llvm::ArrayRef<float> left,
                       llvm::ArrayRef<float> right, int64_t rank,
                       int64_t columns, llvm::MutableArrayRef<float> into) {
  const int64_t rows = left.size() / rank, atOnce = 256;
  forEachOnThreads((rows + atOnce - 1) / atOnce, /*threads=*/0, [&](size_t i) {
    const int64_t row = i * atOnce, count = std::min(atOnce, rows - row);
    multiply(count, columns, rank, {left.data() + row * rank, rank},
             {right.data(), columns}, into.data() + row * columns, columns,
             /*kept=*/1, scale);
  });
}

llvm::Error Adapter::add(StringRef module, int64_t firstRow,
                         llvm::MutableArrayRef<float> rows) const {
  auto found = updates.find(module);
  if (found == updates.end())
    return llvm::Error::success();
  const Update &update = found->second;
  // The weight changes by left [., rank] times right [rank, columns].
  std::vector<float> left, right;
  for (auto [key, into] :
       {std::pair(&update.upKey, &left), {&update.downKey, &right}})
    if (llvm::Error error =
            loadFinite(*key, llvm::cantFail(file.lookup(*key))).moveInto(*into))
      return error;
  // Also a zero that is negative stays as it is.
  auto isZero = [](float value) { return value == 0; };
  if (llvm::all_of(left, isZero) || llvm::all_of(right, isZero))
    return llvm::Error::success();
  const int64_t rank = update.rank;
  int64_t columns = update.in;
  if (update.isTransposed) {
    std::vector<float> transposed = transpose(left, update.out, rank);
    left = transpose(right, rank, update.in);
    right = std::move(transposed);
    columns = update.out;
  }
  const int64_t count = rows.size() / columns;
  std::vector<float> own; // the rows of left that are asked for
  for (int64_t row = firstRow; row < firstRow + count; ++row) {
    int64_t from = update.isRotated ? toHalves(row, headDim) : row;
    own.insert(own.end(), left.begin() + from * rank,
               left.begin() + (from + 1) * rank);
  }
  addProduct(float(update.scale), own, right, rank, columns, rows);
  return llvm::Error::success();
}
