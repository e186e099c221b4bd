//===- RoundingsTest.cpp - Tests of where values lose digits --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Analysis/Roundings.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::trn;

namespace {

class RoundingsTest : public ::testing::Test {
protected:
  RoundingsTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        linalg::LinalgDialect, math::MathDialect,
                        tensor::TensorDialect>();
  }

  /// The function with the arguments %x, %w and the given body.
  func::FuncOp parse(StringRef arguments, StringRef body) {
    modules.push_back(parseSourceString<ModuleOp>(
        ("func.func @f(" + arguments + ") {\n" + body + "\nreturn\n}").str(),
        &context));
    return modules.back() ? *modules.back()->getOps<func::FuncOp>().begin()
                          : func::FuncOp();
  }

  /// Compares the last results of two bodies on scalars; "" if they are alike.
  std::string compare(StringRef source, StringRef kernel,
                      StringRef arguments = "%x: f32, %w: f32") {
    func::FuncOp a = parse(arguments, source), b = parse(arguments, kernel);
    if (!a || !b)
      return "cannot be parsed";
    auto last = [](func::FuncOp func) {
      return func.front().getTerminator()->getPrevNode()->getResult(0);
    };
    SmallVector<Value> inputsA(a.getArguments()), inputsB(b.getArguments());
    auto difference = compareRoundings({last(a), inputsA}, {last(b), inputsB});
    if (!difference)
      return "";
    static constexpr const char *kinds[] = {"dropped", "added", "unrelated",
                                            "too many"};
    std::string text = kinds[difference->kind];
    text += " " + std::to_string(difference->input);
    return difference->rounding ? text + " " + difference->rounding->what
                                : text;
  }

private:
  MLIRContext context;
  SmallVector<OwningOpRef<ModuleOp>> modules;
};

constexpr const char *product = "%p = arith.mulf %x, %w : f32\n";
constexpr const char *rounded = "%p = arith.mulf %x, %w : f32\n"
                                "%r = arith.truncf %p : f32 to bf16\n";

TEST_F(RoundingsTest, Alike) {
  EXPECT_EQ(compare(product, product), "");
  EXPECT_EQ(compare(rounded, rounded), "");
  EXPECT_EQ(compare(rounded, "%p = arith.mulf %x, %w : f32\n"
                             "%r = arith.truncf %p to_nearest_even "
                             ": f32 to bf16"),
            "");
}

TEST_F(RoundingsTest, Dropped) {
  EXPECT_EQ(compare(rounded, product), "dropped 0 bf16 (to_nearest_even)");
  EXPECT_EQ(compare("%r = arith.truncf %w : f32 to f16\n"
                    "%e = arith.extf %r : f16 to f32\n"
                    "%p = arith.mulf %x, %e : f32",
                    product),
            "dropped 1 f16 (to_nearest_even)");
}

TEST_F(RoundingsTest, Added) {
  EXPECT_EQ(compare(product, rounded), "added 0 bf16 (to_nearest_even)");
}

TEST_F(RoundingsTest, AnotherMode) {
  EXPECT_EQ(compare("%p = arith.mulf %x, %w : f32\n"
                    "%r = arith.truncf %p toward_zero : f32 to bf16",
                    rounded),
            "dropped 0 bf16 (toward_zero)");
}

TEST_F(RoundingsTest, AnotherOrder) {
  EXPECT_EQ(compare("%p = arith.mulf %x, %w : f32\n"
                    "%a = arith.truncf %p : f32 to f16\n"
                    "%b = arith.extf %a : f16 to f32\n"
                    "%c = arith.truncf %b : f32 to bf16",
                    "%p = arith.mulf %x, %w : f32\n"
                    "%a = arith.truncf %p : f32 to bf16\n"
                    "%b = arith.extf %a : bf16 to f32\n"
                    "%c = arith.truncf %b : f32 to f16"),
            "dropped 0 bf16 (to_nearest_even)");
}

TEST_F(RoundingsTest, OtherConversions) {
  EXPECT_EQ(compare("%p = arith.mulf %x, %w : f32\n"
                    "%i = arith.fptosi %p : f32 to i32",
                    rounded),
            "dropped 0 i32 (arith.fptosi)");
}

TEST_F(RoundingsTest, Unrelated) {
  EXPECT_EQ(compare("%s = arith.addf %x, %x : f32", product), "unrelated 1");
}

/// Code in which the paths from %x to the result double `count` times.
std::string doublePaths(int count) {
  std::string body = "%v0 = arith.addf %x, %w : f32\n";
  for (int i = 0; i < count; ++i) {
    std::string from = "%v" + std::to_string(i);
    std::string to = "%v" + std::to_string(i + 1);
    std::string n = std::to_string(i);
    std::string type = i % 2 ? "f16" : "bf16";
    body += "%t" + n + " = arith.truncf " + from + " : f32 to " + type + "\n";
    body += "%e" + n + " = arith.extf %t" + n + " : " + type + " to f32\n";
    body += to + " = arith.addf " + from + ", %e" + n + " : f32\n";
  }
  return body;
}

TEST_F(RoundingsTest, MorePathsThanCanBeToldApart) {
  std::string body = doublePaths(12);
  EXPECT_EQ(compare(body, body), "too many 0");
}

// Their number must not be that of the steps: 2^200 would take forever.
TEST_F(RoundingsTest, TooManyPathsAreNotFollowed) {
  std::string body = doublePaths(200);
  EXPECT_EQ(compare(body, body), "too many 0");
}

// A sum of any number of terms in bf16 counts as one rounding to it.
TEST_F(RoundingsTest, ArithmeticInAShortType) {
  const char *arguments = "%x: tensor<4x8xbf16>, %w: tensor<8x6xbf16>";
  const char *narrow = R"(
    %zero = arith.constant 0.0 : bf16
    %empty = tensor.empty() : tensor<4x6xbf16>
    %init = linalg.fill ins(%zero : bf16) outs(%empty : tensor<4x6xbf16>) -> tensor<4x6xbf16>
    %o = linalg.matmul ins(%x, %w : tensor<4x8xbf16>, tensor<8x6xbf16>) outs(%init : tensor<4x6xbf16>) -> tensor<4x6xbf16>)";
  std::string wide = R"(
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<4x6xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x6xf32>) -> tensor<4x6xf32>
    %o = linalg.matmul ins(%x, %w : tensor<4x8xbf16>, tensor<8x6xbf16>) outs(%init : tensor<4x6xf32>) -> tensor<4x6xf32>)";
  std::string roundedOnce = wide + R"(
    %short = arith.truncf %o : tensor<4x6xf32> to tensor<4x6xbf16>)";
  EXPECT_EQ(compare(narrow, roundedOnce, arguments), "");
  EXPECT_EQ(compare(narrow, wide, arguments),
            "dropped 0 bf16 (to_nearest_even)");
}

} // namespace
