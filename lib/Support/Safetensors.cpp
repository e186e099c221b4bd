//===- Safetensors.cpp - Read safetensors checkpoints ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/Safetensors.h"

#include "trn/Support/InputFile.h"
#include "trn/Support/JSON.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::StringRef;

// As the format's own reader.
static constexpr uint64_t maxHeader = 100'000'000;

static llvm::Error inTensor(StringRef name, const llvm::Twine &message) {
  return createStringError("tensor '" + name + "' " + message);
}

static std::optional<HostType> parseType(StringRef type) {
  return llvm::StringSwitch<std::optional<HostType>>(type)
      .Case("BF16", ElementType::BF16)
      .Case("F16", ElementType::F16)
      .Case("F32", ElementType::F32)
      .Case("I8", HostType::integer(8))
      .Case("F8_E4M3", ElementType::F8E4M3FN)
      .Default(std::nullopt);
}

llvm::Expected<SafetensorsFile> SafetensorsFile::open(StringRef path) {
  auto buffer = readInputFile(path, /*isText=*/false);
  if (!buffer)
    return llvm::createFileError(path, buffer.takeError());
  llvm::Expected<SafetensorsFile> file = parse(std::move(*buffer));
  if (!file)
    return llvm::createFileError(path, file.takeError());
  return file;
}

/// The first number of `json` that is not written as a whole one, as `4.0`.
/// LLVM takes it for the integer that it is, other readers do not.
static StringRef findFraction(StringRef json) {
  bool isInText = false;
  for (size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '"')
      isInText = !isInText;
    else if (isInText && json[i] == '\\')
      ++i;
    else if (!isInText && llvm::isDigit(json[i])) {
      StringRef number = json.drop_front(i).take_until(
          [](char c) { return StringRef(" \t\r\n,]}").contains(c); });
      if (!llvm::all_of(number, llvm::isDigit))
        return number;
      i += number.size() - 1;
    }
  }
  return "";
}

/// The JSON behind the 8 bytes that `bytes` starts with; leaves the values.
static llvm::Expected<llvm::json::Object> readHeader(StringRef &bytes) {
  if (bytes.size() < sizeof(uint64_t))
    return createStringError("not a safetensors file: shorter than 8 bytes");
  uint64_t length = llvm::support::endian::read64le(bytes.data());
  bytes = bytes.drop_front(sizeof(uint64_t));
  if (length > bytes.size())
    return createStringError(
        "not a safetensors file, or truncated: header of " +
        std::to_string(length) + " bytes, but only " +
        std::to_string(bytes.size()) + " follow");
  if (length > maxHeader)
    return createStringError("safetensors header has " +
                             std::to_string(length) + " bytes, but at most " +
                             std::to_string(maxHeader) + " are allowed");
  llvm::Expected<llvm::json::Value> json = parseJSON(bytes.take_front(length));
  StringRef fraction = json ? findFraction(bytes.take_front(length)) : "";
  bytes = bytes.drop_front(length);
  if (!json)
    return createStringError("safetensors header is malformed: " +
                             llvm::toString(json.takeError()));
  if (!fraction.empty())
    return createStringError("safetensors header has the number " + fraction +
                             ", but sizes and offsets are whole");
  llvm::json::Object *object = json->getAsObject();
  if (!object)
    return createStringError("safetensors header is not a JSON object");
  return std::move(*object);
}

llvm::Expected<SafetensorsFile>
SafetensorsFile::parse(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  SafetensorsFile file;
  file.values = buffer->getBuffer();
  llvm::Expected<llvm::json::Object> header = readHeader(file.values);
  if (!header)
    return header.takeError();
  file.buffer = std::move(buffer);
  for (const auto &[key, value] : *header) {
    StringRef name = key;
    if (name == "__metadata__")
      continue;
    auto malformed = [&] {
      return inTensor(name, "has a malformed entry in the header");
    };
    const llvm::json::Object *entry = value.getAsObject();
    if (!entry)
      return malformed();
    std::optional<StringRef> type = entry->getString("dtype");
    const llvm::json::Array *shape = entry->getArray("shape");
    const llvm::json::Array *offsets = entry->getArray("data_offsets");
    if (!type || !shape || !offsets || offsets->size() != 2)
      return malformed();
    std::optional<int64_t> begin = (*offsets)[0].getAsInteger();
    std::optional<int64_t> end = (*offsets)[1].getAsInteger();
    if (!begin || !end || *begin < 0 || *end < *begin)
      return malformed();
    Tensor tensor{type->str(), {}, *begin, *end};
    for (const llvm::json::Value &size : *shape)
      tensor.shape.push_back(size.getAsInteger().value_or(-1));
    if (!countElements(tensor.shape))
      return malformed();
    file.tensors[name] = std::move(tensor);
  }
  if (llvm::Error error = file.checkLayout())
    return error;
  return file;
}

