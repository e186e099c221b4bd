//===- AddedTokens.cpp - Pieces that are found before others --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AddedTokens.h"

#include "Unicode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::StringRef;

static llvm::Expected<AddedToken> parseToken(const llvm::json::Value &value) {
  llvm::Expected<JSONPart> part = JSONPart::get(value, "one of added_tokens");
  if (!part)
    return part.takeError();
  AddedToken token;
  if (llvm::Error error = part->getString("content").moveInto(token.content))
    return error;
  if (llvm::Error error = part->getToken("id").moveInto(token.number))
    return error;
  bool isWord = false;
  for (auto [key, flag] : {std::pair("special", &token.isSpecial),
                           std::pair("normalized", &token.isNormalized),
                           std::pair("lstrip", &token.takesBefore),
                           std::pair("rstrip", &token.takesBehind),
                           std::pair("single_word", &isWord)})
    if (llvm::Error error = part->getBool(key, false).moveInto(*flag))
      return error;
  if (token.content.empty())
    return part->refuse("content", "at least a character");
  if (isWord)
    return part->refuse("single_word", "false");
  return token;
}

llvm::Expected<std::vector<AddedToken>>
mlir::trn::parseAddedTokens(const llvm::json::Value *value) {
  std::vector<AddedToken> tokens;
  if (!value)
    return tokens;
  if (!value->getAsArray())
    return llvm::createStringError("added_tokens is no array");
  for (const llvm::json::Value &entry : *value->getAsArray()) {
    llvm::Expected<AddedToken> token = parseToken(entry);
    if (!token)
      return token.takeError();
    tokens.push_back(std::move(*token));
  }
  return tokens;
}

AddedTokenFinder::AddedTokenFinder(std::vector<AddedToken> all)
    : tokens(std::move(all)) {
  for (size_t i = 0; i < tokens.size(); ++i)
    starts[uint8_t(tokens[i].content.front())].push_back(i);
  for (std::vector<size_t> &candidates : starts)
    llvm::sort(candidates, [&](size_t a, size_t b) {
      return std::pair(tokens[b].content.size(), a) <
             std::pair(tokens[a].content.size(), b);
    });
}

const AddedToken *AddedTokenFinder::findAt(StringRef text) const {
  for (size_t candidate : starts[uint8_t(text.front())])
    if (text.starts_with(tokens[candidate].content))
      return &tokens[candidate];
  return nullptr;
}

/// How many bytes of white space a text begins with.
static size_t countWhiteSpace(StringRef text) {
  StringRef rest = text;
  while (!rest.empty()) {
    StringRef character = rest.take_front(measureCharacter(rest));
    if (!isWhiteSpace(decodeUTF8(character).front()))
      break;
    rest = rest.drop_front(character.size());
  }
  return text.size() - rest.size();
}

/// `text` without white space at its end.
static StringRef dropWhiteSpaceAtEnd(StringRef text) {
  size_t end = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t blanks = countWhiteSpace(text.substr(at));
    at += blanks;
    if (at < text.size())
      end = at += measureCharacter(text.substr(at));
  }
  return text.take_front(end);
}

llvm::Error
AddedTokenFinder::split(StringRef text,
                        llvm::function_ref<llvm::Error(StringRef)> visitText,
                        llvm::function_ref<void(int32_t)> visitToken) const {
  size_t done = 0;
  for (size_t at = 0; at < text.size();) {
    const AddedToken *token = findAt(text.substr(at));
    if (!token) {
      ++at;
      continue;
    }
    StringRef before = text.slice(done, at);
    if (token->takesBefore)
      before = dropWhiteSpaceAtEnd(before);
    if (!before.empty())
      if (llvm::Error error = visitText(before))
        return error;
    visitToken(token->number);
    at += token->content.size();
    if (token->takesBehind)
      at += countWhiteSpace(text.substr(at));
    done = at;
  }
  if (done < text.size())
    return visitText(text.substr(done));
  return llvm::Error::success();
}
