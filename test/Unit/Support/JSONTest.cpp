//===- JSONTest.cpp - Tests of the JSON reader ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/JSON.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

static std::string refusal(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> value = parseJSON(text);
  return value ? "accepted" : llvm::toString(value.takeError());
}

static std::string nested(size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

TEST(JSON, DepthIsLimited) {
  EXPECT_EQ(refusal(nested(64)), "accepted");
  EXPECT_EQ(refusal(nested(65)), "the JSON is nested more than 64 deep");
  EXPECT_EQ(refusal(std::string(1000000, '{')),
            "the JSON is nested more than 64 deep");
  // Brackets in text are text, and what is closed counts no more.
  EXPECT_EQ(refusal("\"" + std::string(100, '[') + "\""), "accepted");
  EXPECT_EQ(refusal(R"(["\"", ")" + std::string(100, '[') + "\"]"), "accepted");
  std::string list = "[0";
  for (int i = 0; i < 100; ++i)
    list += ",[]";
  EXPECT_EQ(refusal(list + "]"), "accepted");
}

TEST(JSON, AKeyIsGivenOnce) {
  EXPECT_EQ(refusal(R"({"a": 1, "a": 1})"),
            "the JSON has the key \"a\" twice in one object");
  EXPECT_EQ(refusal(R"({"a": 1, "\u0061" : 1})"),
            "the JSON has the key \"\\u0061\" twice in one object");
  EXPECT_EQ(refusal(R"({"a": {"a": 1}, "b": [{"a": 1}, {"a": 1}]})"),
            "accepted");
  EXPECT_EQ(refusal(R"(["a", "a"])"), "accepted");
}

TEST(JSON, ObjectsAreLimited) {
  auto objects = [](size_t count) {
    std::string list = "[0";
    for (size_t i = 0; i < count; ++i)
      list += ",{}";
    return list + "]";
  };
  EXPECT_EQ(refusal(objects(1 << 17)), "accepted");
  EXPECT_EQ(refusal(objects((1 << 17) + 1)),
            "the JSON has more than 131,072 objects");
}

TEST(JSON, ByteOrderMarks) {
  EXPECT_EQ(refusal("\xEF\xBB\xBF[1]"), "accepted");
  EXPECT_NE(refusal("[\xEF\xBB\xBF"
                    "1]"),
            "accepted");
}

TEST(JSON, NumbersThatPythonWrites) {
  EXPECT_EQ(refusal("[NaN]"), "the JSON has the number NaN, which JSON does "
                              "not have; write a finite one, or null");
  EXPECT_EQ(refusal(R"({"a": -Infinity})"),
            "the JSON has the number Infinity, which JSON does not have; write "
            "a finite one, or null");
  EXPECT_EQ(refusal(R"(["NaN", "Infinity"])"), "accepted");
}

TEST(JSON, WhatIsNoJsonIsRefused) {
  for (const char *text : {"", "]", "}", "\"", "\"\\", "{\"a\":",
                           "{\"\\x\": 1}", "[1}", "{]", "\"a\": 1", "{:}"})
    EXPECT_NE(refusal(text), "accepted") << text;
}
