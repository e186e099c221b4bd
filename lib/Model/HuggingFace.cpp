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
#include "trn/Support/Paths.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir::trn;
using llvm::createFileError;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// What is stored in 8 bits needs scales, and a word in config.json.
static llvm::Error checkType(const TensorSpec &spec, HostType found) {
  const bool isNarrow = byteSize(found) == 1;
  const bool isStored = spec.type && isStorage(*spec.type);
  if (isNarrow == isStored &&
      (!isNarrow || stringify(found) == stringify(*spec.type)))
    return llvm::Error::success();
  return createStringError(formatv(
      "tensor '{0}' is {1}, but must be {2} by config.json{3}", spec.name,
      stringify(found), isStored ? stringify(*spec.type) : "a wider float",
      isStored ? "" : ", which has no quantization_config"));
}

/// What to do about a tensor that no file has.
static std::string adviseOn(StringRef wanted, llvm::ArrayRef<StringRef> names) {
  if (wanted == "lm_head.weight")
    return "; if its head is the embedding, config.json must have "
           "\"tie_word_embeddings\": true";
  // Of a model without a head, or within another model.
  for (StringRef name : names) {
    StringRef longer = name.size() > wanted.size() ? name : wanted;
    StringRef shorter = name.size() > wanted.size() ? wanted : name;
    if (longer.consume_back(shorter) && longer.ends_with("."))
      return formatv(", but there is '{0}'; save the model by the class that "
                     "'architectures' must name, such as LlamaForCausalLM",
                     name);
  }
  return "";
}

/// All that the model needs, with the sizes that it has.
llvm::Error Checkpoint::findTensors() {
  for (const TensorSpec &spec : listTensors(shape)) {
    const std::string *file = shards.fileOf(spec.name);
    if (!file)
      return createStringError(
          formatv("the model needs tensor '{0}', which no file has{1}",
                  spec.name, adviseOn(spec.name, shards.names())));
    llvm::Expected<ArrayView> view = shards.lookup(spec.name);
    if (!view)
      return view.takeError();
    if (llvm::ArrayRef(view->shape) != llvm::ArrayRef(spec.shape))
      return createFileError(
          *file,
          createStringError(formatv(
              "tensor '{0}' is {1}, but must be {2} by config.json", spec.name,
              formatShape(view->shape), formatShape(spec.shape))));
    if (llvm::Error error = checkType(spec, view->type))
      return createFileError(*file, std::move(error));
    tensors.emplace(spec.name, *view);
  }
  return llvm::Error::success();
}

/// What the model has no use for would silently be left out of it.
llvm::Error Checkpoint::checkOthers() const {
  for (const auto &[file, shard] : shards.files()) {
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
      const std::string *place = shards.fileOf(name);
      if (place && *place != file)
        return refuse("is also in '" + *place + "'");
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
  if (llvm::Error error = refuseFolderOfOthers(path))
    return std::move(error);
  Checkpoint checkpoint;
  std::string file = joinPath(path, "config.json");
  auto buffer = readInputFile(file, /*isText=*/true);
  if (!buffer)
    return createFileError(file, buffer.takeError());
  if (llvm::Error error =
          parseConfig((*buffer)->getBuffer()).moveInto(checkpoint.shape))
    return createFileError(file, std::move(error));
  if (llvm::Error error = Shards::open(path).moveInto(checkpoint.shards))
    return error;
  if (llvm::Error error = checkpoint.findTensors())
    return createFileError(path, std::move(error));
  if (llvm::Error error = checkpoint.checkOthers())
    return createFileError(path, std::move(error));
  checkpoint.description = cantFail(parseJSON((*buffer)->getBuffer()));
  return checkpoint;
}
