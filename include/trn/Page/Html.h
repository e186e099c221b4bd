//===- Html.h - Reports as HTML pages ---------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A page consists of the files of lib/Page/Html, embedded by the build, and the
// data as JSON. It needs no other file and no network. docs/Html.md explains
// how to read it.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PAGE_HTML_H
#define TRN_PAGE_HTML_H

#include "trn/Report/NamedReport.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::trn {

/// The text of a module, under its name in locations.
struct SourceText {
  std::string name;
  std::string text;
};

/// Contents of a page: one report in full, several side by side, a sweep, a
/// compression, or the times of a model.
struct HtmlPage {
  std::string title;
  std::vector<NamedReport> reports;
  /// The module of a single report, if known.
  std::optional<SourceText> module;
  /// The JSON of a sweep: `{"sweep": [ENTRY, ...]}` with entries
  /// `{"point": {...}, "report": {...}}` or `{"point": {...}, "error": "..."}`.
  std::optional<llvm::json::Value> sweep;
  /// The output of `trn-compress` for a model (trn_compress.json).
  std::optional<llvm::json::Value> compression;
  /// The report of `trn-llm time`; `reports` are of its last token.
  std::optional<llvm::json::Value> model;
};

/// Writes one self-contained HTML file. Names and values may be any text.
void printHtml(const HtmlPage &page, llvm::raw_ostream &os);

} // namespace mlir::trn

#endif // TRN_PAGE_HTML_H
