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
#include "trn/Support/Paths.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace mlir::trn;
using llvm::StringRef;

llvm::Expected<ModelWriter> ModelWriter::create(StringRef folder,
                                                const ModelConfig &config,
                                                ElementType type,
                                                int64_t maxShardBytes) {
  ModelWriter writer;
  writer.folder = folder.str();
  writer.config = config;
  writer.type = type;
  std::vector<std::vector<SafetensorsWriter::Tensor>> parts(1);
  int64_t size = 0; // of the last part
  for (const TensorSpec &spec : listTensors(config)) {
    ElementType ownType = spec.type.value_or(type);
    int64_t own = *countElements(spec.shape) * byteSize(ownType);
    if (size && size + own > maxShardBytes) {
      parts.emplace_back();
      size = 0;
    }
    size += own;
    writer.bytes += own;
    Place &place = writer.places[spec.name] = {
        parts.size() - 1, spec.shape[0],
        spec.shape.size() > 1 ? spec.shape[1] : 1, std::nullopt};
    if (isStorage(ownType))
      place.stored = ownType;
    parts.back().push_back({spec.name, ownType, spec.shape});
  }
  if (std::error_code error = llvm::sys::fs::create_directories(
          folder, /*IgnoreExisting=*/true, llvm::sys::fs::all_all))
    return llvm::createStringError("cannot make '" + folder +
                                   "': " + error.message());
  // Versions of the library transformers fail without a format; models with
  // factors are none for it.
  for (auto [number, part] : llvm::enumerate(parts)) {
    writer.files.push_back(
        parts.size() == 1 ? "model.safetensors"
                          : llvm::formatv("model-{0:05}-of-{1:05}.safetensors",
                                          number + 1, parts.size())
                                .str());
    llvm::Expected<SafetensorsWriter> shard =
        SafetensorsWriter::create(joinPath(folder, writer.files.back()), part,
                                  config.needsOwnKeys() ? "" : "pt");
    if (!shard)
      return shard.takeError();
    writer.shards.push_back(std::move(*shard));
  }
  return writer;
}

/// Fails if rounding makes an infinity of a value.
static llvm::Error checkRange(StringRef name, llvm::ArrayRef<float> values,
                              ElementType type) {
  // Half of the last place above the largest numbers of f16 and bf16.
  const float limit = type == ElementType::F16    ? 65520
                      : type == ElementType::BF16 ? 0x1.ffp127f
                                                  : INFINITY;
  float most = 0;
  for (float value : values)
    most = std::max(most, std::abs(value));
  if (most < limit)
    return llvm::Error::success();
  return llvm::createStringError(llvm::formatv(
      "tensor '{0}' has a value of {1}, which {2} cannot hold; write f32{3}",
      name, most, stringify(type), type == ElementType::F16 ? " or bf16" : ""));
}

/// A matrix with zeros below it and to its right.
static std::vector<float> pad(llvm::ArrayRef<float> values, int64_t from,
                              int64_t rows, int64_t columns) {
  std::vector<float> padded(rows * columns);
  for (int64_t row = 0; row * from < int64_t(values.size()); ++row)
    std::copy_n(values.begin() + row * from, from,
                padded.begin() + row * columns);
  return padded;
}

/// Makes a row multiples of a scale, which is returned.
static float quantise(ElementType type, llvm::MutableArrayRef<float> row) {
  float most = 0;
  for (float value : row)
    most = std::max(most, std::abs(value));
  // Up to 240 both kinds of f8E4M3 have the same numbers.
  const float limit = isInteger(type) ? 127 : 240;
  const float scale = most > 0 ? most / limit : 1;
  for (float &value : row) {
    value = std::clamp(value / scale, -limit, limit);
    if (isInteger(type))
      value = std::nearbyint(value);
  }
  return scale;
}

