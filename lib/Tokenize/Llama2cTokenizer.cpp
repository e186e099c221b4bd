//===- Llama2cTokenizer.cpp - tokenizer.bin of llama2.c -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MergeTokens.h"
#include "Unicode.h"
#include "trn/Tokenize/Tokenizer.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <numeric>

using namespace mlir::trn;
using namespace mlir::trn::llama2c;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;

namespace {
class Llama2cTokenizer : public Tokenizer {
public:
  llvm::Error parse(StringRef bytes);

  int64_t size() const override { return pieces.size(); }
  bool fits(int64_t vocabulary) const override { return size() == vocabulary; }
  llvm::Expected<std::vector<int32_t>> encode(StringRef text) const override;
  StringRef pieceOf(int32_t token) const override;
  bool hasBlankBefore() const override { return true; }
  bool isBegin(int32_t token) const override { return token == begin; }

private:
  void addCharacters(StringRef text, std::vector<int32_t> &tokens) const;

  std::vector<std::string> pieces;
  std::vector<float> scores;
  llvm::StringMap<int32_t> numbers;
};
} // namespace

llvm::Error Llama2cTokenizer::parse(StringRef bytes) {
  auto truncated = [&] {
    return createStringError(
        formatv("no tokenizer of llama2.c, or truncated: piece {0} ends after "
                "the last of {1} bytes",
                pieces.size(), bytes.size()));
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
    int32_t number = pieces.size();
    if (!std::isfinite(score))
      return createStringError(
          formatv("the score of piece {0} is not finite", number));
    StringRef piece = bytes.substr(at, length);
    pieces.push_back(piece.str());
    scores.push_back(score);
    numbers.try_emplace(piece, number);
    at += length;
  }
  if (size() < firstByte + 256)
    return createStringError(formatv(
        "it has {0} pieces, but the first {1} stand for marks and bytes",
        size(), firstByte + 256));
  return llvm::Error::success();
}

void Llama2cTokenizer::addCharacters(StringRef text,
                                     std::vector<int32_t> &tokens) const {
  while (!text.empty()) {
    StringRef character = text.take_front(measureCharacter(text));
    text = text.drop_front(character.size());
    if (auto known = numbers.find(character); known != numbers.end())
      tokens.push_back(known->second);
    else
      for (char byte : character)
        tokens.push_back(firstByte + uint8_t(byte));
  }
}

llvm::Expected<std::vector<int32_t>>
Llama2cTokenizer::encode(StringRef text) const {
  std::vector<int32_t> tokens;
  if (!text.empty())
    addCharacters(" ", tokens);
  addCharacters(text, tokens);
  mergeTokens(tokens,
              [&](int32_t left, int32_t right) -> std::optional<TokenMerge> {
                auto known = numbers.find(pieces[left] + pieces[right]);
                if (known == numbers.end())
                  return std::nullopt;
                return TokenMerge{-scores[known->second], known->second};
              });
  tokens.insert(tokens.begin(), begin);
  return tokens;
}

StringRef Llama2cTokenizer::pieceOf(int32_t token) const {
  static const std::string bytes = [] {
    std::string all(256, '\0');
    std::iota(all.begin(), all.end(), '\0');
    return all;
  }();
  if (token < firstByte || token >= size())
    return "";
  if (token < firstByte + 256)
    return StringRef(bytes).substr(token - firstByte, 1);
  return pieces[token];
}

llvm::Expected<std::unique_ptr<Tokenizer>>
llama2c::parseTokenizer(StringRef bytes) {
  auto tokenizer = std::make_unique<Llama2cTokenizer>();
  if (llvm::Error error = tokenizer->parse(bytes))
    return error;
  return tokenizer;
}
