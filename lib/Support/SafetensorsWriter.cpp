//===- SafetensorsWriter.cpp - Write safetensors checkpoints --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/SafetensorsWriter.h"

#include "trn/Support/HostTensor.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
namespace json = llvm::json;

static llvm::StringRef typeName(ElementType type) {
  switch (type) {
  case ElementType::BF16:
    return "BF16";
  case ElementType::F16:
    return "F16";
  case ElementType::F32:
    return "F32";
  }
  return "";
}

llvm::Expected<SafetensorsWriter>
SafetensorsWriter::create(llvm::StringRef path, llvm::ArrayRef<Tensor> tensors,
                          llvm::StringRef format) {
  SafetensorsWriter writer;
  json::Object header;
  if (!format.empty())
    header["__metadata__"] = json::Object{{"format", format}};
  uint64_t end = 0;
  for (const Tensor &tensor : tensors) {
    uint64_t begin = end;
    end += uint64_t(*countElements(tensor.shape)) * byteSize(tensor.type);
    header[tensor.name] = json::Object{
        {"dtype", typeName(tensor.type)},
        {"shape", json::Array(tensor.shape)},
        {"data_offsets", json::Array{int64_t(begin), int64_t(end)}}};
    writer.places[tensor.name] = {tensor.type, begin};
  }
  std::string text = llvm::formatv("{0}", json::Value(std::move(header)));
  text.resize(llvm::alignTo(text.size(), sizeof(uint64_t)), ' ');
  uint64_t start = sizeof(uint64_t) + text.size();
  auto file = llvm::FileOutputBuffer::create(path, start + end);
  if (!file)
    return llvm::createStringError("cannot write '" + path +
                                   "': " + llvm::toString(file.takeError()));
  llvm::support::endian::write64le((*file)->getBufferStart(), text.size());
  std::copy(text.begin(), text.end(),
            (*file)->getBufferStart() + sizeof(uint64_t));
  for (auto &[name, place] : writer.places)
    place.begin += start;
  writer.file = std::move(*file);
  return writer;
}

void SafetensorsWriter::write(llvm::StringRef name,
                              llvm::ArrayRef<float> values) {
  const Place &place = places.find(name)->second;
  storeFloats(place.type, values.data(), file->getBufferStart() + place.begin,
              values.size());
}

llvm::Error SafetensorsWriter::commit() { return file->commit(); }
