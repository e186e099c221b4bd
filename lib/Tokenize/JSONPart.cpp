//===- JSONPart.cpp - Parts of a tokenizer.json ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JSONPart.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;
namespace json = llvm::json;

llvm::Expected<JSONPart> JSONPart::get(const json::Value &value,
                                       StringRef name) {
  if (const json::Object *object = value.getAsObject())
    return JSONPart(*object, name);
  return createStringError(formatv("{0} is no object", name));
}

StringRef JSONPart::type() const {
  return object->getString("type").value_or("");
}

const json::Value *JSONPart::find(StringRef key) const {
  const json::Value *value = object->get(key);
  return value && value->kind() != json::Value::Null ? value : nullptr;
}

llvm::Error JSONPart::refuse(StringRef key, StringRef wanted) const {
  const json::Value *value = find(key);
  std::string found = value ? formatv("{0}", *value).str() : "missing";
  if (found.size() > 40)
    found = "too long to be shown";
  return createStringError(formatv("'{0}' of {1} is {2}, but must be {3}", key,
                                   name, found, wanted));
}

llvm::Error JSONPart::refuseType(StringRef wanted) const {
  return createStringError(
      formatv("the {0} '{1}' is not read, only {2}; give tokens as npy", name,
              type(), wanted));
}

llvm::Expected<bool> JSONPart::getBool(StringRef key, bool otherwise) const {
  const json::Value *value = find(key);
  if (!value)
    return otherwise;
  if (std::optional<bool> found = value->getAsBoolean())
    return *found;
  return refuse(key, "true or false");
}

llvm::Expected<std::string> JSONPart::getString(StringRef key) const {
  const json::Value *value = find(key);
  if (std::optional<StringRef> found =
          value ? value->getAsString() : std::nullopt)
    return found->str();
  return refuse(key, "a string");
}

llvm::Expected<int32_t> JSONPart::getToken(StringRef key) const {
  const json::Value *value = find(key);
  std::optional<int64_t> found = value ? value->getAsInteger() : std::nullopt;
  if (found && *found >= 0 && *found < maxTokens)
    return int32_t(*found);
  return refuse(key, formatv("a number from 0 to {0}", maxTokens - 1).str());
}

llvm::Expected<const json::Array *> JSONPart::getArray(StringRef key) const {
  const json::Value *value = find(key);
  if (const json::Array *found = value ? value->getAsArray() : nullptr)
    return found;
  return refuse(key, "an array");
}

llvm::Expected<JSONPart> JSONPart::getPart(StringRef key) const {
  const json::Value *value = find(key);
  if (!value || !value->getAsObject())
    return refuse(key, "an object");
  return get(*value, (key + " of " + name).str());
}

llvm::Error mlir::trn::forEachStep(
    const json::Value *value, StringRef name, StringRef key,
    llvm::function_ref<llvm::Error(const JSONPart &)> visit) {
  if (!value || value->kind() == json::Value::Null)
    return llvm::Error::success();
  llvm::Expected<JSONPart> part = JSONPart::get(*value, name);
  if (!part)
    return part.takeError();
  if (part->type() != "Sequence")
    return visit(*part);
  llvm::Expected<const json::Array *> steps = part->getArray(key);
  if (!steps)
    return steps.takeError();
  for (const json::Value &step : **steps)
    if (llvm::Error error = forEachStep(&step, name, key, visit))
      return error;
  return llvm::Error::success();
}
