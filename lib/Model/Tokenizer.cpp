//===- Tokenizer.cpp - Text as numbers of pieces --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Tokenizer.h"

#include "trn/Support/InputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cmath>
#include <queue>

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

llvm::Expected<Tokenizer> Tokenizer::open(StringRef path) {
  StringRef extension = llvm::sys::path::extension(path);
  if (extension == ".json" || extension == ".model")
    return llvm::createFileError(
        path, createStringError("only tokenizer.bin of llama2.c, pieces with "
                                "scores, is read; give tokens as npy"));
  auto buffer = readInputFile(path, /*isText=*/false);
  if (!buffer)
    return llvm::createFileError(path, buffer.takeError());
  llvm::Expected<Tokenizer> tokenizer = parse((*buffer)->getBuffer());
  if (!tokenizer)
    return llvm::createFileError(path, tokenizer.takeError());
  return tokenizer;
}

llvm::Expected<Tokenizer> Tokenizer::parse(StringRef bytes) {
  Tokenizer tokenizer;
  auto truncated = [&] {
    return createStringError(
        formatv("no tokenizer of llama2.c, or truncated: piece {0} ends behind "
                "the {1} bytes that there are",
                tokenizer.pieces.size(), bytes.size()));
  };
  constexpr size_t word = sizeof(int32_t);
  if (bytes.size() < word)
    return truncated();
  for (size_t at = word; at < bytes.size();) {
    if (bytes.size() - at < 2 * word)
      return truncated();
    float score = llvm::bit_cast<float>(
        llvm::support::endian::read32le(bytes.data() + at));
    auto length =
        int32_t(llvm::support::endian::read32le(bytes.data() + at + word));
    at += 2 * word;
    if (length < 0 || uint64_t(length) > bytes.size() - at)
      return truncated();
    int32_t number = tokenizer.pieces.size();
    if (!std::isfinite(score))
      return createStringError(
          formatv("the score of piece {0} is not finite", number));
    StringRef piece = bytes.substr(at, length);
    tokenizer.pieces.push_back(piece.str());
    tokenizer.scores.push_back(score);
    tokenizer.numbers.try_emplace(piece, number);
    at += length;
  }
  if (tokenizer.size() < firstByte + 256)
    return createStringError(formatv(
        "it has {0} pieces, but the first {1} stand for marks and bytes",
        tokenizer.size(), firstByte + 256));
  return tokenizer;
}

//===----------------------------------------------------------------------===//
// Encoding
//===----------------------------------------------------------------------===//

std::vector<int32_t> Tokenizer::splitCharacters(StringRef text) const {
  std::vector<int32_t> tokens;
  while (!text.empty()) {
    auto *first = reinterpret_cast<const llvm::UTF8 *>(text.begin());
    auto *last = reinterpret_cast<const llvm::UTF8 *>(text.end());
    bool isLegal = llvm::isLegalUTF8Sequence(first, last);
    StringRef character =
        text.take_front(isLegal ? llvm::getNumBytesForUTF8(*first) : 1);
    text = text.drop_front(character.size());
    if (auto known = numbers.find(character); known != numbers.end())
      tokens.push_back(known->second);
    else
      for (char byte : character)
        tokens.push_back(firstByte + uint8_t(byte));
  }
  return tokens;
}

namespace {
/// Two neighbours that a piece stands for.
struct Merge {
  float score;
  int32_t left, right; // positions
  int32_t merged;      // the piece
  size_t length; // of the pieces that were there, to know if they still are

  bool operator<(const Merge &other) const {
    return score != other.score ? score < other.score : left > other.left;
  }
};
} // namespace

std::vector<int32_t> Tokenizer::encode(StringRef text) const {
  std::vector<int32_t> tokens = splitCharacters(" ");
  if (text.empty())
    return {begin};
  for (int32_t token : splitCharacters(text))
    tokens.push_back(token);
  // What is left of the tokens is a list; merged ones are gone from it.
  const int32_t count = tokens.size(), none = -1;
  std::vector<int32_t> next(count), previous(count);
  for (int32_t i = 0; i < count; ++i) {
    previous[i] = i - 1;
    next[i] = i + 1 < count ? i + 1 : none;
  }
  std::priority_queue<Merge> merges;
  auto addMerge = [&](int32_t left, int32_t right) {
    if (left == none || right == none)
      return;
    std::string both = pieces[tokens[left]] + pieces[tokens[right]];
    if (auto known = numbers.find(both); known != numbers.end())
      merges.push(
          {scores[known->second], left, right, known->second, both.size()});
  };
  for (int32_t i = 0; i + 1 < count; ++i)
    addMerge(i, i + 1);
  while (!merges.empty()) {
    Merge merge = merges.top();
    merges.pop();
    bool isStillThere = tokens[merge.left] != none &&
                        tokens[merge.right] != none &&
                        next[merge.left] == merge.right &&
                        pieces[tokens[merge.left]].size() +
                                pieces[tokens[merge.right]].size() ==
                            merge.length;
    if (!isStillThere)
      continue;
    tokens[merge.left] = merge.merged;
    tokens[merge.right] = none;
    next[merge.left] = next[merge.right];
    if (next[merge.left] != none)
      previous[next[merge.left]] = merge.left;
    addMerge(previous[merge.left], merge.left);
    addMerge(merge.left, next[merge.left]);
  }
  std::vector<int32_t> encoded{begin};
  for (int32_t i = 0; i != none; i = next[i])
    encoded.push_back(tokens[i]);
  return encoded;
}

std::string Tokenizer::decode(int32_t previous, int32_t token) const {
  if (token >= firstByte && token < firstByte + 256)
    return std::string(1, char(token - firstByte));
  if (token < firstByte || token >= size())
    return "";
  StringRef piece = pieces[token];
  if (previous == begin)
    piece.consume_front(" ");
  return piece.str();
}

std::vector<StringRef> mlir::trn::splitStories(StringRef text) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, "<|endoftext|>");
  std::vector<StringRef> stories;
  for (StringRef part : parts)
    if (StringRef story = part.trim(); !story.empty())
      stories.push_back(story);
  return stories;
}
