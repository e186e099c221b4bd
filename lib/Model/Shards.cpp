//===- Shards.cpp - Tensors in several files ------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Shards.h"

#include "FileKinds.h"
#include "trn/Support/InputFile.h"
#include "trn/Support/JSON.h"
#include "trn/Support/Paths.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir::trn;
using llvm::createFileError;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static constexpr StringRef single = "model.safetensors";

/// The names of the files in a folder, in their order.
static std::vector<std::string> listFiles(StringRef folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error))
    names.push_back(path::filename(at->path()).str());
  llvm::sort(names);
  return names;
}

/// Not, for example, model.fp16.safetensors, which is another model.
static bool isShard(StringRef name) {
  return name.starts_with("model-") && name.ends_with(".safetensors");
}

llvm::Error Shards::openShard(StringRef folder, StringRef name) {
  llvm::Expected<SafetensorsFile> opened =
      SafetensorsFile::open(joinPath(folder, name));
  if (!opened)
    return opened.takeError();
  shards.emplace(name.str(), std::move(*opened));
  return llvm::Error::success();
}

llvm::Error Shards::openSingle(StringRef folder, StringRef name) {
  if (llvm::Error error = openShard(folder, name))
    return error;
  for (StringRef tensor : shards.begin()->second.names())
    shardOf[tensor.str()] = name.str();
  return llvm::Error::success();
}

/// Tensors are in the files that the index names.
llvm::Error Shards::openIndexed(StringRef folder, StringRef text) {
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
    if (!name || path::filename(*name) != *name)
      return createStringError(formatv("weight_map: '{0}' lies in {1}, which "
                                       "names no file beside it",
                                       StringRef(key), value));
    shardOf[key.str()] = name->str();
  }
  for (const auto &[tensor, name] : shardOf) {
    if (shards.count(name))
      continue;
    if (!fs::exists(joinPath(folder, name)))
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

llvm::Error Shards::openFolder(StringRef folder) {
  std::string index = joinPath(folder, (single + ".index.json").str());
  if (fs::exists(index))
    return openIndex(index);
  std::vector<std::string> names = listFiles(folder);
  for (StringRef name : names)
    if (isShard(name))
      return createFileError(
          folder, createStringError(formatv("'{0}' is one of several files, "
                                            "but {1}.index.json is not there",
                                            name, single)));
  if (!fs::exists(joinPath(folder, single)))
    for (StringRef name : names) {
      if (isPickle(name))
        return refusePickle(joinPath(folder, name));
      if (name.ends_with(".safetensors"))
        return createFileError(
            folder,
            createStringError(formatv(
                "'{0}' is there, but the weights that are read are {1}, with "
                "the names of Hugging Face",
                name, single)));
    }
  return openSingle(folder, single);
}

llvm::Error Shards::openIndex(StringRef index) {
  auto text = readInputFile(index, /*isText=*/true);
  if (!text)
    return createFileError(index, text.takeError());
  if (llvm::Error error =
          openIndexed(path::parent_path(index), (*text)->getBuffer()))
    return createFileError(index, std::move(error));
  return llvm::Error::success();
}

llvm::Expected<Shards> Shards::open(StringRef place) {
  Shards shards;
  llvm::Error error =
      fs::is_directory(place) ? shards.openFolder(place)
      : place.ends_with(".json")
          ? shards.openIndex(place)
          : shards.openSingle(path::parent_path(place), path::filename(place));
  if (error)
    return std::move(error);
  return shards;
}

const std::string *Shards::fileOf(StringRef name) const {
  auto found = shardOf.find(name);
  return found == shardOf.end() ? nullptr : &found->second;
}

llvm::Expected<ArrayView> Shards::lookup(StringRef name) const {
  const std::string *file = fileOf(name);
  if (!file)
    return createStringError(formatv("tensor '{0}' is in no file", name));
  llvm::Expected<ArrayView> view = shards.find(*file)->second.lookup(name);
  if (!view)
    return createFileError(*file, view.takeError());
  return view;
}

std::vector<StringRef> Shards::names() const {
  std::vector<StringRef> names;
  for (const auto &[name, file] : shardOf)
    names.push_back(name);
  return names;
}
