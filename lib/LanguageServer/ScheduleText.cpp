//===- ScheduleText.cpp - Names in the text of a schedule -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleText.h"

using namespace mlir;
using namespace mlir::trn::editor;

/// The entries of `section = [...]`, which stand between commas that are in no
/// bracket.
static SmallVector<StringRef> entriesOf(const Text &text, size_t open,
                                        StringRef section) {
  SmallVector<StringRef> entries;
  size_t end = text.closing(open);
  std::optional<Span> word = text.findWord(section, open, end);
  if (!word)
    return entries;
  size_t begin = text.str().find('[', word->end);
  if (begin >= end)
    return entries;
  size_t last = std::min(text.closing(begin), end);
  for (size_t at = ++begin; at <= last; ++at) {
    if (at < last && StringRef("([{<").contains(text.str()[at]))
      at = std::min(text.closing(at), last - 1);
    else if (at == last || text.str()[at] == ',') {
      entries.push_back(text.str({begin, at}).trim());
      begin = at + 1;
    }
  }
  return entries;
}

static StringRef nameOf(StringRef entry) {
  return entry.take_until([](char c) { return c == ' ' || c == '\n'; });
}

std::vector<NamedText> mlir::trn::editor::namesIn(const Text &text,
                                                  size_t open) {
  std::vector<NamedText> names;
  for (StringRef section : {"dims", "matrices"})
    for (StringRef entry : entriesOf(text, open, section))
      if (StringRef name = nameOf(entry); name.size() < entry.size())
        names.push_back({name.str(), entry.str()});
  return names;
}

std::string mlir::trn::editor::describeName(const Text &text, size_t open,
                                            StringRef name) {
  std::string lines;
  for (StringRef section : {"dims", "matrices", "stages", "nests", "homes"})
    for (StringRef entry : entriesOf(text, open, section))
      if (nameOf(entry) == name)
        lines += "- *" + section.str() + "*: `" + entry.str() + "`\n";
  return lines;
}

ArrayRef<StringRef> mlir::trn::editor::wordsOfSection(StringRef section) {
  static constexpr StringRef dims[] = {"groups", "of", "from"};
  static constexpr StringRef matrices[] = {"input", "result", "constant",
                                           "heads", "of",     "band",
                                           "bf16",  "f16",    "f32"};
  static constexpr StringRef stages[] = {"transpose", "rotate", "over"};
  static constexpr StringRef nests[] = {"banks", "on", "scalar", "vector"};
  static constexpr StringRef homes[] = {"at",   "kernel", "slots", "ahead",
                                        "in",   "packed", "whole", "sums",
                                        "psum", "sbuf",   "for",   "and"};
  if (section == "dims")
    return dims;
  if (section == "matrices")
    return matrices;
  if (section == "stages")
    return stages;
  if (section == "nests")
    return nests;
  return section == "homes" ? ArrayRef(homes) : ArrayRef<StringRef>();
}

Span mlir::trn::editor::planIn(const Text &text, size_t open) {
  size_t end = text.closing(open);
  std::optional<Span> nests = text.findWord("nests", open, end);
  if (!nests)
    return {end, end};
  size_t comma = text.str().take_front(nests->begin).rfind(',');
  return {comma < open ? nests->begin : comma, end};
}
