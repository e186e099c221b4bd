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
#include <cerrno>
#include <unistd.h>
#include <vector>

using namespace mlir::trn;
namespace fs = llvm::sys::fs;
namespace json = llvm::json;

static llvm::StringRef typeName(ElementType type) {
  switch (type) {
  case ElementType::BF16:
    return "BF16";
  case ElementType::F16:
    return "F16";
  case ElementType::F32:
    return "F32";
  case ElementType::I32:
    return "I32";
  case ElementType::UI32:
    return "U32";
  case ElementType::I8:
    return "I8";
  case ElementType::F8E4M3: // the format has one type for both
  case ElementType::F8E4M3FN:
    return "F8_E4M3";
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
  for (auto &[name, place] : writer.places)
    place.begin += start;
  writer.path = path.str();
  llvm::Expected<fs::TempFile> file = fs::TempFile::create(path + ".tmp%%%%%%");
  if (!file)
    return writer.fail(llvm::errorToErrorCode(file.takeError()));
  writer.file.reset(new fs::TempFile(std::move(*file)));
  // Takes the room on the disk, and fails if there is none.
  if (std::error_code error = fs::resize_file(writer.file->FD, start + end))
    return writer.fail(error);
  char length[sizeof(uint64_t)];
  llvm::support::endian::write64le(length, text.size());
  writer.writeBytes(0, length);
  writer.writeBytes(sizeof length, text);
  return writer;
}

void SafetensorsWriter::Discard::operator()(fs::TempFile *file) const {
  llvm::consumeError(file->discard());
  delete file;
}

llvm::Error SafetensorsWriter::fail(std::error_code error) const {
  return llvm::createStringError("cannot write '" + path +
                                 "': " + error.message());
}

void SafetensorsWriter::writeBytes(uint64_t begin, llvm::ArrayRef<char> bytes) {
  while (!bytes.empty() && !problem) {
    ssize_t count = pwrite(file->FD, bytes.data(), bytes.size(), off_t(begin));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0) {
      problem = count ? std::error_code(errno, std::generic_category())
                      : std::make_error_code(std::errc::io_error);
      return;
    }
    bytes = bytes.drop_front(count);
    begin += count;
  }
}

void SafetensorsWriter::write(llvm::StringRef name,
                              llvm::ArrayRef<float> values, int64_t first) {
  const Place &place = places.find(name)->second;
  constexpr size_t atOnce = 1 << 16;
  std::vector<char> bytes;
  for (uint64_t at = place.begin + first * byteSize(place.type);
       !values.empty(); at += bytes.size()) {
    llvm::ArrayRef<float> block = values.take_front(atOnce);
    bytes.resize(block.size() * byteSize(place.type));
    storeFloats(place.type, block.data(), bytes.data(), block.size());
    writeBytes(at, bytes);
    values = values.drop_front(block.size());
  }
}

llvm::Error SafetensorsWriter::commit() {
  if (problem)
    return fail(problem);
  if (llvm::Error error = file->keep(path))
    return fail(llvm::errorToErrorCode(std::move(error)));
  file.reset();
  return llvm::Error::success();
}
