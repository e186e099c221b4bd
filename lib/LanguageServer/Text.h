//===- Text.h - Positions in a document -------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_LANGUAGESERVER_TEXT_H
#define TRN_LIB_LANGUAGESERVER_TEXT_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>

namespace mlir::trn::editor {

/// A range of offsets.
struct Span {
  size_t begin = 0, end = 0;
  bool operator==(const Span &other) const {
    return begin == other.begin && end == other.end;
  }
};

/// The protocol counts columns in UTF-16 units, MLIR in bytes from 1.
class Text {
public:
  explicit Text(std::string text = "") : text(std::move(text)) {}

  StringRef str() const { return text; }
  StringRef str(Span span) const { return str().slice(span.begin, span.end); }

  /// Offsets are inside of the text, whatever is asked for.
  size_t offsetOfLine(size_t line) const;
  size_t offsetAt(const llvm::json::Object &position) const;
  size_t offsetAt(size_t line, size_t column) const;
  llvm::json::Object positionAt(size_t offset) const;
  llvm::json::Object range(Span span) const;
  /// Nothing if it is no range.
  std::optional<Span> spanOf(const llvm::json::Object *range) const;

  /// The name around `offset`, with its dots: `trn.matmul`, `latency_ms`.
  Span wordAt(size_t offset) const;
  /// The first place at or after `from`, and before `end`, where `word` is not
  /// part of a longer one.
  std::optional<Span> findWord(StringRef word, size_t from,
                               size_t end = StringRef::npos) const;
  /// The offset of the bracket that closes the one at `open`, or the end.
  size_t closing(size_t open) const;

private:
  std::string text;
};

/// A bracket around a place, and the word in front of it: `#trn.schedule` of
/// `#trn.schedule<`, `homes` of `homes = [`.
struct Enclosing {
  StringRef head;
  size_t open;
};

/// The innermost one first; strings and comments are not told apart.
SmallVector<Enclosing> enclosing(const Text &text, size_t offset);
/// The one with that head, or null.
const Enclosing *findHead(ArrayRef<Enclosing> all, StringRef head);

} // namespace mlir::trn::editor

#endif // TRN_LIB_LANGUAGESERVER_TEXT_H
