//===- Html.cpp - Reports as a page to look at ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Page/Html.h"

#include "Pack.h"
#include "trn/Report/Keys.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::trn;

namespace {
/// A file of lib/Page/Html.
struct PageFile {
  llvm::StringLiteral name;
  llvm::StringLiteral text;
};
} // namespace

/// The template first, then styles and scripts in the order of loading.
static constexpr PageFile pageFiles[] = {
#include "HtmlFiles.inc"
};

/// JSON for the inside of a script element: `<` occurs in its strings only,
/// where an escape means the same and cannot end the element.
static void writeData(const llvm::json::Value &value, llvm::raw_ostream &os) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  for (char c : text)
    if (c == '<')
      os << "\\u003c";
    else
      os << c;
}

static void writeText(llvm::StringRef text, llvm::raw_ostream &os) {
  for (char c : text)
    switch (c) {
    case '&':
      os << "&amp;";
      break;
    case '<':
      os << "&lt;";
      break;
    case '>':
      os << "&gt;";
      break;
    default:
      os << c;
    }
}

static void writeFiles(llvm::StringRef suffix, llvm::raw_ostream &os) {
  for (const PageFile &file : pageFiles)
    if (file.name.ends_with(suffix))
      os << file.text;
}

static llvm::StringRef spellBetter(const MetricKey &key) {
  if (key.isNeutral || key.better == Better::Neither)
    return "neither";
  return key.better == Better::More ? "more" : "less";
}

static llvm::json::Value describe(const HtmlPage &page) {
  llvm::json::Array keys, reports;
  for (const MetricKey &key : metricKeys())
    keys.push_back(
        llvm::json::Object{{"name", key.name}, {"better", spellBetter(key)}});
  for (const NamedReport &report : page.reports) {
    llvm::json::Object object{{"name", llvm::json::fixUTF8(report.name)},
                              {"report", report.report}};
    if (!report.timeline.getAsNull())
      object["timeline"] = report.timeline;
    reports.push_back(std::move(object));
  }
  llvm::json::Object data{{"title", llvm::json::fixUTF8(page.title)},
                          {"keys", std::move(keys)},
                          {"reports", std::move(reports)}};
  if (page.module) {
    data["module"] = pack(page.module->text);
    (*data["module"].getAsObject())["name"] =
        llvm::json::fixUTF8(page.module->name);
  }
  if (page.sweep)
    data["sweep"] = *page.sweep;
  if (page.compression)
    data["compression"] = *page.compression;
  if (page.model)
    data["model"] = *page.model;
  return data;
}

void mlir::trn::printHtml(const HtmlPage &page, llvm::raw_ostream &os) {
  // What stands in the template between `{{` and `}}` is replaced.
  llvm::StringRef rest = pageFiles[0].text;
  while (!rest.empty()) {
    auto [text, after] = rest.split("{{");
    os << text;
    auto [name, tail] = after.split("}}");
    if (name == "title")
      writeText(llvm::json::fixUTF8(page.title), os);
    else if (name == "styles")
      writeFiles(".css", os);
    else if (name == "scripts")
      writeFiles(".js", os);
    else if (name == "data")
      writeData(describe(page), os);
    rest = tail;
  }
}