void ModelWriter::store(StringRef name, llvm::ArrayRef<float> values,
                        int64_t firstRow) {
  const Place &place = places.find(name)->second;
  const int64_t columns = place.columns;
  if (!place.stored)
    return shards[place.shard].write(name, values, firstRow * columns);
  std::vector<float> stored(values.begin(), values.end());
  std::vector<float> scales;
  for (llvm::MutableArrayRef<float> rest(stored); !rest.empty();
       rest = rest.drop_front(columns))
    scales.push_back(quantise(*place.stored, rest.take_front(columns)));
  shards[place.shard].write(name, stored, firstRow * columns);
  std::string scaleName = (name + "_scale").str();
  shards[places.find(scaleName)->second.shard].write(scaleName, scales,
                                                     firstRow);
}

llvm::Error ModelWriter::write(StringRef name, llvm::ArrayRef<float> values,
                               int64_t from) {
  const Place &place = places.find(name)->second;
  if (!place.stored)
    if (llvm::Error error = checkRange(name, values, type))
      return error;
  if (int64_t(values.size()) < place.rows * place.columns)
    store(name, pad(values, from, place.rows, place.columns));
  else if (hasNeighbourRows(config, name))
    store(name, turnRows(values, place.rows, config.headDim));
  else
    store(name, values);
  return llvm::Error::success();
}

/// Some rows at a time, but where they change places.
llvm::Error ModelWriter::copyTensor(const Checkpoint &checkpoint,
                                    StringRef name) {
  const auto &[shard, rows, columns, stored] = places.find(name)->second;
  const auto &shape = checkpoint.lookup(name).shape;
  if (hasNeighbourRows(config, name) ||
      *countElements(shape) < rows * columns) {
    llvm::Expected<std::vector<float>> values = checkpoint.load(name);
    return values ? write(name, *values, shape.back()) : values.takeError();
  }
  const int64_t atOnce = std::max<int64_t>((1 << 24) / columns, 1);
  for (int64_t row = 0; row < rows; row += atOnce) {
    llvm::Expected<std::vector<float>> values =
        checkpoint.loadRows(name, row, std::min(atOnce, rows - row));
    if (!values)
      return values.takeError();
    if (!stored)
      if (llvm::Error error = checkRange(name, *values, type))
        return error;
    store(name, *values, row);
  }
  return llvm::Error::success();
}

llvm::Error ModelWriter::copyWeight(const Checkpoint &checkpoint,
                                    StringRef module) {
  Linear linear;
  std::string stem = module.drop_back(strlen("proj")).str();
  std::string first = stem + "v_proj.weight", second = stem + "u_proj.weight";
  linear.in = checkpoint.lookup(first).shape[1];
  linear.out = checkpoint.lookup(second).shape[0];
  linear.rank = checkpoint.lookup(first).shape[0];
  if (llvm::Error error = checkpoint.load(first).moveInto(linear.weight))
    return error;
  if (llvm::Error error = checkpoint.load(second).moveInto(linear.second))
    return error;
  return write((module + ".weight").str(), linear.multiplyFactors(), linear.in);
}

llvm::Error ModelWriter::copyFrom(const Checkpoint &checkpoint,
                                  const ModelConfig &compressed) {
  std::map<std::string, llvm::SmallVector<int64_t, 2>> kept;
  for (TensorSpec &spec : listTensors(compressed))
    kept.emplace(std::move(spec.name), std::move(spec.shape));
  for (const TensorSpec &spec : listTensors(checkpoint.config())) {
    auto same = kept.find(spec.name);
    if (spec.isScale() || same == kept.end() || same->second != spec.shape ||
        !places.count(spec.name))
      continue;
    if (llvm::Error error = copyTensor(checkpoint, spec.name))
      return error;
  }
  for (const auto &[module, rank] : checkpoint.config().ranks)
    if (places.count(module + ".weight"))
      if (llvm::Error error = copyWeight(checkpoint, module))
        return error;
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
      joinPath(folder, "model.safetensors.index.json"),
      [&](llvm::raw_ostream &os) { os << llvm::formatv("{0:2}\n", index); });
}
