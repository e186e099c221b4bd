//===- JSON.cpp - JSON that users give ------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/JSON.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::StringRef;

// Nothing that we read is nested half as deeply.
static constexpr size_t maxDepth = 64;
// Each takes 5 KB of memory, whatever its size.
static constexpr size_t maxObjects = size_t(1) << 17;
// More would be several times as large in memory.
static constexpr size_t maxBytes = size_t(1) << 30;

/// The length of the string that `text` starts with, quotes included, or what
/// is left if it does not end.
static size_t measureString(StringRef text) {
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  }
  return text.size();
}

template <typename... Args>
static llvm::Error fail(const char *format, Args &&...args) {
  return llvm::createStringError(
      llvm::formatv(format, std::forward<Args>(args)...));
}

/// Finds what the parser must not see. `text` need not be JSON.
static llvm::Error checkStructure(StringRef text) {
  // The keys of each object, and nothing for an array.
  llvm::SmallVector<std::optional<llvm::StringSet<>>> open;
  size_t objects = 0;
  while (!text.empty()) {
    char c = text.front();
    size_t length = c == '"' ? measureString(text) : 1;
    StringRef token = text.take_front(length);
    text = text.drop_front(length);
    if (c == '{' || c == '[') {
      if (open.size() == maxDepth)
        return fail("the JSON is nested more than {0} deep", maxDepth);
      open.emplace_back();
      if (c == '{') {
        if (++objects > maxObjects)
          return fail("the JSON has more than {0:N0} objects", maxObjects);
        open.back().emplace();
      }
    } else if ((c == '}' || c == ']') && !open.empty()) {
      open.pop_back();
    } else if (c == '"' && text.ltrim().starts_with(":") && !open.empty() &&
               open.back()) {
      // The same key may be written with other escapes.
      llvm::Expected<llvm::json::Value> key = llvm::json::parse(token);
      if (!key)
        return key.takeError();
      if (!open.back()->insert(*key->getAsString()).second)
        return fail("the JSON has the key {0} twice in one object", token);
    } else if (c == 'N' || c == 'I') {
      // Python writes these, but they are no JSON.
      StringRef number = c == 'N' ? "NaN" : "Infinity";
      if (text.starts_with(number.drop_front()))
        return fail("the JSON has the number {0}, which JSON does not have; "
                    "write a finite one, or null",
                    number);
    }
  }
  return llvm::Error::success();
}

llvm::Expected<llvm::json::Value> mlir::trn::parseJSON(StringRef text) {
  // Editors on Windows begin UTF-8 with this mark.
  text.consume_front("\xEF\xBB\xBF");
  if (text.size() > maxBytes)
    return fail("the JSON has {0:N0} bytes, but at most {1:N0} are read",
                text.size(), maxBytes);
  if (llvm::Error error = checkStructure(text))
    return error;
  return llvm::json::parse(text);
}
