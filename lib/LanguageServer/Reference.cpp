//===- Reference.cpp - Our documentation by names -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reference.h"

#include "trn/Report/Keys.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::editor;

namespace {
struct PageText {
  llvm::StringLiteral name;
  llvm::StringLiteral text;
};
} // namespace

static constexpr PageText pages[] = {
#include "Pages.inc"
};

//===----------------------------------------------------------------------===//
// Markdown
//===----------------------------------------------------------------------===//

/// Links of a page lead nowhere from an editor: their words stay.
static std::string withoutLinks(StringRef text) {
  std::string plain;
  while (!text.empty()) {
    size_t middle = text.find("](");
    size_t open = text.take_front(middle).rfind('[');
    size_t end = text.find(')', middle);
    if (middle == StringRef::npos || open == StringRef::npos ||
        end == StringRef::npos)
      break;
    plain += text.take_front(open);
    plain += text.slice(open + 1, middle);
    text = text.drop_front(end + 1);
  }
  return plain + text.str();
}

/// Calls `take` with the title and the text of each part of a page that begins
/// with `mark`, as `\n### `.
static void forEachPart(StringRef page, StringRef mark,
                        function_ref<void(StringRef, StringRef)> take) {
  size_t begin = page.find(mark);
  while (begin != StringRef::npos) {
    StringRef rest = page.drop_front(begin + mark.size());
    size_t length = rest.find(mark);
    auto [title, text] = rest.take_front(length).split('\n');
    take(title.trim(), text.trim());
    begin = length == StringRef::npos ? length : begin + mark.size() + length;
  }
}

/// `_Summary_`, then what people read: no traits and no types of C++.
static Entry makeEntry(StringRef text) {
  auto [summary, rest] = text.split('\n');
  for (StringRef end : {"\nTraits:", "\nInterfaces:", "\nEffects:", "\n#### "})
    rest = rest.take_front(rest.find(end));
  std::string title = summary.trim("_").str();
  return {title, "**" + title + "**\n\n" + withoutLinks(rest.trim())};
}

/// The text between two marks.
static StringRef between(StringRef text, StringRef begin, StringRef end) {
  size_t at = text.find(begin);
  if (at == StringRef::npos)
    return "";
  text = text.drop_front(at + begin.size());
  return text.take_front(text.find(end));
}

//===----------------------------------------------------------------------===//
// The dialect
//===----------------------------------------------------------------------===//

/// Sentences, and their parts between semicolons.
static std::vector<std::string> splitSentences(StringRef prose) {
  std::vector<std::string> sentences;
  SmallVector<StringRef> paragraphs;
  prose.split(paragraphs, "\n\n");
  for (StringRef paragraph : paragraphs) {
    if (paragraph.starts_with("```"))
      continue;
    std::string line = withoutLinks(paragraph);
    llvm::replace(line, '\n', ' ');
    while (size_t at = StringRef(line).find("; ") + 1)
      line[at - 1] = '.';
    SmallVector<StringRef> parts;
    StringRef(line).split(parts, ". ");
    for (StringRef part : parts)
      sentences.push_back(part.rtrim('.').str() + ".");
  }
  return sentences;
}

/// The introduction tells of the attributes that may stand on other ops: each
/// gets the sentences that name it, and its rules.
void Reference::declare(StringRef name, ArrayRef<std::string> sentences,
                        ArrayRef<StringRef> rules) {
  std::string quoted = ("`trn." + name).str(), summary, text;
  for (StringRef sentence : sentences)
    if (sentence.contains(quoted + "`") || sentence.contains(quoted + " =")) {
      if (summary.empty())
        summary = sentence.str();
      text += sentence.str() + " ";
    }
  text += "\n";
  for (StringRef rule : rules)
    if (rule.starts_with(("`attr_" + name + "_").str()) ||
        rule.contains(quoted + "`"))
      text += "\n- " + withoutLinks(rule);
  if (auto found = attributes.find(name); found != attributes.end()) {
    text += "\n\n" + found->second.text;
    summary = found->second.summary;
  }
  declared[("trn." + name).str()] = {summary, StringRef(text).trim().str()};
}

void Reference::readIntroduction(StringRef text) {
  auto [prose, list] = text.split("\nRules:\n- ");
  std::vector<std::string> sentences = splitSentences(prose);
  SmallVector<StringRef> rules;
  list.take_front(list.find("\n\n")).split(rules, "\n- ");
  // All that has such a name, and is no op.
  forEachPart(text, "`trn.", [&](StringRef part, StringRef) {
    StringRef name =
        part.take_while([](char c) { return llvm::isAlpha(c) || c == '_'; });
    std::string full = ("trn." + name).str();
    if (!name.empty() && !ops.contains(full) && !declared.contains(full))
      declare(name, sentences, rules);
  });
}

