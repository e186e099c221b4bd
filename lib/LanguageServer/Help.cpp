//===- Help.cpp - Hover and completion ------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only the text is looked at, so that there is help in a file that is not
// complete.
//
//===----------------------------------------------------------------------===//

#include "Help.h"
#include "Reference.h"
#include "ScheduleText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::trn::editor;

static std::string textOf(const llvm::StringMap<Entry> &entries,
                          StringRef name) {
  auto found = entries.find(name);
  return found == entries.end() ? "" : found->second.text;
}

/// Whether words of an enum stand in the brackets of it, as in
/// `#trn.mem<sbuf>`.
static bool isEnum(StringRef head) {
  return head.consume_front("#trn.") && Reference::get().words.contains(head);
}

//===----------------------------------------------------------------------===//
// Hover
//===----------------------------------------------------------------------===//

std::string mlir::trn::editor::hoverAt(const Text &text, size_t offset) {
  const Reference &reference = Reference::get();
  Span span = text.wordAt(offset);
  StringRef word = text.str(span);
  if (word.empty())
    return "";
  SmallVector<Enclosing> around = enclosing(text, span.begin);
  StringRef attribute = word;
  if (span.begin > 0 && text.str()[span.begin - 1] == '#' &&
      attribute.consume_front("trn."))
    return textOf(reference.attributes, attribute);
  if (!around.empty() && isEnum(around.front().head))
    return textOf(reference.attributes,
                  around.front().head.drop_front(strlen("#trn.")));
  if (findHead(around, "trn.budget"))
    if (std::string key = textOf(reference.keys, word); !key.empty())
      return key;
  if (const Enclosing *schedule = findHead(around, "#trn.schedule")) {
    if (std::string section = textOf(reference.sections, word);
        !section.empty() && around.front().open == schedule->open)
      return section;
    return describeName(text, schedule->open, word);
  }
  for (const auto *entries :
       {&reference.ops, &reference.declared, &reference.passes})
    if (std::string found = textOf(*entries, word); !found.empty())
      return found;
  return "";
}

//===----------------------------------------------------------------------===//
// Completion
//===----------------------------------------------------------------------===//

namespace {
/// Kinds of completion items in the protocol.
enum Kind { Function = 3, Property = 10, EnumMember = 20, Keyword = 14 };

/// What is offered at one place.
class Offers {
public:
  /// A client replaces what it takes for a word, with or without the dots: so
  /// the range is given.
  Offers(const Text &text, Span typed) : range(text.range(typed)) {}

  void add(StringRef label, Kind kind, StringRef summary, StringRef more = "") {
    llvm::json::Object item{
        {"label", label.str()},
        {"kind", int(kind)},
        {"textEdit", llvm::json::Object{{"range", llvm::json::Object(range)},
                                        {"newText", label.str()}}}};
    if (!summary.empty())
      item["detail"] = summary.str();
    if (!more.empty())
      item["documentation"] =
          llvm::json::Object{{"kind", "markdown"}, {"value", more.str()}};
    items.push_back(std::move(item));
  }
  void add(const llvm::StringMap<Entry> &entries, Kind kind,
           StringRef prefix = "") {
    std::vector<std::string> names;
    for (const auto &entry : entries)
      names.push_back(entry.getKey().str());
    llvm::sort(names);
    for (StringRef name : names) {
      const Entry &entry = entries.find(name)->second;
      add((prefix + name).str(), kind, entry.summary, entry.text);
    }
  }

  llvm::json::Array items;

private:
  llvm::json::Object range;
};
} // namespace

/// Whether a dictionary of attributes is open: `attributes {`, `{trn.kernel` of
/// an argument or at the end of an op.
static bool isInDictionary(const Text &text, ArrayRef<Enclosing> around) {
  if (around.empty() || text.str()[around.front().open] != '{')
    return false;
  StringRef after = text.str().drop_front(around.front().open + 1);
  // A region begins on a line of its own.
  return around.front().head == "attributes" || !after.starts_with("\n");
}

/// The attribute with the functions that may follow an op or a keyword.
static StringRef enumAfter(StringRef word) {
  if (word == "on")
    return "engine";
  auto op = Reference::get().ops.find(word);
  if (op == Reference::get().ops.end())
    return "";
  StringRef text = op->second.text;
  std::string name = ("`" + word + "`").str();
  if (!text.contains(name + " $function") &&
      !text.contains(name + " $predicate"))
    return "";
  if (word == "trn.activation")
    return "activation";
  return word.ends_with("_reduce") ? "reduce" : "binary";
}

llvm::json::Array mlir::trn::editor::completionsAt(const Text &text,
                                                   size_t offset) {
  const Reference &reference = Reference::get();
  Span typed{text.wordAt(offset).begin, offset};
  typed.begin = std::min(typed.begin, offset);
  StringRef word = text.str(typed);
  SmallVector<Enclosing> around = enclosing(text, typed.begin);
  Offers offers(text, typed);
  auto addWords = [&](StringRef attribute) {
    auto words = reference.words.find(attribute);
    if (words == reference.words.end())
      return;
    StringRef summary = reference.attributes.find(attribute)->second.summary;
    for (StringRef one : words->second)
      offers.add(one, EnumMember, summary);
  };
  StringRef line = text.str().take_front(typed.begin);
  line = line.drop_front(line.rfind('\n') + 1).rtrim(' ');
  StringRef previous =
      line.size() < typed.begin ? line.substr(line.rfind(' ') + 1) : "";
  StringRef head = around.empty() ? "" : around.front().head;
  if (typed.begin > 0 && text.str()[typed.begin - 1] == '#') {
    offers.add(reference.attributes, Property, "trn.");
  } else if (isEnum(head)) {
    addWords(head.drop_front(strlen("#trn.")));
  } else if (head == "trn.budget") {
    offers.add(reference.keys, Property);
  } else if (const Enclosing *schedule = findHead(around, "#trn.schedule")) {
    if (schedule->open == around.front().open)
      offers.add(reference.sections, Keyword);
    for (const NamedText &name : namesIn(text, schedule->open))
      offers.add(name.name, EnumMember, name.summary);
    for (StringRef one : wordsOfSection(head))
      offers.add(one, Keyword, "");
  } else if (StringRef attribute = enumAfter(previous); !attribute.empty()) {
    addWords(attribute);
  } else if (StringRef("trn.").starts_with(word) || word.starts_with("trn.")) {
    if (isInDictionary(text, around))
      offers.add(reference.declared, Property);
    else if (!word.empty())
      offers.add(reference.ops, Function);
  }
  return std::move(offers.items);
}

void mlir::trn::editor::addCompletions(const Text &text, size_t offset,
                                       llvm::json::Array &items) {
  llvm::json::Array ours = completionsAt(text, offset);
  llvm::StringSet<> known;
  for (const llvm::json::Value &item : ours) {
    StringRef label = *item.getAsObject()->getString("label");
    known.insert(label);
    // The parser offers `matmul` behind `trn.`.
    known.insert(label.split('.').second);
  }
  for (llvm::json::Value &item : items) {
    const llvm::json::Object *object = item.getAsObject();
    if (!object || !known.contains(object->getString("label").value_or("")))
      ours.push_back(std::move(item));
  }
  items = std::move(ours);
}
