//===- Document.cpp - One open file ---------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Document.h"
#include "Fixes.h"

using namespace mlir;
using namespace mlir::trn::editor;

/// Drops the note with the whole op in its generic form, which is in the text.
static void dropPrintedOp(llvm::json::Object &diagnostic) {
  llvm::json::Array *notes = diagnostic.getArray("relatedInformation");
  if (!notes)
    return;
  llvm::json::Array kept;
  for (llvm::json::Value &note : *notes) {
    const llvm::json::Object *object = note.getAsObject();
    if (!object || !object->getString("message").value_or("").starts_with(
                       "see current operation"))
      kept.push_back(std::move(note));
  }
  *notes = std::move(kept);
  if (notes->empty())
    diagnostic.erase("relatedInformation");
}

void Document::setParsed(llvm::json::Array diagnostics) {
  parsed = std::move(diagnostics);
  for (llvm::json::Value &diagnostic : parsed)
    if (llvm::json::Object *object = diagnostic.getAsObject()) {
      dropPrintedOp(*object);
      refine(text, *object);
    }
}

void Document::setOurs(llvm::json::Array diagnostics) {
  ours = std::move(diagnostics);
  for (llvm::json::Value &diagnostic : ours)
    if (llvm::json::Object *object = diagnostic.getAsObject();
        object && !object->get("data"))
      refine(text, *object);
}

bool Document::hasErrors() const {
  return llvm::any_of(parsed, [](const llvm::json::Value &diagnostic) {
    const llvm::json::Object *object = diagnostic.getAsObject();
    return object && object->getInteger("severity") == 1;
  });
}

/// As clients know it: fixes are requested on their own.
static llvm::json::Value withoutFixes(const llvm::json::Value &diagnostic) {
  llvm::json::Value copy = diagnostic;
  if (llvm::json::Object *object = copy.getAsObject())
    object->erase("data");
  return copy;
}

llvm::json::Object Document::publish() const {
  llvm::json::Array all;
  for (const llvm::json::Array *some : {&parsed, &ours})
    for (const llvm::json::Value &diagnostic : *some)
      all.push_back(withoutFixes(diagnostic));
  llvm::json::Object params{{"uri", uri}, {"diagnostics", std::move(all)}};
  if (version.getAsInteger())
    params["version"] = version;
  return llvm::json::Object{{"jsonrpc", "2.0"},
                            {"method", "textDocument/publishDiagnostics"},
                            {"params", std::move(params)}};
}

llvm::json::Array Document::actions(const llvm::json::Object *range) const {
  llvm::json::Array actions;
  std::optional<Span> wanted = text.spanOf(range);
  for (const llvm::json::Array *some : {&parsed, &ours})
    for (const llvm::json::Value &diagnostic : *some) {
      const llvm::json::Object *object = diagnostic.getAsObject();
      const llvm::json::Array *fixes =
          object ? object->getArray("data") : nullptr;
      if (!wanted || !fixes)
        continue;
      std::optional<Span> span = text.spanOf(object->getObject("range"));
      if (!span || span->end < wanted->begin || wanted->end < span->begin)
        continue;
      for (const llvm::json::Value &fix : *fixes)
        actions.push_back(llvm::json::Object{
            {"title", *fix.getAsObject()->get("title")},
            {"kind", "quickfix"},
            {"diagnostics", llvm::json::Array{withoutFixes(diagnostic)}},
            {"edit",
             llvm::json::Object{
                 {"changes", llvm::json::Object{
                                 {uri, *fix.getAsObject()->get("edits")}}}}}});
    }
  return actions;
}
