//===- Document.h - One open file -------------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_LANGUAGESERVER_DOCUMENT_H
#define TRN_LIB_LANGUAGESERVER_DOCUMENT_H

#include "Process.h"
#include "Text.h"

namespace mlir::trn::editor {

/// A process that writes one array of diagnostics.
struct Analysis {
  Process process;
  MessageReader output = MessageReader(/*isDelimited=*/false);
  bool isFull;
};

/// A file that a client edits, and what is known of its newest text.
class Document {
public:
  explicit Document(std::string uri) : uri(std::move(uri)) {}

  void setText(std::string newText, llvm::json::Value newVersion) {
    text = Text(std::move(newText));
    version = std::move(newVersion);
    analysis.reset();
    ours.clear();
  }
  /// Those of MLIR's reader, which get better places and fixes.
  void setParsed(llvm::json::Array diagnostics);
  void setOurs(llvm::json::Array diagnostics);
  /// Whether MLIR could not read it.
  bool hasErrors() const;

  /// The notification with all diagnostics.
  llvm::json::Object publish() const;
  /// What helps against those in a range.
  llvm::json::Array actions(const llvm::json::Object *range) const;

  const std::string uri;
  Text text;
  llvm::json::Value version = nullptr;
  std::optional<Analysis> analysis;
  /// MLIR's reader has ended on this text, and has not seen it since.
  bool isLost = false;
  /// It is no file, as a new one that has no name, and MLIR's reader takes
  /// files alone.
  bool isNameless = false;

private:
  llvm::json::Array parsed, ours;
};

} // namespace mlir::trn::editor

#endif // TRN_LIB_LANGUAGESERVER_DOCUMENT_H
