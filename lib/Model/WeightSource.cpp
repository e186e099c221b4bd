//===- WeightSource.cpp - Tensors that programs take ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/WeightSource.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using llvm::StringRef;

llvm::Expected<WeightSource> WeightSource::open(StringRef place) {
  WeightSource source;
  if (!place.ends_with(".bin")) {
    if (llvm::Error error =
            Shards::open(place).moveInto(source.files.emplace<Shards>()))
      return error;
    return source;
  }
  llvm::Expected<Checkpoint> checkpoint = Checkpoint::open(place);
  if (!checkpoint)
    return checkpoint.takeError();
  source.files = std::move(*checkpoint);
  return source;
}

std::vector<std::string> WeightSource::names() const {
  std::vector<std::string> names;
  if (const auto *shards = std::get_if<Shards>(&files))
    for (StringRef name : shards->names())
      names.push_back(name.str());
  else
    for (TensorSpec &spec : listTensors(std::get<Checkpoint>(files).config()))
      names.push_back(std::move(spec.name));
  return names;
}

bool WeightSource::has(StringRef name) const {
  if (const auto *shards = std::get_if<Shards>(&files))
    return shards->fileOf(name);
  return llvm::is_contained(names(), name);
}

llvm::Error WeightSource::assign(StringRef name, HostTensor &into) const {
  if (const auto *shards = std::get_if<Shards>(&files)) {
    llvm::Expected<ArrayView> view = shards->lookup(name);
    return view ? into.assign(*view) : view.takeError();
  }
  const auto &checkpoint = std::get<Checkpoint>(files);
  ArrayView view = checkpoint.lookup(name);
  if (!hasNeighbourRows(checkpoint.config(), name))
    return into.assign(view);
  llvm::Expected<std::vector<float>> values = checkpoint.load(name);
  if (!values)
    return values.takeError();
  std::vector<float> turned =
      turnRows(*values, view.shape[0], checkpoint.config().headDim);
  view.data = reinterpret_cast<const char *>(turned.data());
  return into.assign(view);
}
