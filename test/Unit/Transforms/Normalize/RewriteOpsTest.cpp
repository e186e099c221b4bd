//===- RewriteOpsTest.cpp - Patterns, up to a limit -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RewriteOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
/// Where two of these swap the ops for each other, none of them is ever done.
template <typename From, typename To>
struct Swap final : OpRewritePattern<From> {
  using OpRewritePattern<From>::OpRewritePattern;

  LogicalResult matchAndRewrite(From op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(op, op.getLhs(), op.getRhs());
    return success();
  }
};

struct RewriteOps : testing::Test {
  RewriteOps() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect>();
    context.getDiagEngine().registerHandler(
        [&](Diagnostic &diagnostic) { said += diagnostic.str(); });
    module = parseSourceString<ModuleOp>(
        R"mlir(
          func.func @f(%a: f32, %b: f32) -> f32 {
            %c = arith.addf %a, %b : f32
            return %c : f32
          }
        )mlir",
        &context);
  }

  LogicalResult rewrite(RewritePatternSet patterns) {
    auto func = *module->getOps<func::FuncOp>().begin();
    return rewriteOps(func, {&func.front().front()}, std::move(patterns),
                      GreedyRewriteConfig().setStrictness(
                          GreedyRewriteStrictness::ExistingAndNewOps));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string said;
};
} // namespace

TEST_F(RewriteOps, SaysThatPatternsUndoEachOther) {
  RewritePatternSet patterns(&context);
  patterns.add<Swap<arith::AddFOp, arith::MulFOp>,
               Swap<arith::MulFOp, arith::AddFOp>>(&context);
  EXPECT_TRUE(failed(rewrite(std::move(patterns))));
  EXPECT_EQ(said, "rewriting stops after 32 rewrites of 1 ops, which is a "
                  "fault of trn-mlir: products may stay on the host");
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(RewriteOps, SaysNothingOfPatternsThatEnd) {
  RewritePatternSet patterns(&context);
  patterns.add<Swap<arith::AddFOp, arith::MulFOp>>(&context);
  EXPECT_TRUE(succeeded(rewrite(std::move(patterns))));
  EXPECT_EQ(said, "");
}
