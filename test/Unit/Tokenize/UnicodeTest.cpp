//===- UnicodeTest.cpp - Tests of characters ------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Tokenize/Unicode.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

TEST(Unicode, BrokenBytesComeBack) {
  for (const char *text : {"", "a\u00e9\u4e2d\U0001F600", "\xFF", "a\xE2\x98",
                           "\xED\xA0\x80", "\xC0\x80", "\xF4\x90\x80\x80"}) {
    std::string again;
    for (Character character : decodeUTF8(text))
      appendUTF8(again, character);
    EXPECT_EQ(again, text);
    EXPECT_EQ(countBytes(decodeUTF8(text)), again.size());
    EXPECT_EQ(composeNFC(text), text);
  }
}

TEST(Unicode, CharactersAreComposed) {
  for (auto [text, composed] : {
           std::pair("e\u0301", "\u00e9"),
           // Marks are sorted first; those of one class keep their order.
           std::pair("a\u0323\u0302", "\u1ead"),
           std::pair("a\u0302\u0323", "\u1ead"),
           std::pair("a\u0301\u0302", "\u00e1\u0302"),
           std::pair("q\u0307\u0323", "q\u0323\u0307"),
           // Something between blocks, and a starter does not.
           std::pair("e b\u0301", "e b\u0301"),
           std::pair("\u09c7\u09be", "\u09cb"),
           // Excluded from composition, and another character for ever.
           std::pair("\u0958", "\u0915\u093c"),
           std::pair("\u212b", "\u00c5"),
           // Hangul.
           std::pair("\u1112\u1161\u11ab", "\ud55c"),
           std::pair("\u1112\u1161", "\ud558"),
           std::pair("\ud558\u11ab", "\ud55c"),
           std::pair("\ud55c\u11ab", "\ud55c\u11ab"),
           std::pair("\u0301a", "\u0301a"),
       })
    EXPECT_EQ(composeNFC(text), composed) << text;
}

TEST(Unicode, CategoriesHaveNames) {
  EXPECT_EQ(categoryOf('A'), *findCategories("Lu"));
  EXPECT_TRUE(categoryOf(0x4E2D) & *findCategories("L"));
  EXPECT_EQ(categoryOf(0x10FFFF), *findCategories("Cn"));
  EXPECT_EQ(categoryOf(brokenByte + 0xFF), 0u);
  for (const char *name : {"", "X", "Lx", "Lul"})
    EXPECT_FALSE(findCategories(name)) << name;
}
