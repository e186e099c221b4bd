//===- Text.cpp - Positions in a document ---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::trn::editor;

size_t Text::offsetOfLine(size_t line) const {
  size_t at = 0;
  for (; line > 0; --line) {
    size_t end = text.find('\n', at);
    if (end == std::string::npos)
      return text.size();
    at = end + 1;
  }
  return at;
}

static bool isContinuation(char c) { return (c & 0xC0) == 0x80; }

/// In UTF-16: what UTF-8 writes with four bytes takes two units.
static size_t unitsOf(char first) { return (first & 0xF8) == 0xF0 ? 2 : 1; }

size_t Text::offsetAt(const llvm::json::Object &position) const {
  int64_t line = position.getInteger("line").value_or(0);
  int64_t units = position.getInteger("character").value_or(0);
  size_t at = offsetOfLine(std::max<int64_t>(line, 0));
  while (units > 0 && at < text.size() && text[at] != '\n') {
    units -= unitsOf(text[at]);
    do
      ++at;
    while (at < text.size() && isContinuation(text[at]));
  }
  return at;
}

size_t Text::offsetAt(size_t line, size_t column) const {
  size_t begin = offsetOfLine(std::max<size_t>(line, 1) - 1);
  size_t end = std::min(text.find('\n', begin), text.size());
  return std::min(begin + std::max<size_t>(column, 1) - 1, end);
}

llvm::json::Object Text::positionAt(size_t offset) const {
  StringRef before = str().take_front(offset);
  StringRef line = before.substr(before.rfind('\n') + 1);
  int64_t units = 0;
  for (char c : line)
    if (!isContinuation(c))
      units += unitsOf(c);
  return llvm::json::Object{{"line", int64_t(before.count('\n'))},
                            {"character", units}};
}

llvm::json::Object Text::range(Span span) const {
  return llvm::json::Object{{"start", positionAt(span.begin)},
                            {"end", positionAt(span.end)}};
}

std::optional<Span> Text::spanOf(const llvm::json::Object *range) const {
  const llvm::json::Object *start = range ? range->getObject("start") : nullptr;
  const llvm::json::Object *end = range ? range->getObject("end") : nullptr;
  if (!start || !end)
    return std::nullopt;
  size_t begin = offsetAt(*start);
  return Span{begin, std::max(begin, offsetAt(*end))};
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// Passes have dashes in their names; an arrow has none.
static bool isInWord(StringRef text, size_t at) {
  char c = text[at];
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' ||
         (c == '-' && at + 1 < text.size() && llvm::isAlpha(text[at + 1]));
}

Span Text::wordAt(size_t offset) const {
  Span span{offset, offset};
  while (span.begin > 0 && isInWord(text, span.begin - 1))
    --span.begin;
  while (span.end < text.size() && isInWord(text, span.end))
    ++span.end;
  // Of flags and of sentences.
  while (span.begin < span.end && text[span.begin] == '-')
    ++span.begin;
  while (span.end > std::max(span.begin, offset) && text[span.end - 1] == '.')
    --span.end;
  return span;
}

std::optional<Span> Text::findWord(StringRef word, size_t from,
                                   size_t end) const {
  end = std::min(end, text.size());
  while (!word.empty() && (from = str().find(word, from)) < end) {
    Span span{from, from + word.size()};
    if ((from == 0 || !isInWord(text, from - 1)) &&
        (span.end >= text.size() || !isInWord(text, span.end)))
      return span;
    ++from;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Brackets
//===----------------------------------------------------------------------===//

/// `->`, `>=` and `<=` are no brackets.
static bool isBracket(StringRef text, size_t at) {
  bool isArrow = text[at] == '>' && at > 0 && text[at - 1] == '-';
  bool compares = (text[at] == '>' || text[at] == '<') &&
                  text.drop_front(at + 1).starts_with("=");
  return !isArrow && !compares;
}
static bool opens(StringRef text, size_t at) {
  return StringRef("([{<").contains(text[at]) && isBracket(text, at);
}
static bool closes(StringRef text, size_t at) {
  return StringRef(")]}>").contains(text[at]) && isBracket(text, at);
}

size_t Text::closing(size_t open) const {
  int depth = 0;
  for (size_t at = open; at < text.size(); ++at) {
    if (opens(text, at))
      ++depth;
    else if (closes(text, at) && --depth <= 0)
      return at;
  }
  return text.size();
}

static StringRef headOf(StringRef before) {
  before = before.rtrim();
  if (before.consume_back("="))
    before = before.rtrim();
  size_t begin = before.size();
  while (begin > 0 && (isInWord(before, begin - 1) || before[begin - 1] == '#'))
    --begin;
  return before.drop_front(begin);
}

SmallVector<Enclosing> mlir::trn::editor::enclosing(const Text &text,
                                                    size_t offset) {
  SmallVector<Enclosing> all;
  StringRef str = text.str();
  int depth = 0;
  for (size_t at = std::min(offset, str.size()); at-- > 0;) {
    if (closes(str, at))
      ++depth;
    else if (opens(str, at) && depth-- <= 0) {
      depth = 0;
      all.push_back({headOf(str.take_front(at)), at});
    }
  }
  return all;
}

const Enclosing *mlir::trn::editor::findHead(ArrayRef<Enclosing> all,
                                             StringRef head) {
  const Enclosing *found = llvm::find_if(
      all, [&](const Enclosing &one) { return one.head == head; });
  return found == all.end() ? nullptr : found;
}
