//===- PreTokenizer.cpp - How a text is cut into words --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PreTokenizer.h"

#include "Normalizer.h"

using namespace mlir::trn;
using llvm::StringRef;

/// The words of GPT-2, which ByteLevel cuts a text into unless `use_regex` is
/// false.
static constexpr const char *byteLevelPattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

llvm::Expected<PreTokenizer>
PreTokenizer::parse(const llvm::json::Value *value) {
  PreTokenizer read;
  if (llvm::Error error =
          forEachStep(value, "pre_tokenizer", "pretokenizers",
                      [&](const JSONPart &part) { return read.addPart(part); }))
    return error;
  return read;
}

llvm::Error PreTokenizer::addPart(const JSONPart &part) {
  if (byteLevel)
    return part.refuseType("ByteLevel as the last one");
  if (part.type() == "Split")
    return addSplit(part);
  if (part.type() == "Metaspace")
    return addMetaspace(part);
  if (part.type() == "ByteLevel")
    return addByteLevel(part);
  if (part.type() == "Digits") {
    llvm::Expected<bool> isEach = part.getBool("individual_digits", false);
    return isEach ? addPattern(Step::Isolate, *isEach ? "\\p{N}" : "\\p{N}+")
                  : isEach.takeError();
  }
  return part.refuseType("Split, Digits, Metaspace, ByteLevel and Sequence");
}

llvm::Error PreTokenizer::addPattern(Step::Kind kind, StringRef pattern) {
  llvm::Expected<Pattern> parsed = Pattern::parse(pattern);
  if (!parsed)
    return parsed.takeError();
  steps.push_back({kind, std::move(*parsed)});
  return llvm::Error::success();
}

llvm::Error PreTokenizer::addSplit(const JSONPart &part) {
  llvm::Expected<bool> isInverted = part.getBool("invert", false);
  if (!isInverted)
    return isInverted.takeError();
  llvm::Expected<std::string> behavior = part.getString("behavior");
  if (!behavior)
    return behavior.takeError();
  Step::Kind kind = Step::Isolate;
  if (*behavior == "Removed")
    kind = *isInverted ? Step::KeepMatches : Step::RemoveMatches;
  else if (*behavior == "MergedWithNext" && !*isInverted)
    kind = Step::SplitBefore;
  else if (*behavior != "Isolated")
    return part.refuse("behavior", "Isolated, Removed, or MergedWithNext that "
                                   "is not inverted");
  llvm::Expected<JSONPart> pattern = part.getPart("pattern");
  if (!pattern)
    return pattern.takeError();
  if (pattern->find("Regex")) {
    llvm::Expected<std::string> text = pattern->getString("Regex");
    return text ? addPattern(kind, *text) : text.takeError();
  }
  llvm::Expected<std::string> text = readStringPattern(part);
  if (!text)
    return text.takeError();
  steps.push_back({kind, Pattern::ofString(*text)});
  return llvm::Error::success();
}

llvm::Error PreTokenizer::addMetaspace(const JSONPart &part) {
  std::string blank, scheme;
  bool isSplit = true, isPrepended = true;
  if (llvm::Error error = part.getString("replacement").moveInto(blank))
    return error;
  if (llvm::Error error = part.getBool("split", true).moveInto(isSplit))
    return error;
  // `add_prefix_space` is from before there were schemes.
  if (llvm::Error error =
          part.getBool("add_prefix_space", true).moveInto(isPrepended))
    return error;
  if (!part.find("prepend_scheme"))
    scheme = isPrepended ? "always" : "never";
  else if (llvm::Error error =
               part.getString("prepend_scheme").moveInto(scheme))
    return error;
  if (blank.empty() || measureCharacter(blank) != blank.size())
    return part.refuse("replacement", "one character");
  steps.push_back({Step::ReplaceBlanks, std::nullopt, blank});
  if (scheme == "always")
    steps.push_back({Step::Prepend, std::nullopt, blank});
  else if (scheme == "first")
    steps.push_back({Step::PrependFirst, std::nullopt, blank});
  else if (scheme != "never")
    return part.refuse("prepend_scheme", "always, first or never");
  if (isSplit)
    steps.push_back({Step::SplitBefore, Pattern::ofString(blank)});
  return llvm::Error::success();
}

llvm::Error PreTokenizer::addByteLevel(const JSONPart &part) {
  bool isPrepended = false, isSplit = true;
  if (llvm::Error error =
          part.getBool("add_prefix_space", true).moveInto(isPrepended))
    return error;
  if (llvm::Error error = part.getBool("use_regex", true).moveInto(isSplit))
    return error;
  byteLevel = true;
  if (isPrepended)
    steps.push_back({Step::Prepend, std::nullopt, " "});
  return isSplit ? addPattern(Step::Isolate, byteLevelPattern)
                 : llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Cutting
//===----------------------------------------------------------------------===//

llvm::Error PreTokenizer::apply(llvm::ArrayRef<Step> steps, StringRef text,
                                bool isFirst, Visit visit) {
  if (text.empty())
    return llvm::Error::success();
  if (steps.empty()) {
    visit(text);
    return llvm::Error::success();
  }
  const Step &step = steps.front();
  std::string changed;
  switch (step.kind) {
  case Step::ReplaceBlanks:
    if (llvm::Error error =
            replaceAll(text, " ", step.content).moveInto(changed))
      return error;
    break;
  case Step::Prepend:
  case Step::PrependFirst:
    if (text.starts_with(step.content) ||
        (step.kind == Step::PrependFirst && !isFirst))
      return apply(steps.drop_front(), text, isFirst, visit);
    changed = step.content + text.str();
    break;
  default:
    return cut(steps, text, isFirst, visit);
  }
  return apply(steps.drop_front(), changed, isFirst, visit);
}

llvm::Error PreTokenizer::cut(llvm::ArrayRef<Step> steps, StringRef text,
                              bool isFirst, Visit visit) {
  const llvm::SmallVector<Character> characters = decodeUTF8(text);
  const Step::Kind kind = steps.front().kind;
  size_t done = 0; // characters
  llvm::Error problem = llvm::Error::success();
  auto takeUntil = [&](size_t end, bool isKept) {
    const size_t length =
        countBytes(llvm::ArrayRef(characters).slice(done, end - done));
    if (isKept && !problem)
      problem = apply(steps.drop_front(), text.take_front(length),
                      isFirst && done == 0, visit);
    text = text.drop_front(length);
    done = end;
  };
  const bool keepsOthers = kind != Step::KeepMatches;
  llvm::Error error =
      steps.front().pattern->findAll(characters, [&](size_t begin, size_t end) {
        takeUntil(begin, keepsOthers);
        if (kind != Step::SplitBefore)
          takeUntil(end, kind != Step::RemoveMatches);
      });
  takeUntil(characters.size(), keepsOthers);
  return llvm::joinErrors(std::move(error), std::move(problem));
}
