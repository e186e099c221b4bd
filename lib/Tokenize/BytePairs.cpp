//===- BytePairs.cpp - Words as tokens by byte pair encoding --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BytePairs.h"

#include "MergeTokens.h"
#include "Unicode.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// The alphabet of bytes
//===----------------------------------------------------------------------===//

/// The character of each byte: itself if it is printable in Latin-1 and no
/// blank, the others in their order from U+0100 on.
static std::array<Character, 256> makeByteAlphabet() {
  std::array<Character, 256> alphabet;
  Character next = 0x100;
  for (Character byte = 0; byte < alphabet.size(); ++byte) {
    const bool isItself =
        (byte > ' ' && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD);
    alphabet[byte] = isItself ? byte : next++;
  }
  return alphabet;
}

std::optional<std::string> mlir::trn::fromByteAlphabet(StringRef text) {
  static const llvm::DenseMap<Character, char> bytes = [] {
    llvm::DenseMap<Character, char> bytes;
    for (auto [byte, character] : llvm::enumerate(makeByteAlphabet()))
      bytes[character] = char(byte);
    return bytes;
  }();
  std::string found;
  for (Character character : decodeUTF8(text)) {
    auto byte = bytes.find(character);
    if (byte == bytes.end())
      return std::nullopt;
    found += byte->second;
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

llvm::Expected<BytePairs> BytePairs::parse(const JSONPart &model,
                                           bool isByteLevel) {
  // Old files have no type.
  if (model.type() != "BPE" && !(model.type().empty() && model.find("merges")))
    return model.refuseType("BPE");
  BytePairs pairs;
  pairs.isByteLevel = isByteLevel;
  if (llvm::Error error = pairs.parsePieces(model))
    return error;
  if (llvm::Error error = pairs.parseOptions(model))
    return error;
  if (llvm::Error error = pairs.parseMerges(model))
    return error;
  pairs.findBytes();
  return pairs;
}

llvm::Error BytePairs::parseOptions(const JSONPart &model) {
  if (const json::Value *dropout = model.find("dropout");
      dropout && dropout->getAsNumber() != 0.0)
    return model.refuse("dropout", "null: tokens would be drawn");
  for (StringRef key : {"continuing_subword_prefix", "end_of_word_suffix"})
    if (const json::Value *affix = model.find(key);
        affix && affix->getAsString() != StringRef(""))
      return model.refuse(key, "null");
  for (auto [key, flag] : {std::pair("byte_fallback", &byteFallback),
                           std::pair("fuse_unk", &fuseUnknown),
                           std::pair("ignore_merges", &ignoreMerges)})
    if (llvm::Error error = model.getBool(key, false).moveInto(*flag))
      return error;
  if (!model.find("unk_token"))
    return llvm::Error::success();
  llvm::Expected<std::string> piece = model.getString("unk_token");
  if (!piece)
    return piece.takeError();
  auto found = numbers.find(*piece);
  if (found == numbers.end())
    return model.refuse("unk_token", "a piece of 'vocab'");
  unknown = found->second;
  return llvm::Error::success();
}

llvm::Error BytePairs::parsePieces(const JSONPart &model) {
  const json::Value *value = model.find("vocab");
  const json::Object *pieces = value ? value->getAsObject() : nullptr;
  if (!pieces)
    return model.refuse("vocab", "an object of pieces and their numbers");
  for (const auto &[piece, number] : *pieces) {
    std::optional<int64_t> token = number.getAsInteger();
    if (!token || *token < 0 || *token >= maxTokens)
      return createStringError(
          formatv("the number of piece '{0}' is {1}, but must be one from 0 to "
                  "{2}",
                  StringRef(piece), number, maxTokens - 1));
    numbers[piece] = *token;
  }
  return llvm::Error::success();
}

llvm::Error BytePairs::parseMerges(const JSONPart &model) {
  llvm::Expected<const json::Array *> all = model.getArray("merges");
  if (!all)
    return all.takeError();
  for (const auto &[rank, merge] : llvm::enumerate(**all)) {
    StringRef left, right;
    if (std::optional<StringRef> both = merge.getAsString()) {
      std::tie(left, right) = both->split(' ');
    } else if (const json::Array *pair = merge.getAsArray();
               pair && pair->size() == 2) {
      left = (*pair)[0].getAsString().value_or("");
      right = (*pair)[1].getAsString().value_or("");
    }
    if (llvm::Error error = addMerge(rank, left, right))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error BytePairs::addMerge(int32_t rank, StringRef left, StringRef right) {
  auto whole = numbers.find((left + right).str());
  auto first = numbers.find(left), second = numbers.find(right);
  if (first == numbers.end() || second == numbers.end() ||
      whole == numbers.end())
    return createStringError(
        formatv("merge {0}, of '{1}' and '{2}', must be of two pieces of "
                "'vocab' that are one there",
                rank, left, right));
  merges[{first->second, second->second}] = {rank, whole->second};
  return llvm::Error::success();
}

void BytePairs::findBytes() {
  byteTokens.fill(none);
  auto find = [&](StringRef piece) {
    auto found = numbers.find(piece);
    return found == numbers.end() ? none : found->second;
  };
  if (!isByteLevel) {
    for (size_t byte = 0; byte < 256; ++byte)
      byteTokens[byte] = find(formatv("<0x{0:X-2}>", byte).str());
    return;
  }
  for (auto [byte, character] : llvm::enumerate(makeByteAlphabet())) {
    std::string piece;
    appendUTF8(piece, character);
    byteTokens[byte] = find(piece);
  }
  if (ignoreMerges)
    for (const auto &piece : numbers)
      if (std::optional<std::string> bytes = fromByteAlphabet(piece.getKey()))
        words[*bytes] = piece.getValue();
}

//===----------------------------------------------------------------------===//
// Encoding
//===----------------------------------------------------------------------===//

bool BytePairs::appendBytes(StringRef text,
                            std::vector<int32_t> &tokens) const {
  if (llvm::any_of(text,
                   [&](char c) { return byteTokens[uint8_t(c)] == none; }))
    return false;
  for (char byte : text)
    tokens.push_back(byteTokens[uint8_t(byte)]);
  return true;
}

void BytePairs::split(StringRef word, std::vector<int32_t> &tokens) const {
  bool isUnknown = false; // the one before
  while (!word.empty()) {
    StringRef part = word.take_front(isByteLevel ? 1 : measureCharacter(word));
    word = word.drop_front(part.size());
    auto known = isByteLevel ? numbers.end() : numbers.find(part);
    const bool wasUnknown = std::exchange(isUnknown, false);
    if (known != numbers.end()) {
      tokens.push_back(known->second);
      continue;
    }
    if ((isByteLevel || byteFallback) && appendBytes(part, tokens))
      continue;
    // Without a token for what is unknown it is left out.
    isUnknown = unknown != none;
    if (isUnknown && !(wasUnknown && fuseUnknown))
      tokens.push_back(unknown);
  }
}

void BytePairs::encode(StringRef word, std::vector<int32_t> &tokens) const {
  if (ignoreMerges) {
    const auto &whole = isByteLevel ? words : numbers;
    if (auto known = whole.find(word); known != whole.end()) {
      tokens.push_back(known->second);
      return;
    }
  }
  std::vector<int32_t> parts;
  split(word, parts);
  mergeTokens(
      parts, [&](int32_t left, int32_t right) -> std::optional<TokenMerge> {
        auto merge = merges.find({left, right});
        if (merge == merges.end())
          return std::nullopt;
        return TokenMerge{double(merge->second.rank), merge->second.token};
      });
  tokens.insert(tokens.end(), parts.begin(), parts.end());
}
