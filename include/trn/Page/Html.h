//===- Html.h - Reports as a page to look at --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The page is the files of lib/Page/Html, which the build embeds, and the
// data as JSON. It needs no other file and no network. docs/Html.md says how
// to read it.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PAGE_HTML_H
#define TRN_PAGE_HTML_H

#include "trn/Report/NamedReport.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::trn {

/// What a module was read from, under the name that locations have for it.
struct SourceText {
  std::string name;
  std::string text;
};

/// What a page shows: one report in full, several side by side, a sweep, a
/// compression, or the times of a model.
struct HtmlPage {
  std::string title;
  std::vector<NamedReport> reports;
  /// Of the module that one report is about, if it is known.
  std::optional<SourceText> module;
  /// What a sweep writes as JSON: `{"sweep": [{"point": {...}, "report": {...}}
  /// or {"point": {...}, "error": "..."}, ...]}`.
  std::optional<llvm::json::Value> sweep;
  /// What `trn-compress` writes about a model (trn_compress.json).
  std::optional<llvm::json::Value> compression;
  /// What `trn-llm time` reports of a model; `reports` are of its last token.
  std::optional<llvm::json::Value> model;
};

/// Writes one self-contained HTML file. Names and values may be any text.
void printHtml(const HtmlPage &page, llvm::raw_ostream &os);

} // namespace mlir::trn

#endif // TRN_PAGE_HTML_H
