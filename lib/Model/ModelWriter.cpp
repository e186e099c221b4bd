//===- ModelWriter.cpp - Write folders of language models -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/ModelWriter.h"

#include "trn/Model/Layer.h"
#include "trn/Support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace mlir::trn;
using llvm::StringRef;

static std::string join(StringRef folder, StringRef file) {
  llvm::SmallString<0> path(folder);
  llvm::sys::path::append(path, file);
  return path.str().str();
}

llvm::Expected<ModelWriter> ModelWriter::create(StringRef folder,
                                                const ModelConfig &config,
                                                ElementType type,
                                                int64_t maxShardBytes) {
  ModelWriter writer;
  writer.folder = folder.str();
  writer.config = config;
  std::vector<std::vector<SafetensorsWriter::Tensor>> parts(1);
  int64_t size = 0; // of the last part
  for (const TensorSpec &spec : listTensors(config)) {
    int64_t own = *countElements(spec.shape) * byteSize(type);
    if (size && size + own > maxShardBytes) {
      parts.emplace_back();
      size = 0;
    }
    size += own;
    writer.bytes += own;
    writer.places[spec.name] = {parts.size() - 1, spec.shape[0]};
    parts.back().push_back({spec.name, type, spec.shape});
  }
  if (std::error_code error =
          llvm::sys::fs::create_directories(folder, /*IgnoreExisting=*/true))
    return llvm::createStringError("cannot make '" + folder +
                                   "': " + error.message());
  for (auto [number, part] : llvm::enumerate(parts)) {
    writer.files.push_back(
        parts.size() == 1 ? "model.safetensors"
                          : llvm::formatv("model-{0:05}-of-{1:05}.safetensors",
                                          number + 1, parts.size())
                                .str());
    llvm::Expected<SafetensorsWriter> shard =
        SafetensorsWriter::create(join(folder, writer.files.back()), part);
    if (!shard)
      return shard.takeError();
    writer.shards.push_back(std::move(*shard));
  }
  return writer;
}

/// Rows of heads as Hugging Face has them.
static std::vector<float> turnRows(llvm::ArrayRef<float> weight, int64_t rows,
                                   int64_t headDim) {
  const int64_t columns = weight.size() / rows;
  std::vector<float> turned(weight.size());
  for (int64_t row = 0; row < rows; ++row)
    std::copy_n(weight.begin() + row * columns, columns,
                turned.begin() + toHalves(row, headDim) * columns);
  return turned;
}

void ModelWriter::write(StringRef name, llvm::ArrayRef<float> values) {
  const auto &[shard, rows] = places.find(name)->second;
  StringRef module = name;
  if (config.rotatesNeighbours && module.consume_back(".weight") &&
      isRotated(module))
    shards[shard].write(name, turnRows(values, rows, config.headDim));
  else
    shards[shard].write(name, values);
}

llvm::Error ModelWriter::copyFrom(const Checkpoint &checkpoint) {
  for (const TensorSpec &spec : listTensors(checkpoint.config())) {
    if (!places.count(spec.name))
      continue;
    llvm::Expected<std::vector<float>> values = checkpoint.load(spec.name);
    if (!values)
      return values.takeError();
    write(spec.name, *values);
  }
  return llvm::Error::success();
}

llvm::Error ModelWriter::finish() {
  for (SafetensorsWriter &shard : shards)
    if (llvm::Error error = shard.commit())
      return error;
  if (shards.size() == 1)
    return llvm::Error::success();
  llvm::json::Object map;
  for (const auto &[name, place] : places)
    map[name] = files[place.shard];
  llvm::json::Value index = llvm::json::Object{
      {"metadata", llvm::json::Object{{"total_size", bytes}}},
      {"weight_map", std::move(map)}};
  return writeFile(
      join(folder, "model.safetensors.index.json"),
      [&](llvm::raw_ostream &os) { os << llvm::formatv("{0:2}\n", index); });
}
