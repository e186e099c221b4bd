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
  if (place.ends_with(".bin")) {
    llvm::Expected<Checkpoint> checkpoint = Checkpoint::open(place);
    if (!checkpoint)
      return checkpoint.takeError();
    source.files = std::make_shared<Files>(std::move(*checkpoint));
    return source;
  }
  llvm::Expected<Shards> shards = Shards::open(place);
  if (!shards)
    return shards.takeError();
  source.files = std::make_shared<Files>(std::move(*shards));
  return source;
}

std::vector<std::string> WeightSource::names() const {
  std::vector<std::string> names;
  if (const auto *shards = std::get_if<Shards>(files.get()))
    for (StringRef name : shards->names())
      names.push_back(name.str());
  else
    for (TensorSpec &spec : listTensors(std::get<Checkpoint>(*files).config()))
      names.push_back(std::move(spec.name));
  return names;
}

bool WeightSource::has(StringRef name) const {
  if (const auto *shards = std::get_if<Shards>(files.get()))
    return shards->fileOf(name);
  return llvm::is_contained(names(), name);
}

/// llama2.c has rows of heads that are turned together beside each other.
static bool isTurned(const Checkpoint *checkpoint, StringRef name) {
  return checkpoint && hasNeighbourRows(checkpoint->config(), name);
}

llvm::Expected<HostTensor> WeightSource::load(StringRef name, HostType type,
                                              llvm::ArrayRef<int64_t> shape,
                                              bool mayWrite) const {
  const auto *checkpoint = std::get_if<Checkpoint>(files.get());
  llvm::Expected<ArrayView> view = checkpoint
                                       ? checkpoint->lookup(name)
                                       : std::get<Shards>(*files).lookup(name);
  if (!view)
    return view.takeError();
  if (!mayWrite && !isTurned(checkpoint, name))
    if (auto borrowed = HostTensor::borrow(type, shape, *view, files))
      return std::move(*borrowed);
  llvm::Expected<HostTensor> copy = HostTensor::create(type, shape);
  if (!copy)
    return copy;
  if (llvm::Error error = assign(name, *view, *copy))
    return std::move(error);
  return copy;
}

llvm::Error WeightSource::assign(StringRef name, const ArrayView &view,
                                 HostTensor &into) const {
  const auto *checkpoint = std::get_if<Checkpoint>(files.get());
  if (!isTurned(checkpoint, name))
    return into.assign(view);
  llvm::Expected<std::vector<float>> values = checkpoint->load(name);
  if (!values)
    return values.takeError();
  std::vector<float> turned =
      turnRows(*values, view.shape[0], checkpoint->config().headDim);
  ArrayView there = view;
  there.data = reinterpret_cast<const char *>(turned.data());
  return into.assign(there);
}
