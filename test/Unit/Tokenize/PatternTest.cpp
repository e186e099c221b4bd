//===- PatternTest.cpp - Tests of expressions that cut texts --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Tokenize/Pattern.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

/// What a pattern finds, with `|` behind each.
std::string find(llvm::StringRef pattern, llvm::StringRef text) {
  const llvm::SmallVector<Character> characters = decodeUTF8(text);
  std::string found;
  llvm::cantFail(
      llvm::cantFail(Pattern::parse(pattern))
          .findAll(characters, [&](size_t begin, size_t end) {
            for (Character character :
                 llvm::ArrayRef(characters).slice(begin, end - begin))
              appendUTF8(found, character);
            found += "|";
          }));
  return found;
}

TEST(Pattern, TheFirstAlternativeThatFitsIsTaken) {
  EXPECT_EQ(find("a|ab|b", "ab"), "a|b|");
  EXPECT_EQ(find("(?:a|ab)c|b", "abcb"), "abc|b|");
  EXPECT_EQ(find("x(a|ab)?c", "xabcxcxab"), "xabc|xc|");
}

TEST(Pattern, RepetitionsGiveBackUnlessTheyArePossessive) {
  EXPECT_EQ(find("a*ab", "aaab"), "aaab|");
  EXPECT_EQ(find("a*+ab", "aaab"), "");
  EXPECT_EQ(find("a{2}", "aaaaa"), "aa|aa|");
  EXPECT_EQ(find("a{2,}b", "abaab"), "aab|");
  EXPECT_EQ(find("a{1,3}", "aaaaa"), "aaa|aa|");
  EXPECT_EQ(find("a{0}b", "ab"), "b|");
}

TEST(Pattern, LookaheadTakesNothing) {
  EXPECT_EQ(find(R"(\s+(?!\S)|\s+|\S+)", "a   b  "), "a|  | |b|  |");
  EXPECT_EQ(find("a(?=b)", "aab"), "a|");
}

TEST(Pattern, SetsAreOfCharactersAndCategories) {
  EXPECT_EQ(find(R"([^\r\n\p{L}\p{N}]?\p{L}+)", "-\u00e4\u4e2d1 b\n\u0130"),
            "-\u00e4\u4e2d| b|\u0130|");
  EXPECT_EQ(find(R"(\p{Lu}\P{Lu}+)", "AbcDe"), "Abc|De|");
  EXPECT_EQ(find(R"([a-c\-\]]+|\.)", "ab-]d.c"), "ab-]|.|c|");
  EXPECT_EQ(find(R"(\d+)", "1\u0663\u00bd"), "1\u0663|");
  // Unicode's White_Space, not that of C or Python.
  EXPECT_EQ(find(R"(\s+)", "\x0b\u0085\u3000\x1c\u200b"), "\x0b\u0085\u3000|");
}

TEST(Pattern, CaseIsIgnoredInItsGroup) {
  EXPECT_EQ(find("(?i:'s|'LL)t", "'St'ST'llt"), "'St|'llt|");
  // The long s, as Oniguruma folds it.
  EXPECT_EQ(find("(?i:'s)", "'\u017f"), "'\u017f|");
}

TEST(Pattern, BrokenBytesAreInNoCategory) {
  EXPECT_EQ(find(R"([^\s\p{L}\p{N}]+)", "a\xff\xc3 b"), "\xff\xc3|");
}

TEST(Pattern, WhatIsNotReadIsNamed) {
  for (auto [pattern, reason] :
       {std::pair("a**", "a repetition followed by '*'"),
        std::pair("a*?", "a repetition followed by '?'"),
        std::pair("(ab)*", "a group that is repeated"),
        std::pair("(?<!a)b", "a group '(?<!'"),
        std::pair("^a", "'^'"),
        std::pair("(a", "a group that does not end"),
        std::pair("a)", "')' closes nothing"),
        std::pair("*a", "'*'"),
        std::pair("[a", "a set that does not end"),
        std::pair("[[:alpha:]]", "a set in a set"),
        std::pair("[z-a]", "a range that ends before it begins"),
        std::pair("[a-\\n]", "a range that ends with '\\'"),
        std::pair("(?i:[a])", "a set in (?i:...)"),
        std::pair("\\p{Greek}", "'\\p{Greek}'"),
        std::pair("\\p", "'\\p'"),
        std::pair("[\\S]", "'\\S' in a set"),
        std::pair("\\w", "'\\w'"),
        std::pair("a{2,1}", "a repetition '{2,1}'"),
        std::pair("a{9999}", "a repetition '{9999}'"),
        std::pair("a\\", "'\\'"),
        std::pair("((((((((((((((((((a", "groups more than 16 deep")}) {
    auto parsed = Pattern::parse(pattern);
    ASSERT_FALSE(bool(parsed)) << pattern;
    std::string message = llvm::toString(parsed.takeError());
    EXPECT_NE(message.find(reason), std::string::npos) << message;
  }
}

TEST(Pattern, TheLongestOneFitsTheStack) {
  std::string parts, text(2000, 'a');
  while (parts.size() + 3 <= Pattern::maxLength)
    parts += "(a)";
  EXPECT_EQ(find(parts, text).size(), 3 * (parts.size() / 3 + 1));
  EXPECT_EQ(find(std::string(Pattern::maxLength, 'a'), text), text + "|");
  auto longer = Pattern::parse(std::string(Pattern::maxLength + 1, 'a'));
  EXPECT_EQ(llvm::toString(longer.takeError()),
            "a pattern has 2001 bytes, but at most 2000 are read");
}

TEST(Pattern, OneThatTakesTooLongGivesUp) {
  auto pattern = llvm::cantFail(Pattern::parse("a*a*a*a*a*b"));
  llvm::Error error = pattern.findAll(decodeUTF8(std::string(1000, 'a')),
                                      [](size_t, size_t) {});
  EXPECT_NE(llvm::toString(std::move(error)).find("takes too long"),
            std::string::npos);
}

} // namespace
