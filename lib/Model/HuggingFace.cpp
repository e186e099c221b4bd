//===- HuggingFace.cpp - Folders of Hugging Face --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Checkpoint.h"

#include "FileKinds.h"
#include "trn/Support/InputFile.h"
#include "trn/Support/JSON.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir::trn;
using llvm::createFileError;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

static constexpr StringRef single = "model.safetensors";

static std::string join(StringRef folder, StringRef file) {
  llvm::SmallString<0> path(folder);
  llvm::sys::path::append(path, file);
  return path.str().str();
}

/// The names of the files in a folder, in their order.
static std::vector<std::string> listFiles(StringRef folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error))
    names.push_back(llvm::sys::path::filename(at->path()).str());
  llvm::sort(names);
  return names;
}

/// Not, for example, model.fp16.safetensors, which is another model.
static bool isShard(StringRef name) {
  return name.starts_with("model-") && name.ends_with(".safetensors");
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

llvm::Error Checkpoint::openShard(StringRef folder, StringRef name) {
  llvm::Expected<SafetensorsFile> opened =
      SafetensorsFile::open(join(folder, name));
  if (!opened)
    return opened.takeError();
  shards.emplace(name.str(), std::move(*opened));
  return llvm::Error::success();
}

/// All tensors are in one file.
llvm::Error Checkpoint::openSingle(StringRef folder) {
  std::vector<std::string> names = listFiles(folder);
  for (StringRef name : names)
    if (isShard(name))
      return createFileError(
          folder, createStringError(formatv("'{0}' is one of several files, "
                                            "but {1}.index.json is not there",
                                            name, single)));
  if (!fs::exists(join(folder, single)))
    for (const std::string &name : names)
      if (isPickle(name))
        return refusePickle(join(folder, name));
  if (llvm::Error error = openShard(folder, single))
    return error;
  for (StringRef name : shards.begin()->second.names())
    shardOf[name.str()] = single.str();
  return llvm::Error::success();
}

/// Tensors are in the files that the index names.
llvm::Error Checkpoint::openIndexed(StringRef folder, StringRef text) {
  llvm::Expected<llvm::json::Value> json = parseJSON(text);
  if (!json)
    return json.takeError();
  const llvm::json::Object *object = json->getAsObject();
  const llvm::json::Object *map =
      object ? object->getObject("weight_map") : nullptr;
  if (!map)
    return createStringError("it has no object 'weight_map'");
  for (const auto &[key, value] : *map) {
    std::optional<StringRef> name = value.getAsString();
    if (!name || llvm::sys::path::filename(*name) != *name)
      return createStringError(formatv("weight_map: '{0}' lies in {1}, which "
                                       "names no file beside it",
                                       StringRef(key), value));
    shardOf[key.str()] = name->str();
  }
  for (const auto &[tensor, name] : shardOf) {
    if (shards.count(name))
      continue;
    if (!fs::exists(join(folder, name)))
      return createStringError(formatv(
          "weight_map: '{0}' lies in '{1}', which is not there", tensor, name));
    if (llvm::Error error = openShard(folder, name))
      return error;
  }
  for (const std::string &name : listFiles(folder)) {
    if ((name == single || isShard(name)) && !shards.count(name))
      return createStringError(formatv(
          "'{0}' lies beside it, but weight_map has no tensor of it; remove "
          "the one that is of another model",
          name));
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// All that the model needs, with the sizes that it has.
llvm::Error Checkpoint::findTensors() {
  for (const TensorSpec &spec : listTensors(shape)) {
    auto where = shardOf.find(spec.name);
    if (where == shardOf.end())
      return createStringError(formatv(
          "the model needs tensor '{0}', which no file has", spec.name));
    llvm::Expected<ArrayView> view = shards.at(where->second).lookup(spec.name);
    if (!view)
      return createFileError(where->second, view.takeError());
    if (llvm::ArrayRef(view->shape) != llvm::ArrayRef(spec.shape))
      return createFileError(
          where->second,
          createStringError(formatv(
              "tensor '{0}' is {1}, but must be {2} by config.json", spec.name,
              formatShape(view->shape), formatShape(spec.shape))));
    tensors.emplace(spec.name, *view);
  }
  return llvm::Error::success();
}

/// What the model has no use for would silently be left out of it.
llvm::Error Checkpoint::checkOthers() const {
  for (const auto &[file, shard] : shards) {
    std::vector<StringRef> names(shard.names().begin(), shard.names().end());
    llvm::sort(names);
    for (StringRef name : names) {
      auto refuse = [&, &file = file](const std::string &why) {
        return createFileError(
            file, createStringError(formatv("tensor '{0}' {1}", name, why)));
      };
      // Old files have tables of positions, and heads that are the embedding.
      bool isDerived = name.contains(".rotary_emb.") ||
                       (shape.tiedHead && name == "lm_head.weight");
      auto place = shardOf.find(name.str());
      if (place != shardOf.end() && place->second != file)
        return refuse("is also in '" + place->second + "'");
      if (name.contains("expert"))
        return refuse("is of experts, which are not supported; use a dense "
                      "model");
      if (!tensors.count(name) && !isDerived)
        return refuse("is none of this model by config.json");
    }
  }
  return llvm::Error::success();
}

llvm::Expected<Checkpoint> Checkpoint::openFolder(StringRef path) {
  Checkpoint checkpoint;
  std::string file = join(path, "config.json");
  auto buffer = readInputFile(file, /*isText=*/true);
  if (!buffer)
    return createFileError(file, buffer.takeError());
  if (llvm::Error error =
          parseConfig((*buffer)->getBuffer()).moveInto(checkpoint.shape))
    return createFileError(file, std::move(error));
  std::string index = join(path, (single + ".index.json").str());
  if (!fs::exists(index)) {
    if (llvm::Error error = checkpoint.openSingle(path))
      return error;
  } else {
    auto text = readInputFile(index, /*isText=*/true);
    if (!text)
      return createFileError(index, text.takeError());
    if (llvm::Error error = checkpoint.openIndexed(path, (*text)->getBuffer()))
      return createFileError(index, std::move(error));
  }
  if (llvm::Error error = checkpoint.findTensors())
    return createFileError(path, std::move(error));
  if (llvm::Error error = checkpoint.checkOthers())
    return createFileError(path, std::move(error));
  checkpoint.description = cantFail(parseJSON((*buffer)->getBuffer()));
  return checkpoint;
}
