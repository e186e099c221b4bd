//===- Fixes.cpp - Edits that help against a diagnostic -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fixes.h"
#include "Reference.h"
#include "ScheduleText.h"

#include "trn/Support/Suggestion.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::editor;

llvm::json::Object mlir::trn::editor::makeFix(const Text &text, StringRef title,
                                              Span span,
                                              StringRef replacement) {
  llvm::json::Object edit{{"range", text.range(span)},
                          {"newText", replacement.str()}};
  return llvm::json::Object{{"title", title.str()},
                            {"edits", llvm::json::Array{std::move(edit)}}};
}

std::optional<size_t>
mlir::trn::editor::openingOf(const Text &text, StringRef name, size_t from) {
  std::optional<Span> word = text.findWord(name, from);
  if (!word)
    return std::nullopt;
  size_t open = text.str().find_first_of("{<[", word->end);
  StringRef between = text.str().slice(word->end, open).trim();
  if (open == StringRef::npos || !between.consume_front("=") ||
      between.contains('\n'))
    return std::nullopt;
  return open;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// The name that a message has in quotes or is about, or nothing.
static StringRef quotedName(StringRef message) {
  StringRef name = message.starts_with("expected one of [")
                       ? message.rsplit(", got: ").second
                       : message.split('\'').second.split('\'').first;
  bool isName = llvm::all_of(
      name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
  return isName ? name : "";
}

/// Our verifiers of attributes know the op, whose attribute begins the message.
static std::optional<Span> findAttribute(const Text &text, StringRef message,
                                         StringRef quoted, size_t from) {
  StringRef name = message.take_while(
      [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
  name = name.rtrim('.');
  if (!name.starts_with("trn."))
    return std::nullopt;
  std::optional<Span> attribute = text.findWord(name, from);
  if (std::optional<size_t> open = openingOf(text, name, from)) {
    size_t end = text.closing(*open);
    if (std::optional<Span> word = text.findWord(quoted, *open, end))
      return word;
    // `trn.budget must limit latency_ms by ...`
    SmallVector<StringRef> words;
    message.split(words, ' ');
    for (StringRef one : llvm::drop_begin(words))
      if (one.contains('_'))
        if (std::optional<Span> word = text.findWord(one, *open, end))
          return word;
  }
  return attribute;
}

/// What stands there instead, as the message lists it.
static SmallVector<StringRef> listedNames(StringRef message) {
  SmallVector<StringRef> names;
  for (StringRef begin :
       {"; those are ", "; there are ", "; known are ", "expected one of ["})
    if (size_t at = message.find(begin); at != StringRef::npos) {
      message.drop_front(at + begin.size())
          .take_until([](char c) { return c == ';' || c == ']'; })
          .split(names, ", ", -1, false);
      break;
    }
  llvm::erase_if(names, [](StringRef name) { return name.contains(' '); });
  return names;
}

/// The names that are meant: the one that is spelt alike, else all if few.
static SmallVector<std::string> findMeant(StringRef message, StringRef name) {
  constexpr size_t few = 6;
  SmallVector<StringRef> names = listedNames(message);
  if (names.empty() && name.starts_with("trn."))
    names = llvm::to_vector(Reference::get().ops.keys());
  std::string nearest = suggest(name, names);
  if (nearest.empty() && message.contains("did you mean '"))
    nearest = message.str();
  if (StringRef meant = StringRef(nearest).split("did you mean '").second;
      !meant.empty())
    return {meant.split('\'').first.str()};
  SmallVector<std::string> all;
  if (names.size() <= few)
    all.assign(names.begin(), names.end());
  return all;
}

void mlir::trn::editor::refine(const Text &text,
                               llvm::json::Object &diagnostic) {
  std::optional<Span> span = text.spanOf(diagnostic.getObject("range"));
  StringRef message = diagnostic.getString("message").value_or("");
  if (!span)
    return;
  // More likely than not it is the one that is meant.
  constexpr size_t nearby = 1000;
  StringRef quoted = quotedName(message);
  Span here = text.wordAt(span->begin);
  std::optional<Span> place;
  if (!quoted.empty() && text.str(here) == quoted)
    place = here;
  else if (place = findAttribute(text, message, quoted, span->begin); !place)
    place = text.findWord(quoted, span->begin, span->begin + nearby);
  if (!place)
    return;
  diagnostic["range"] = text.range(*place);
  if (text.str(*place) != quoted)
    return;
  llvm::json::Array fixes;
  for (StringRef meant : findMeant(message, quoted))
    fixes.push_back(
        makeFix(text, ("change to '" + meant + "'").str(), *place, meant));
  if (!fixes.empty())
    diagnostic["data"] = std::move(fixes);
}

//===----------------------------------------------------------------------===//
// Budgets and plans
//===----------------------------------------------------------------------===//

std::optional<llvm::json::Object> mlir::trn::editor::setLimit(const Text &text,
                                                              size_t from,
                                                              StringRef key,
                                                              StringRef value) {
  std::optional<size_t> open = openingOf(text, "trn.budget", from);
  if (!open)
    return std::nullopt;
  std::optional<Span> word = text.findWord(key, *open, text.closing(*open));
  if (!word)
    return std::nullopt;
  size_t begin = text.str().find_first_not_of(" =", word->end);
  size_t end = text.str().find_first_of(" ,}:\n", begin);
  if (end == StringRef::npos)
    return std::nullopt;
  return makeFix(text, ("set the limit of " + key + " to " + value).str(),
                 {begin, end}, value);
}

/// Where the body of the function at `from` begins, or its `attributes {`.
static std::optional<size_t> findBody(const Text &text, size_t from) {
  StringRef str = text.str();
  size_t at = str.find('(', from);
  for (; at < str.size(); ++at) {
    if (str[at] == '{')
      return at;
    if (StringRef("([<").contains(str[at]))
      at = text.closing(at);
  }
  return std::nullopt;
}

std::optional<llvm::json::Object>
mlir::trn::editor::addBudget(const Text &text, size_t from, StringRef key,
                             StringRef value) {
  std::optional<size_t> open = findBody(text, from);
  if (!open)
    return std::nullopt;
  std::string title = ("hold it: trn.budget with " + key + " = " + value).str();
  std::string budget = ("trn.budget = {" + key + " = " + value + "}").str();
  StringRef before = text.str().take_front(*open).rtrim();
  if (before.ends_with("attributes"))
    return makeFix(text, title, {*open + 1, *open + 1}, budget + ", ");
  return makeFix(text, title, {*open, *open}, "attributes {" + budget + "} ");
}

std::optional<llvm::json::Object>
mlir::trn::editor::setPlan(const Text &text, size_t from, StringRef plan) {
  size_t body = findBody(text, from).value_or(from);
  size_t end = text.closing(body);
  std::optional<size_t> open = openingOf(text, "trn.schedule", from);
  if (!open || *open > end)
    return std::nullopt;
  Span old = planIn(text, *open);
  if (old.begin == old.end)
    return std::nullopt;
  if (plan.empty())
    return makeFix(text, "leave the plan to the compiler", old, "");
  // The line breaks in front of it stay.
  old.begin = text.findWord("nests", old.begin)->begin;
  return makeFix(text, "change the plan in trn.schedule", old, plan);
}
