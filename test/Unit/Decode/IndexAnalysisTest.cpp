//===- IndexAnalysisTest.cpp - Tests of index values ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Decode/IndexAnalysis.h"
#include "trn/Program/PrintProgram.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::trn;

namespace {

/// Runs the analysis over `body`, where %i counts from 0 to 3 (loop 0) and %j
/// takes the values 100, 228, .. 100 + 128 * 9 (loop 1).
class IndexAnalysisTest : public ::testing::Test {
protected:
  /// The value of the last result as text, or the diagnostic.
  std::string index(StringRef body) {
    return run(body, [this](Value value, Operation *user, raw_ostream &os) {
      FailureOr<LinearExpr> expr = analysis.index(value, user);
      if (succeeded(expr))
        print(*expr, os);
    });
  }

  /// Whether the last result, a condition, holds for i = 0 and for i = 1.
  std::string condition(StringRef body) {
    return run(body, [this](Value value, Operation *user, raw_ostream &os) {
      FailureOr<Condition> condition = analysis.condition(value, user);
      if (succeeded(condition))
        os << condition->evaluate({0, 0}) << condition->evaluate({1, 0});
    });
  }

private:
  template <typename Query>
  std::string run(StringRef body, Query query) {
    MLIRContext context;
    context.loadDialect<affine::AffineDialect, arith::ArithDialect,
                        func::FuncDialect>();
    std::string text;
    llvm::raw_string_ostream os(text);
    ScopedDiagnosticHandler handler(
        &context, [&](Diagnostic &diagnostic) { os << diagnostic.str(); });
    std::string source =
        ("func.func @f(%i: index, %j: index) {\n" + body + "\nreturn\n}").str();
    auto module = parseSourceString<ModuleOp>(source, &context);
    if (!module)
      return text;
    Block &block = (*module->getOps<func::FuncOp>().begin()).getBody().front();
    analysis = IndexAnalysis();
    analysis.addLoop(block.getArgument(0), 0, 1, 4);
    analysis.addLoop(block.getArgument(1), 100, 128, 10);
    for (Operation &op : block.without_terminator())
      analysis.visit(&op);
    Operation *last = block.getTerminator()->getPrevNode();
    query(last->getResult(0), block.getTerminator(), os);
    return text;
  }

  IndexAnalysis analysis;
};

TEST_F(IndexAnalysisTest, InductionVariablesStartAndStep) {
  EXPECT_EQ(index("%r = arith.addi %i, %j : index"), "100 + i0 + 128*i1");
}

TEST_F(IndexAnalysisTest, AffineMapsFoldTermByTerm) {
  EXPECT_EQ(index("%r = affine.apply affine_map<(a)[b] -> (a * 4 - b + 2)>"
                  "(%j)[%i]"),
            "402 - i0 + 512*i1");
}

TEST_F(IndexAnalysisTest, DivisionByDivisorsOfEveryCoefficient) {
  EXPECT_EQ(index("%r = affine.apply affine_map<(a) -> (a floordiv 4)>(%j)"),
            "25 + 32*i1");
  EXPECT_EQ(index("%r = affine.apply affine_map<(a) -> (a ceildiv 4)>(%j)"),
            "25 + 32*i1");
}

TEST_F(IndexAnalysisTest, DivisionLeavesARestThatNeverOverflows) {
  // 100 + 128 * i1 = 128 * i1 + 100, and 100 < 128.
  EXPECT_EQ(index("%r = affine.apply affine_map<(a) -> (a floordiv 128)>(%j)"),
            "i1");
  EXPECT_EQ(index("%r = affine.apply affine_map<(a) -> (a mod 128)>(%j)"),
            "100");
  // i <= 3, so (3 - i) floordiv 4 = 0, and 5 * i floordiv 4 = i.
  EXPECT_EQ(index("%r = affine.apply affine_map<(a) -> ((3 - a) floordiv 4)>"
                  "(%i)"),
            "0");
  EXPECT_EQ(index("%r = affine.apply affine_map<(a) -> (5 * a floordiv 4)>"
                  "(%i)"),
            "i0");
}

TEST_F(IndexAnalysisTest, MinimumTakesTheOneThatIsAlwaysBelow) {
  EXPECT_EQ(index("%r = affine.min affine_map<(a)[b] -> (a, b, 4)>(%j)[%i]"),
            "i0");
  EXPECT_EQ(index("%r = arith.maxsi %i, %j : index"), "100 + 128*i1");
}

TEST_F(IndexAnalysisTest, CastsKeepTheValue) {
  EXPECT_EQ(index("%a = arith.index_cast %j : index to i32\n"
                  "%b = arith.addi %a, %a : i32\n"
                  "%r = arith.index_cast %b : i32 to index"),
            "200 + 256*i1");
}

TEST_F(IndexAnalysisTest, RefusalLeadsToTheOpAtFault) {
  EXPECT_EQ(index("%a = arith.muli %i, %j : index\n"
                  "%r = arith.addi %a, %i : index"),
            "'arith.muli' op is not a linear function of the loop counters, as "
            "every address in a kernel must be");
  EXPECT_EQ(index("%r = affine.apply affine_map<(a) -> (a floordiv 3)>(%j)"),
            "'affine.apply' op is not a linear function of the loop counters, "
            "as every address in a kernel must be");
}

TEST_F(IndexAnalysisTest, NarrowIntegersMustHoldTheValue) {
  EXPECT_EQ(index("%r = arith.index_cast %j : index to i8"),
            "'arith.index_cast' op may overflow its integer type");
}

TEST_F(IndexAnalysisTest, SignedDivisionRefusesNegativeValues) {
  EXPECT_EQ(index("%c2 = arith.constant 2 : index\n"
                  "%a = arith.subi %c2, %i : index\n"
                  "%r = arith.divsi %a, %c2 : index"),
            "'arith.divsi' op is not a linear function of the loop counters, "
            "as every address in a kernel must be");
}

TEST_F(IndexAnalysisTest, ComparisonsBecomeConditions) {
  StringRef zero = "%c0 = arith.constant 0 : index\n";
  EXPECT_EQ(condition((zero + "%r = arith.cmpi ne, %i, %c0 : index").str()),
            "01");
  EXPECT_EQ(condition((zero + "%r = arith.cmpi ugt, %j, %i : index").str()),
            "11");
}

TEST_F(IndexAnalysisTest, ConstantsDecideLogicOps) {
  StringRef values = "%c0 = arith.constant 0 : index\n"
                     "%true = arith.constant true\n"
                     "%first = arith.cmpi eq, %i, %c0 : index\n";
  EXPECT_EQ(condition((values + "%r = arith.xori %first, %true : i1").str()),
            "01");
  EXPECT_EQ(condition((values + "%r = arith.andi %true, %first : i1").str()),
            "10");
  EXPECT_EQ(condition((values + "%r = arith.ori %first, %true : i1").str()),
            "11");
}

TEST_F(IndexAnalysisTest, LongChainsNeedNoStack) {
  std::string body = "%v0 = arith.addi %i, %i : index\n";
  for (int k = 1; k < 20000; ++k)
    body += "%v" + std::to_string(k) + " = arith.addi %v" +
            std::to_string(k - 1) + ", %i : index\n";
  EXPECT_EQ(index(body), "20001*i0");
}

} // namespace
