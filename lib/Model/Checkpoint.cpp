//===- Checkpoint.cpp - Weights of language models ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Checkpoint.h"

#include "trn/Support/InputFile.h"
#include "trn/Support/JSON.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;

static std::string join(StringRef folder, StringRef file) {
  llvm::SmallString<0> path(folder);
  llvm::sys::path::append(path, file);
  return path.str().str();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static std::string formatIndex(int64_t at, llvm::ArrayRef<int64_t> shape) {
  std::string index;
  for (int64_t size : llvm::reverse(shape)) {
    index = std::to_string(at % size) + (index.empty() ? "" : ", ") + index;
    at /= size;
  }
  return "[" + index + "]";
}

/// Of rows of a tensor from `first` on.
static llvm::Error checkFinite(StringRef name, llvm::ArrayRef<float> values,
                               int64_t first, llvm::ArrayRef<int64_t> shape) {
  bool isFinite = true;
  for (float value : values)
    isFinite &= std::isfinite(value);
  if (isFinite)
    return llvm::Error::success();
  auto *value =
      llvm::find_if(values, [](float v) { return !std::isfinite(v); });
  return createStringError(
      formatv("tensor '{0}' has {1} at {2}, which is not finite", name,
              std::isnan(*value) ? "nan"
              : *value > 0       ? "inf"
                                 : "-inf",
              formatIndex(first + (value - values.begin()), shape)));
}

llvm::Expected<std::vector<float>>
mlir::trn::loadFinite(StringRef name, const ArrayView &view) {
  std::vector<float> values(*countElements(view.shape));
  loadFloats(view.type.getFloats(), view.data, values.data(), values.size());
  if (llvm::Error error = checkFinite(name, values, 0, view.shape))
    return error;
  return values;
}

ArrayView Checkpoint::lookup(StringRef name) const {
  return tensors.find(name)->second;
}

llvm::Error Checkpoint::adapt(StringRef folder) {
  llvm::Expected<Adapter> opened = Adapter::open(folder, shape);
  if (!opened)
    return opened.takeError();
  adapter.emplace(std::move(*opened));
  return llvm::Error::success();
}

llvm::Expected<std::vector<float>> Checkpoint::load(StringRef name) const {
  return loadRows(name, 0, lookup(name).shape[0]);
}

llvm::Expected<std::vector<float>>
Checkpoint::loadRows(StringRef name, int64_t first, int64_t count) const {
  ArrayView view = lookup(name);
  const int64_t columns = view.shape.size() == 1 ? 1 : view.shape[1];
  std::vector<float> values(count * columns);
  loadFloats(view.type.getFloats(),
             view.data + first * columns * byteSize(view.type), values.data(),
             values.size());
  if (llvm::Error error =
          checkFinite(name, values, first * columns, view.shape))
    return error;
  StringRef module = name;
  if (adapter && module.consume_back(".weight"))
    if (llvm::Error error = adapter->add(module, first, values))
      return error;
  return values;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

llvm::Expected<Checkpoint> Checkpoint::open(StringRef path) {
  if (llvm::sys::fs::is_directory(path))
    return openFolder(path);
  StringRef extension = llvm::sys::path::extension(path);
  if (extension == ".pt" || extension == ".pth" || extension == ".ckpt")
    return createStringError(
        formatv("'{0}': pickles of torch are not read; save the model with "
                "save_pretrained(..., safe_serialization=True) and name its "
                "folder",
                path));
  if (extension == ".safetensors")
    return createStringError(formatv(
        "'{0}': the shape of the model is in config.json beside it; name the "
        "folder of both",
        path));
  llvm::Expected<Checkpoint> checkpoint = openLlama2c(path);
  if (!checkpoint)
    return llvm::createFileError(path, checkpoint.takeError());
  return checkpoint;
}

//===----------------------------------------------------------------------===//
// Folders of Hugging Face
//===----------------------------------------------------------------------===//

llvm::Error Checkpoint::openShard(StringRef folder, StringRef name) {
  llvm::Expected<SafetensorsFile> opened =
      SafetensorsFile::open(join(folder, name));
  if (!opened)
    return opened.takeError();
  shards.emplace(name.str(), std::move(*opened));
  return llvm::Error::success();
}

/// Which tensor is in which file: as the index says, or all in one.
llvm::Error Checkpoint::openShards(StringRef folder) {
  std::string single = "model.safetensors";
  std::string index = join(folder, single + ".index.json");
  if (!llvm::sys::fs::exists(index)) {
    if (llvm::Error error = openShard(folder, single))
      return error;
    for (StringRef name : shards.begin()->second.names())
      shardOf[name.str()] = single;
    return llvm::Error::success();
  }
  auto buffer = readInputFile(index, /*isText=*/true);
  if (!buffer)
    return llvm::createFileError(index, buffer.takeError());
  llvm::Expected<llvm::json::Value> json = parseJSON((*buffer)->getBuffer());
  if (!json)
    return llvm::createFileError(index, json.takeError());
  const llvm::json::Object *object = json->getAsObject();
  const llvm::json::Object *map =
      object ? object->getObject("weight_map") : nullptr;
  if (!map)
    return llvm::createFileError(
        index, createStringError("it has no object 'weight_map'"));
  for (const auto &[key, value] : *map) {
    StringRef tensor = key;
    std::optional<StringRef> name = value.getAsString();
    if (!name || llvm::sys::path::filename(*name) != *name)
      return llvm::createFileError(
          index, createStringError(formatv("weight_map: '{0}' lies in {1}, "
                                           "which names no file beside it",
                                           tensor, value)));
    if (!shards.count(name->str()))
      if (llvm::Error error = openShard(folder, *name))
        return error;
    shardOf[tensor.str()] = name->str();
  }
  return llvm::Error::success();
}

/// All that the model needs, with the sizes that it has.
llvm::Error Checkpoint::findTensors() {
  for (const TensorSpec &spec : listTensors(shape)) {
    auto where = shardOf.find(spec.name);
    if (where == shardOf.end())
      return createStringError(formatv(
          "the model needs tensor '{0}', which no file has", spec.name));
    llvm::Expected<ArrayView> view = shards.at(where->second).lookup(spec.name);
    if (!view)
      return llvm::createFileError(where->second, view.takeError());
    if (llvm::ArrayRef(view->shape) != llvm::ArrayRef(spec.shape))
      return llvm::createFileError(
          where->second,
          createStringError(formatv(
              "tensor '{0}' is {1}, but must be {2} by config.json", spec.name,
              formatShape(view->shape), formatShape(spec.shape))));
    tensors.emplace(spec.name, *view);
  }
  return llvm::Error::success();
}

llvm::Expected<Checkpoint> Checkpoint::openFolder(StringRef path) {
  Checkpoint checkpoint;
  std::string file = join(path, "config.json");
  auto buffer = readInputFile(file, /*isText=*/true);
  if (!buffer)
    return llvm::createFileError(file, buffer.takeError());
  if (llvm::Error error =
          parseConfig((*buffer)->getBuffer()).moveInto(checkpoint.shape))
    return llvm::createFileError(file, std::move(error));
  if (llvm::Error error = checkpoint.openShards(path))
    return error;
  if (llvm::Error error = checkpoint.findTensors())
    return llvm::createFileError(path, std::move(error));
  return checkpoint;
}
