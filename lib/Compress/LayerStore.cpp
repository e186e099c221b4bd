//===- LayerStore.cpp - Layers that are done already ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/LayerStore.h"

#include "trn/Model/FiniteValues.h"

#include "trn/Support/InputFile.h"
#include "trn/Support/JSON.h"
#include "trn/Support/OutputFile.h"
#include "trn/Support/Paths.h"
#include "trn/Support/Safetensors.h"
#include "trn/Support/SafetensorsWriter.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;

std::string mlir::trn::firstFactorName(StringRef module) {
  return (module.drop_back(strlen("proj")) + "v_proj.weight").str();
}

std::string mlir::trn::secondFactorName(StringRef module) {
  return (module.drop_back(strlen("proj")) + "u_proj.weight").str();
}

std::vector<PlacedTensor> mlir::trn::listTensors(const FactoredMatrix &matrix) {
  const int64_t out = matrix.outLeft(), in = matrix.inLeft();
  if (!matrix.isChanged())
    return {};
  if (!matrix.rank) {
    std::vector<PlacedTensor> tensors{
        {matrix.module + ".weight", {out, in}, &Linear::weight}};
    if (matrix.hasBias)
      tensors.push_back({matrix.module + ".bias", {out}, &Linear::bias});
    return tensors;
  }
  return {
      {firstFactorName(matrix.module), {matrix.rank, in}, &Linear::weight},
      {secondFactorName(matrix.module), {out, matrix.rank}, &Linear::second}};
}

static Linear Layer::*memberOf(StringRef module) {
  return llvm::StringSwitch<Linear Layer::*>(
             module.substr(module.rfind('.') + 1))
      .Case("q_proj", &Layer::query)
      .Case("k_proj", &Layer::key)
      .Case("v_proj", &Layer::value)
      .Case("o_proj", &Layer::output)
      .Case("gate_proj", &Layer::gate)
      .Case("up_proj", &Layer::up)
      .Default(&Layer::down);
}

Linear &mlir::trn::linearOf(Layer &layer, StringRef module) {
  return layer.*memberOf(module);
}

const Linear &mlir::trn::linearOf(const Layer &layer, StringRef module) {
  return layer.*memberOf(module);
}

//===----------------------------------------------------------------------===//
// The folder
//===----------------------------------------------------------------------===//

static llvm::Error writeJSON(StringRef path, llvm::json::Value value) {
  return writeFile(
      path, [&](llvm::raw_ostream &os) { os << formatv("{0:2}\n", value); });
}

static llvm::Expected<llvm::json::Object> readJSON(StringRef path) {
  auto buffer = readInputFile(path, /*isText=*/true);
  if (!buffer)
    return llvm::createFileError(path, buffer.takeError());
  llvm::Expected<llvm::json::Value> value = parseJSON((*buffer)->getBuffer());
  if (!value)
    return llvm::createFileError(path, value.takeError());
  if (!value->getAsObject())
    return llvm::createFileError(path, createStringError("it is no object"));
  return std::move(*value->getAsObject());
}

std::string LayerStore::pathOf(int64_t layer, StringRef extension) const {
  return joinPath(folder, formatv("layer-{0:05}.{1}", layer, extension).str());
}

llvm::Expected<LayerStore> LayerStore::open(StringRef folder,
                                            llvm::json::Object work) {
  std::string begun = joinPath(folder, "work.json");
  if (std::error_code error = llvm::sys::fs::create_directories(
          folder, /*IgnoreExisting=*/true, llvm::sys::fs::all_all))
    return llvm::createFileError(folder, error);
  if (!llvm::sys::fs::exists(begun)) {
    if (llvm::Error error = writeJSON(begun, std::move(work)))
      return error;
    return LayerStore(folder);
  }
  llvm::Expected<llvm::json::Object> before = readJSON(begun);
  if (!before)
    return before.takeError();
  for (const auto &[key, value] : work)
    if (const llvm::json::Value *own = before->get(key); !own || *own != value)
      return createStringError(formatv(
          "'{0}' was begun with other work, its {1} differ: go on as it "
          "was begun, or begin again with --force",
          folder, StringRef(key)));
  return LayerStore(folder);
}

llvm::Error LayerStore::remove() const {
  if (std::error_code error =
          llvm::sys::fs::remove_directories(folder, /*IgnoreErrors=*/false))
    return llvm::createFileError(folder, error);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// The record of a layer is written last.
bool LayerStore::contains(int64_t layer) const {
  return llvm::sys::fs::exists(pathOf(layer, "json"));
}

llvm::Error LayerStore::save(int64_t number,
                             llvm::ArrayRef<FactoredMatrix> matrices,
                             const Layer &layer,
                             llvm::json::Object record) const {
  std::vector<SafetensorsWriter::Tensor> tensors;
  llvm::json::Object figures;
  for (const FactoredMatrix &matrix : matrices) {
    if (matrix.isChanged())
      figures[matrix.module] = llvm::json::Object(matrix.figures);
    for (const PlacedTensor &tensor : listTensors(matrix))
      tensors.push_back({tensor.name, ElementType::F32, tensor.shape});
  }
  llvm::Expected<SafetensorsWriter> writer =
      SafetensorsWriter::create(pathOf(number, "safetensors"), tensors);
  if (!writer)
    return writer.takeError();
  for (const FactoredMatrix &matrix : matrices)
    for (const PlacedTensor &tensor : listTensors(matrix))
      writer->write(tensor.name, linearOf(layer, matrix.module).*tensor.values);
  if (llvm::Error error = writer->commit())
    return error;
  record["figures"] = std::move(figures);
  return writeJSON(pathOf(number, "json"), std::move(record));
}

llvm::Expected<llvm::json::Object>
LayerStore::load(int64_t number, llvm::MutableArrayRef<FactoredMatrix> matrices,
                 Layer &layer) const {
  llvm::Expected<llvm::json::Object> record = readJSON(pathOf(number, "json"));
  if (!record)
    return record.takeError();
  std::string path = pathOf(number, "safetensors");
  llvm::Expected<SafetensorsFile> file = SafetensorsFile::open(path);
  if (!file)
    return file.takeError();
  const llvm::json::Object *figures = record->getObject("figures");
  for (FactoredMatrix &matrix : matrices) {
    if (!matrix.isChanged())
      continue;
    Linear &linear = linearOf(layer, matrix.module);
    linear.rank = matrix.rank;
    linear.in = matrix.inLeft();
    linear.out = matrix.outLeft();
    for (const PlacedTensor &tensor : listTensors(matrix)) {
      auto view = file->lookup(tensor.name);
      if (!view)
        return view.takeError();
      if (*countElements(view->shape) != *countElements(tensor.shape))
        return llvm::createFileError(
            path,
            createStringError(formatv(
                "'{0}' has {1} elements, but must have {2}", tensor.name,
                *countElements(view->shape), *countElements(tensor.shape))));
      auto loaded = loadFinite(matrix.module, *view);
      if (!loaded)
        return llvm::createFileError(path, loaded.takeError());
      linear.*tensor.values = std::move(*loaded);
    }
    if (figures)
      if (const llvm::json::Object *own = figures->getObject(matrix.module))
        matrix.figures = *own;
  }
  return record;
}
