//===- Answers.cpp - What we add to answers -------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Answers.h"
#include "Help.h"

#include "trn/Support/Version.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::editor;
namespace json = llvm::json;

/// What this server can do besides.
static void introduce(json::Object &result) {
  result["serverInfo"] =
      json::Object{{"name", "trn-lsp-server"}, {"version", getVersion()}};
  json::Object *capabilities = result.getObject("capabilities");
  if (!capabilities)
    return;
  (*capabilities)["executeCommandProvider"] =
      json::Object{{"commands", json::Array{findCommand}}};
  if (json::Object *completion = capabilities->getObject("completionProvider"))
    if (json::Array *triggers = completion->getArray("triggerCharacters"))
      triggers->push_back("{");
}

static void addHover(const Text &text, size_t offset, json::Value &result) {
  std::string ours = hoverAt(text, offset);
  if (ours.empty())
    return;
  if (json::Object *object = result.getAsObject()) {
    if (json::Object *contents = object->getObject("contents")) {
      StringRef theirs = contents->getString("value").value_or("");
      (*contents)["value"] = ours + "\n\n---\n\n" + theirs.str();
    }
    return;
  }
  result = json::Object{
      {"contents", json::Object{{"kind", "markdown"}, {"value", ours}}},
      {"range", text.range(text.wordAt(offset))}};
}

json::Value mlir::trn::editor::completeAnswer(StringRef method,
                                              const json::Object &params,
                                              const Document *document,
                                              json::Value result) {
  if (method == "initialize")
    if (json::Object *object = result.getAsObject())
      introduce(*object);
  if (!document)
    return result;
  const Text &text = document->text;
  if (method == "textDocument/codeAction") {
    json::Array actions = document->actions(params.getObject("range"));
    if (json::Array *theirs = result.getAsArray())
      for (json::Value &action : *theirs)
        actions.push_back(std::move(action));
    json::Object command{{"title", "compile, and show what costs time"},
                         {"command", findCommand},
                         {"arguments", json::Array{document->uri}}};
    actions.push_back(
        json::Object{{"title", "compile, and show what costs time"},
                     {"kind", "source"},
                     {"command", std::move(command)}});
    return actions;
  }
  const json::Object *position = params.getObject("position");
  if (!position)
    return result;
  size_t offset = text.offsetAt(*position);
  if (method == "textDocument/hover")
    addHover(text, offset, result);
  if (method == "textDocument/completion") {
    if (!result.getAsObject())
      result = json::Object{{"isIncomplete", false}, {"items", json::Array()}};
    if (json::Array *items = result.getAsObject()->getArray("items"))
      addCompletions(text, offset, *items);
  }
  return result;
}
