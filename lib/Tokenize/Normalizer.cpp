//===- Normalizer.cpp - What is done to a text first ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalizer.h"

#include "Pattern.h"
#include "Unicode.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::formatv;
using llvm::StringRef;

llvm::Expected<std::string> mlir::trn::readStringPattern(const JSONPart &part) {
  llvm::Expected<JSONPart> pattern = part.getPart("pattern");
  if (!pattern)
    return pattern.takeError();
  llvm::Expected<std::string> text = pattern->getString("String");
  if (text && (text->empty() || text->size() > Pattern::maxLength))
    return pattern->refuse("String",
                           formatv("1 to {0} bytes", Pattern::maxLength).str());
  return text;
}

llvm::Expected<std::string>
mlir::trn::replaceAll(StringRef text, StringRef pattern, StringRef content) {
  constexpr size_t maxBytes = size_t(1) << 30;
  std::string replaced;
  while (true) {
    if (replaced.size() > maxBytes)
      return llvm::createStringError(
          formatv("a text becomes longer than {0} bytes as the tokenizer puts "
                  "'{1}' in place of '{2}'; cut it into several",
                  maxBytes, content.take_front(20), pattern));
    auto [before, behind] = text.split(pattern);
    replaced += before;
    if (before.size() == text.size())
      return replaced;
    replaced += content;
    text = behind;
  }
}

llvm::Expected<Normalizer> Normalizer::parse(const llvm::json::Value *value) {
  Normalizer normalizer;
  if (llvm::Error error = forEachStep(
          value, "normalizer", "normalizers",
          [&](const JSONPart &part) { return normalizer.addStep(part); }))
    return error;
  return normalizer;
}

llvm::Error Normalizer::addStep(const JSONPart &part) {
  Step step{Step::NFC, "", ""};
  if (part.type() == "Prepend") {
    step.kind = Step::Prepend;
    if (llvm::Error error = part.getString("prepend").moveInto(step.content))
      return error;
  } else if (part.type() == "Replace") {
    step.kind = Step::Replace;
    if (llvm::Error error = readStringPattern(part).moveInto(step.pattern))
      return error;
    if (llvm::Error error = part.getString("content").moveInto(step.content))
      return error;
  } else if (part.type() != "NFC") {
    return part.refuseType("NFC, Prepend, Replace and Sequence");
  }
  steps.push_back(std::move(step));
  return llvm::Error::success();
}

llvm::Expected<std::string> Normalizer::apply(StringRef text) const {
  std::string normalized = text.str();
  for (const Step &step : steps)
    switch (step.kind) {
    case Step::NFC:
      normalized = composeNFC(normalized);
      break;
    case Step::Prepend:
      if (!normalized.empty())
        normalized.insert(0, step.content);
      break;
    case Step::Replace:
      if (llvm::Error error = replaceAll(normalized, step.pattern, step.content)
                                  .moveInto(normalized))
        return error;
      break;
    }
  return normalized;
}
