//===- PythonText.cpp - Lines of Python -----------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PythonText.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <cstdlib>

using namespace mlir::trn::nki;
using llvm::StringRef;
using llvm::Twine;

static constexpr size_t maxColumns = 100;

/// Where the bracket opens that the last one of `text` closes.
static size_t findLastGroup(StringRef text) {
  size_t close = text.find_last_of(")]}"), open = close;
  int depth = 0;
  while (open != StringRef::npos && open > 0) {
    depth += StringRef(")]}").contains(text[open]);
    depth -= StringRef("([{").contains(text[open]);
    if (depth == 0)
      break;
    --open;
  }
  return open;
}

/// Cuts `text` behind the bracket of its last group and the commas directly
/// inside of that: `a[1, 2] = f(b, c[d, e])` becomes `a[1, 2] = f(`, `b, ` and
/// `c[d, e])`.
static llvm::SmallVector<StringRef> cutAtCommas(StringRef text) {
  size_t begin = findLastGroup(text);
  if (begin == StringRef::npos)
    return {text};
  llvm::SmallVector<StringRef> pieces = {text.take_front(++begin)};
  int depth = 0;
  for (size_t i = begin; i + 1 < text.size(); ++i) {
    depth += StringRef("([{").contains(text[i]);
    depth -= StringRef(")]}").contains(text[i]);
    if (depth == 0 && text.substr(i, 2) == ", ") {
      pieces.push_back(text.slice(begin, i + 2));
      begin = i + 2;
    }
  }
  pieces.push_back(text.substr(begin));
  return pieces;
}

/// Writes `text` from `column` on and returns the column behind it. The last
/// line leaves room for `behind` more columns.
static size_t writeBroken(llvm::raw_ostream &os, StringRef text, size_t column,
                          size_t behind) {
  auto writeWhole = [&](StringRef piece) {
    os << piece;
    column += piece.size();
  };
  if (column + text.size() + behind <= maxColumns) {
    writeWhole(text);
    return column;
  }
  llvm::SmallVector<StringRef> pieces = cutAtCommas(text);
  writeWhole(pieces.front());
  size_t inside = column;
  for (StringRef piece : llvm::ArrayRef(pieces).drop_front()) {
    bool isLast = piece.end() == text.end();
    size_t needed = piece.rtrim().size() + (isLast ? behind : 0);
    if (column > inside && column + needed > maxColumns) {
      os << '\n';
      os.indent(inside);
      column = inside;
    }
    if (column + needed <= maxColumns || !piece.contains('[')) {
      writeWhole(piece);
      continue;
    }
    column = writeBroken(os, piece.rtrim(), column, isLast ? behind : 0);
    if (!isLast)
      writeWhole(" ");
  }
  return column;
}

/// The lines of a statement that goes on below what follows its bracket or,
/// with `hangs`, one level further in than it begins.
static std::string breakStatement(StringRef statement, size_t indentation,
                                  bool hangs) {
  std::string text(indentation, ' ');
  llvm::raw_string_ostream os(text);
  size_t group = hangs ? findLastGroup(statement) : StringRef::npos;
  if (group == StringRef::npos) {
    writeBroken(os, statement, indentation, 0);
    return text;
  }
  writeBroken(os, statement.take_front(group + 1), indentation, 0);
  os << '\n';
  os.indent(indentation + 4);
  // A bracket of no width, behind which to go on.
  std::string inside;
  llvm::raw_string_ostream rest(inside);
  writeBroken(rest, ("(" + statement.substr(group + 1)).str(), indentation + 3,
              0);
  os << StringRef(inside).drop_front();
  return text;
}

void PythonText::line(const Twine &statement) {
  ++lines;
  endsInStatement = true;
  std::string whole = statement.str();
  auto isTooLong = [](StringRef line) {
    return line.rtrim().size() > maxColumns;
  };
  std::string text = breakStatement(whole, indentation, /*hangs=*/false);
  if (llvm::any_of(llvm::split(text, '\n'), isTooLong))
    text = breakStatement(whole, indentation, /*hangs=*/true);
  // A piece that ends a line keeps the blank behind its comma.
  for (StringRef one : llvm::split(text, '\n')) {
    os << one.rtrim();
    endLine();
  }
}

void PythonText::endLine() {
  os << '\n';
  places.push_back(place);
}

void PythonText::separate() {
  if (endsInStatement)
    endLine();
  endsInStatement = false;
}

void PythonText::writeWords(StringRef line, StringRef begin) {
  std::string written = begin.str();
  auto flush = [&] {
    StringRef kept = StringRef(written).rtrim();
    os.indent(kept.empty() ? 0 : indentation) << kept;
    endLine();
  };
  size_t margin = line.size() - line.ltrim().size();
  written += line.take_front(margin);
  for (StringRef word : llvm::split(line.drop_front(margin), ' ')) {
    if (indentation + written.size() + word.size() > maxColumns) {
      flush();
      written = (begin + Twine(std::string(margin + 2, ' '))).str();
    }
    written += (word + " ").str();
  }
  flush();
}

void PythonText::comment(const Twine &text) {
  endsInStatement = false;
  std::string all = text.str();
  for (StringRef line : llvm::split(all, '\n'))
    writeWords(line, "# ");
}

void PythonText::prose(const Twine &text) {
  std::string all = text.str();
  for (StringRef line : llvm::split(all, '\n'))
    writeWords(line, "");
}

bool PythonNames::isFree(StringRef name) const {
  static const llvm::StringSet<> reserved = {
      "False",  "None",   "True",    "and",      "as",       "assert", "async",
      "await",  "break",  "class",   "continue", "def",      "del",    "elif",
      "else",   "except", "finally", "for",      "from",     "global", "if",
      "import", "in",     "is",      "lambda",   "nonlocal", "not",    "or",
      "pass",   "raise",  "return",  "try",      "while",    "with",   "yield",
      "nki",    "nisa",   "nl",      "range"};
  return !reserved.contains(name) && !taken.contains(name);
}

std::string PythonNames::take(StringRef wanted) {
  std::string base = toPythonName(wanted), name = base;
  for (unsigned count = 2; !isFree(name); ++count)
    name = base + "_" + std::to_string(count);
  taken.insert(name);
  return name;
}

std::string mlir::trn::nki::toPythonName(StringRef name) {
  std::string text;
  for (char c : name)
    text += llvm::isAlnum(c) ? c : '_';
  if (text.empty() || llvm::isDigit(text.front()))
    text.insert(0, "_");
  return text;
}

std::string mlir::trn::nki::toPythonNumber(float value) {
  std::string text;
  for (int digits = 1; digits <= 9; ++digits) {
    text.clear();
    llvm::raw_string_ostream(text)
        << llvm::format("%.*g", digits, double(value));
    if (std::strtof(text.c_str(), nullptr) == value)
      break;
  }
  bool isWhole =
      StringRef(text).find_first_not_of("-0123456789") == StringRef::npos;
  return isWhole ? text + ".0" : text;
}
