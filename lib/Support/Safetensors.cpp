//===- Safetensors.cpp - Read safetensors checkpoints ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/Safetensors.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::StringRef;

llvm::Expected<SafetensorsFile> SafetensorsFile::open(StringRef path) {
  auto named = [&](const llvm::Twine &message) {
    return createStringError("'" + path + "': " + message);
  };
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return named(buffer.getError().message());
  llvm::Expected<SafetensorsFile> file = parse(std::move(*buffer));
  if (!file)
    return named(llvm::toString(file.takeError()));
  return file;
}

llvm::Expected<SafetensorsFile>
SafetensorsFile::parse(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  StringRef bytes = buffer->getBuffer();
  if (bytes.size() < sizeof(uint64_t))
    return createStringError("not a safetensors file: shorter than 8 bytes");
  uint64_t length = llvm::support::endian::read64le(bytes.data());
  bytes = bytes.drop_front(sizeof(uint64_t));
  if (length > bytes.size())
    return createStringError(
        "not a safetensors file, or truncated: header of " +
        std::to_string(length) + " bytes, but only " +
        std::to_string(bytes.size()) + " follow");
  llvm::Expected<llvm::json::Value> json =
      llvm::json::parse(bytes.take_front(length));
  if (!json)
    return createStringError("safetensors header is malformed: " +
                             llvm::toString(json.takeError()));
  llvm::json::Object *object = json->getAsObject();
  if (!object)
    return createStringError("safetensors header is not a JSON object");
  SafetensorsFile file;
  file.header = std::move(*object);
  file.values = bytes.drop_front(length);
  file.buffer = std::move(buffer);
  return file;
}

bool SafetensorsFile::contains(StringRef name) const {
  return name != "__metadata__" && header.getObject(name);
}

llvm::Expected<ArrayView> SafetensorsFile::lookup(StringRef name) const {
  auto failed = [&](const llvm::Twine &message) {
    return createStringError("tensor '" + name + "' " + message);
  };
  if (!contains(name))
    return failed("is not in the checkpoint");
  const llvm::json::Object &entry = *header.getObject(name);
  std::optional<StringRef> dtype = entry.getString("dtype");
  const llvm::json::Array *shape = entry.getArray("shape");
  const llvm::json::Array *offsets = entry.getArray("data_offsets");
  if (!dtype || !shape || !offsets || offsets->size() != 2)
    return failed("has a malformed entry in the header");

  ArrayView view;
  auto type = llvm::StringSwitch<std::optional<ElementType>>(*dtype)
                  .Case("BF16", ElementType::BF16)
                  .Case("F16", ElementType::F16)
                  .Case("F32", ElementType::F32)
                  .Default(std::nullopt);
  if (!type)
    return failed("has type " + *dtype +
                  ", but only BF16, F16 and F32 are "
                  "read");
  view.type = *type;
  for (const llvm::json::Value &size : *shape)
    view.shape.push_back(size.getAsInteger().value_or(-1));
  std::optional<int64_t> count = countElements(view.shape);
  std::optional<int64_t> begin = (*offsets)[0].getAsInteger();
  std::optional<int64_t> end = (*offsets)[1].getAsInteger();
  if (!count || !begin || !end || *begin < 0 || *end < *begin)
    return failed("has a malformed entry in the header");
  if (*end > int64_t(values.size()))
    return failed("ends at byte " + llvm::Twine(*end) +
                  ", but the file holds only " + llvm::Twine(values.size()) +
                  " bytes of values");
  if (*count > (INT64_MAX / 4) || *end - *begin != *count * byteSize(view.type))
    return failed("has shape " + formatShape(view.shape) + ", but " +
                  llvm::Twine(*end - *begin) + " bytes of values");
  view.data = values.data() + *begin;
  return view;
}
