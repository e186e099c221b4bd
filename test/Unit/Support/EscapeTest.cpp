//===- EscapeTest.cpp - Tests of foreign text on a terminal ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/Escape.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

TEST(Escape, OnlyWhatIsNotShown) {
  EXPECT_EQ(escapeUnprintable("a b \\ \"ü\" 行"), "a b \\ \"ü\" 行");
  EXPECT_EQ(escapeUnprintable("\x1B[2K\n\r\t\x7F"), "\\1B[2K\\0A\\0D\\09\\7F");
  EXPECT_EQ(escapeUnprintable(llvm::StringRef("\0", 1)), "\\00");
  // A control character, and one that turns the direction of writing.
  EXPECT_EQ(escapeUnprintable("\u009B2K"), "\\C2\\9B2K");
  EXPECT_EQ(escapeUnprintable("\u202E"), "\\E2\\80\\AE");
  // No UTF-8.
  EXPECT_EQ(escapeUnprintable("a\x9B\xFFz\xC3"), "a\\9B\\FFz\\C3");
}

TEST(Escape, TwiceIsOnce) {
  std::string once = escapeUnprintable("\x1B[2K\n");
  EXPECT_EQ(escapeUnprintable(once), once);
}

TEST(Escape, LinesStay) { EXPECT_EQ(escapeLines("a\x1B\nb\n"), "a\\1B\nb\n"); }

TEST(Escape, WhatCanBeQuoted) {
  auto problem = [](llvm::StringRef text) {
    return llvm::toString(checkQuotable(text));
  };
  EXPECT_EQ(problem("// ü\tx\r\ny\n"), "");
  EXPECT_EQ(problem("a\nb\x1B"),
            "line 2 has the control character 0x1B, on which a terminal may "
            "act; write \\1B in a string, or remove it");
  EXPECT_NE(problem("a\rb"), "");
  EXPECT_NE(problem("\u009B"), "");
  EXPECT_NE(problem(llvm::StringRef("\0", 1)), "");
}
