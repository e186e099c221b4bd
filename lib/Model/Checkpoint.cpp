//===- Checkpoint.cpp - Weights of language models ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Checkpoint.h"

#include "FileKinds.h"
#include "trn/Model/FiniteValues.h"
#include "trn/Support/Paths.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

ArrayView Checkpoint::lookup(StringRef name) const {
  return tensors.find(name)->second;
}

std::string Checkpoint::pathOf(StringRef tensor) const {
  const std::string *shard = shards.fileOf(tensor);
  return shard ? joinPath(place, *shard) : place;
}

void Checkpoint::release(StringRef name) const {
  if (file)
    releasePages(*file);
  else if (const std::string *shard = shards.fileOf(name))
    shards.files().at(*shard).release();
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

/// Of a weight that is stored in 8 bits.
llvm::Error Checkpoint::scaleRows(StringRef name, int64_t first,
                                  int64_t columns,
                                  llvm::MutableArrayRef<float> values) const {
  llvm::Expected<std::vector<float>> scales = loadRows(
      (name + "_scale").str(), first, int64_t(values.size()) / columns);
  if (!scales)
    return scales.takeError();
  for (float scale : *scales) {
    for (float &value : values.take_front(columns))
      value *= scale;
    values = values.drop_front(columns);
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<float>>
Checkpoint::loadRows(StringRef name, int64_t first, int64_t count) const {
  ArrayView view = lookup(name);
  const int64_t columns = view.shape.size() == 1 ? 1 : view.shape[1];
  std::vector<float> values(count * columns);
  loadFloats(view.type.isInteger() ? ElementType::I8 : view.type.getFloats(),
             view.data + first * columns * byteSize(view.type), values.data(),
             values.size());
  if (byteSize(view.type) == 1)
    if (llvm::Error error = scaleRows(name, first, columns, values))
      return error;
  constexpr size_t few = 1 << 16;
  if (values.size() > few)
    release(name);
  if (llvm::Error error =
          checkFinite(name, values, first * columns, view.shape))
    return llvm::createFileError(pathOf(name), std::move(error));
  StringRef module = name;
  if (adapter && module.consume_back(".weight"))
    if (llvm::Error error = adapter->add(module, first, values))
      return error;
  return values;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

llvm::Error mlir::trn::refusePickle(StringRef path) {
  return createStringError(
      formatv("'{0}': pickles of torch are not read; save the model with "
              "save_pretrained(..., safe_serialization=True) and name its "
              "folder",
              path));
}

llvm::Error mlir::trn::refuseOthers(StringRef path) {
  StringRef extension = llvm::sys::path::extension(path);
  if (isPickle(llvm::sys::path::filename(path)))
    return refusePickle(path);
  if (extension == ".safetensors" || extension == ".json")
    return createStringError(
        formatv("'{0}': a model is config.json and safetensors beside each "
                "other; name the folder of both",
                path));
  if (extension == ".gguf")
    return createStringError(
        formatv("'{0}': GGUF is not read; name the folder of the model that "
                "it was made of, which has config.json and safetensors",
                path));
  return llvm::Error::success();
}

llvm::Error mlir::trn::refuseFolderOfOthers(StringRef folder) {
  std::string gguf;
  std::error_code error;
  llvm::sys::fs::directory_iterator at(folder, error), end;
  for (; !error && at != end; at.increment(error)) {
    StringRef extension = llvm::sys::path::extension(at->path());
    if (extension == ".safetensors")
      return llvm::Error::success();
    if (extension == ".gguf")
      gguf = at->path();
  }
  return gguf.empty() ? llvm::Error::success() : refuseOthers(gguf);
}

bool mlir::trn::isPickle(StringRef name) {
  StringRef extension = llvm::sys::path::extension(name);
  return extension == ".pt" || extension == ".pth" || extension == ".ckpt" ||
         (name.starts_with("pytorch_model") && extension == ".bin");
}

llvm::Expected<Checkpoint> Checkpoint::open(StringRef path) {
  const bool isFolder = llvm::sys::fs::is_directory(path);
  if (!isFolder)
    if (llvm::Error error = refuseOthers(path))
      return error;
  llvm::Expected<Checkpoint> checkpoint =
      isFolder ? openFolder(path) : openLlama2c(path);
  if (checkpoint)
    checkpoint->place = path.str();
  else if (!isFolder)
    return llvm::createFileError(path, checkpoint.takeError());
  return checkpoint;
}