llvm::Error SafetensorsFile::checkLayout() const {
  llvm::SmallVector<const llvm::StringMapEntry<Tensor> *> order;
  for (const auto &entry : tensors)
    order.push_back(&entry);
  auto position = [](const llvm::StringMapEntry<Tensor> *entry) {
    return std::make_tuple(entry->second.begin, entry->second.end,
                           entry->first());
  };
  llvm::sort(order,
             [&](auto *a, auto *b) { return position(a) < position(b); });
  int64_t used = 0;
  for (auto [index, entry] : llvm::enumerate(order)) {
    const Tensor &tensor = entry->second;
    if (tensor.end > int64_t(values.size()))
      return inTensor(entry->first(),
                      "ends at byte " + llvm::Twine(tensor.end) +
                          ", but the file holds only " +
                          llvm::Twine(values.size()) + " bytes of values");
    if (tensor.begin < used)
      return inTensor(entry->first(),
                      "shares bytes with '" + order[index - 1]->first() + "'");
    if (tensor.begin > used)
      return inTensor(entry->first(),
                      "starts at byte " + llvm::Twine(tensor.begin) +
                          ", but the bytes from " + llvm::Twine(used) +
                          " on belong to no tensor");
    used = tensor.end;
    std::optional<HostType> type = parseType(tensor.type);
    int64_t count = *countElements(tensor.shape), bytes = used - tensor.begin;
    if (type && (count > bytes || bytes != count * byteSize(*type)))
      return inTensor(entry->first(), "has shape " + formatShape(tensor.shape) +
                                          ", but " + llvm::Twine(bytes) +
                                          " bytes of values");
  }
  if (used != int64_t(values.size()))
    return createStringError("the last tensor ends at byte " +
                             llvm::Twine(used) + ", but the file holds " +
                             llvm::Twine(values.size()) + " bytes of values");
  return llvm::Error::success();
}

llvm::Expected<ArrayView> SafetensorsFile::lookup(StringRef name) const {
  auto found = tensors.find(name);
  if (found == tensors.end())
    return inTensor(name, "is not in the checkpoint");
  const Tensor &tensor = found->second;
  std::optional<HostType> type = parseType(tensor.type);
  if (!type)
    return inTensor(name, "has type " + llvm::Twine(tensor.type) +
                              ", but only BF16, F16, F32, I8 and F8_E4M3 are "
                              "read");
  ArrayView view;
  view.type = *type;
  view.shape = tensor.shape;
  view.data = values.data() + tensor.begin;
  return view;
}

llvm::Expected<std::vector<double>>
SafetensorsFile::loadDoubles(StringRef name,
                             llvm::ArrayRef<int64_t> shape) const {
  auto found = tensors.find(name);
  if (found == tensors.end())
    return inTensor(name, "is not in the checkpoint");
  const Tensor &tensor = found->second;
  if (llvm::ArrayRef<int64_t>(tensor.shape) != shape)
    return inTensor(name, "is " + formatShape(tensor.shape) + ", but must be " +
                              formatShape(shape));
  if (tensor.type == "F64") {
    int64_t bytes = tensor.end - tensor.begin, count = *countElements(shape);
    if (bytes / int64_t(sizeof(double)) != count || bytes % sizeof(double))
      return inTensor(name, "has shape " + formatShape(shape) + ", but " +
                                llvm::Twine(bytes) + " bytes of values");
    std::vector<double> doubles(count);
    std::memcpy(doubles.data(), values.data() + tensor.begin, bytes);
    return doubles;
  }
  llvm::Expected<ArrayView> view = lookup(name);
  if (!view)
    return view.takeError();
  std::vector<float> floats(*countElements(shape));
  loadFloats(view->type.getFloats(), view->data, floats.data(), floats.size());
  return std::vector<double>(floats.begin(), floats.end());
}
