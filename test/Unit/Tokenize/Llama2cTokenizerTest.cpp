//===- Llama2cTokenizerTest.cpp - Tests of tokenizer.bin ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Tokenize/Tokenizer.h"

#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

/// Marks and bytes, and some more pieces.
std::unique_ptr<Tokenizer> makeTokenizer(std::vector<std::string> more) {
  std::vector<std::string> pieces = {"<unk>", "<s>", "</s>"};
  for (int byte = 0; byte < 256; ++byte)
    pieces.push_back("<byte " + std::to_string(byte) + ">");
  pieces.insert(pieces.end(), more.begin(), more.end());
  std::string bytes;
  auto add = [&](uint32_t word) {
    char little[4];
    llvm::support::endian::write32le(little, word);
    bytes.append(little, 4);
  };
  add(0);
  for (const std::string &piece : pieces) {
    add(0); // a score of 0
    add(piece.size());
    bytes += piece;
  }
  return llvm::cantFail(llama2c::parseTokenizer(bytes));
}

std::string decode(const Tokenizer &tokenizer, llvm::ArrayRef<int32_t> tokens) {
  TokenDecoder decoder(tokenizer);
  std::string text;
  for (int32_t token : tokens)
    text += decoder.decode(token);
  return text;
}

TEST(Tokenizer, TextsComeBackByteByByte) {
  auto tokenizer =
      makeTokenizer({" ", "a", " a", "\u00e9", "\u4e2d", "a\u00e9"});
  for (const char *text :
       {"", "a", " a", "  a a", "\u00e9\u4e2d", "a\u00e9\u2603\U0001F600", "\n",
        "b", "broken \xE4\xB8 in the middle", "\xFF"})
    EXPECT_EQ(decode(*tokenizer, llvm::cantFail(tokenizer->encode(text))),
              text);
}

TEST(Tokenizer, CharactersWithoutAPieceAreTheirBytes) {
  auto tokenizer = makeTokenizer({" ", "\u00e9"});
  // U+2603 is E2 98 83; bytes begin at 3.
  EXPECT_EQ(llvm::cantFail(tokenizer->encode("\u00e9\u2603")),
            (std::vector<int32_t>{1, 259, 260, 0xE2 + 3, 0x98 + 3, 0x83 + 3}));
  EXPECT_EQ(tokenizer->pieceOf(0xE2 + 3), "\xE2");
}

TEST(Tokenizer, OnlyTheBlankAfterTheBeginIsLeftOut) {
  auto tokenizer = makeTokenizer({" ", " a"});
  EXPECT_EQ(decode(*tokenizer, {1, 260, 260, 1, 260}), "a aa");
  for (int32_t mark : {-1, 0, 1, 2, 261})
    EXPECT_EQ(tokenizer->pieceOf(mark), "") << mark;
}

} // namespace