void Reference::readAttribute(StringRef title, StringRef text) {
  StringRef name = between(text, "#trn.", "<");
  if (name.empty())
    return;
  // The syntax of one is that of its class in C++.
  auto [summary, rest] = text.split('\n');
  if (rest.ltrim().starts_with("Syntax:"))
    rest = rest.split("```\n").second.split("```\n").second;
  rest = rest.split("Enum cases:").first;
  attributes[name] = makeEntry((summary + "\n" + rest).str());
  if (title == "ScheduleAttr")
    readSections(text);
}

/// Items such as `- *homes*: buffers on chip.`
void Reference::readSections(StringRef text) {
  forEachPart(text, "\n- *", [&](StringRef line, StringRef more) {
    auto [name, first] = line.split("*:");
    std::string all = (first.trim() + "\n" + more).str();
    StringRef item = StringRef(all).take_front(all.find("\n\n"));
    std::string plain = withoutLinks(item);
    // Further lines of an item are indented.
    llvm::replace(plain, '\n', ' ');
    while (size_t at = StringRef(plain).find("  ") + 1)
      plain.erase(at, 1);
    std::string summary = StringRef(plain).split(". ").first.trim().str();
    sections[name] = {summary, "**" + name.str() + "**: " + plain};
  });
}

void Reference::readDialect(StringRef page) {
  auto [before, after] = page.split("\n## Operations\n");
  auto [operations, rest] = after.split("\n## Attributes\n");
  auto [attributeParts, enums] = rest.split("\n## Enums\n");
  forEachPart(operations, "\n### ", [&](StringRef title, StringRef text) {
    ops[between(title, "`", "`")] = makeEntry(text);
  });
  llvm::StringMap<std::vector<std::string>> cases;
  forEachPart(enums, "\n### ", [&](StringRef title, StringRef text) {
    SmallVector<StringRef> rows;
    text.split(rows, '\n');
    for (StringRef row : rows)
      if (row.contains("| `"))
        cases[title].push_back(row.rtrim("| ").rsplit('|').second.trim().str());
  });
  forEachPart(attributeParts, "\n### ", [&](StringRef title, StringRef text) {
    readAttribute(title, text);
    StringRef value = between(text, "<\n  ::mlir::trn::", " ");
    auto found = cases.find(value);
    if (found == cases.end())
      return;
    StringRef name = between(text, "#trn.", "<");
    words[name] = found->second;
    attributes[name].text +=
        "\n\nOne of `" + llvm::join(found->second, "`, `") + "`.";
  });
  readIntroduction(before);
}

//===----------------------------------------------------------------------===//
// Other pages
//===----------------------------------------------------------------------===//

void Reference::readPasses(StringRef page) {
  forEachPart(page, "\n### ", [&](StringRef title, StringRef text) {
    // Options stay.
    auto [description, options] = text.split("\n#### Options");
    Entry entry = makeEntry(description);
    if (!options.empty())
      entry.text += "\n\nOptions:" + options.str();
    passes[title.trim("`-")] = entry;
  });
}

/// Rows such as: | `bound_ms`, `bound_by` | what it means |
void Reference::readKeys(StringRef page) {
  forEachPart(page, "\n| `", [&](StringRef row, StringRef) {
    auto [names, meaning] = row.rtrim("| ").split(" | ");
    SmallVector<StringRef> all;
    names.split(all, ", ");
    for (StringRef name : all) {
      const MetricKey *key = findMetricKey(name.trim("`"));
      if (!key || key->better == Better::Neither || keys.count(key->name))
        continue;
      std::string plain = withoutLinks(meaning);
      keys[key->name] = {
          plain, "**" + key->name.str() + "**: " + plain +
                     "\n\nA limit in `trn.budget` is " +
                     (key->better == Better::More ? "the least" : "the most") +
                     " that `trn-run` accepts."};
    }
  });
}

Reference::Reference() {
  for (const PageText &page : pages) {
    if (page.name == "TrnDialect.md")
      readDialect(page.text);
    else if (page.name == "Tools.md")
      readKeys(page.text);
    else
      readPasses(page.text);
  }
}

const Reference &Reference::get() {
  static const Reference reference;
  return reference;
}
