//===- SameEverywhereTest.cpp - Threads and load change nothing -----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/InitAll.h"
#include "trn/Pipelines/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <thread>

using namespace mlir;

namespace {
/// x * w in bf16; the sum is rounded.
std::string productText(int number, int64_t m, int64_t k, int64_t n) {
  return llvm::formatv(R"mlir(
func.func @f{0}(%x: tensor<{1}x{2}xbf16>, %w: tensor<{2}x{3}xbf16>)
    -> tensor<{1}x{3}xbf16> {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<{1}x{3}xf32>
  %sums = linalg.fill ins(%zero : f32) outs(%wide : tensor<{1}x{3}xf32>)
    -> tensor<{1}x{3}xf32>
  %sum = linalg.matmul
    ins(%x, %w : tensor<{1}x{2}xbf16>, tensor<{2}x{3}xbf16>)
    outs(%sums : tensor<{1}x{3}xf32>) -> tensor<{1}x{3}xf32>
  %y = arith.truncf %sum : tensor<{1}x{3}xf32> to tensor<{1}x{3}xbf16>
  return %y : tensor<{1}x{3}xbf16>
})mlir",
                       number, m, k, n);
}

/// Everything that a user sees of a compilation with so many threads.
std::string compile(const std::string &text, unsigned threads) {
  DialectRegistry registry;
  trn::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::ThreadPoolStrategy strategy;
  strategy.ThreadsRequested = threads;
  llvm::DefaultThreadPool pool(strategy);
  if (threads > 1)
    context.setThreadPool(pool);
  std::string seen;
  llvm::raw_string_ostream os(seen);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    os << diagnostic.getLocation() << ": " << diagnostic << "\n";
    return success();
  });
  remark::RemarkCategories all;
  all.passed = all.missed = all.analysis = all.failed = ".*";
  if (failed(remark::enableOptimizationRemarks(
          context, nullptr, std::make_unique<remark::RemarkEmittingPolicyAll>(),
          all, /*printAsEmitRemarks=*/true)))
    return "no remarks";
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return "no module: " + seen;
  PassManager passes(&context);
  trn::CompileOptions options;
  options.effort = 12;
  trn::buildCompilePipeline(passes, options);
  if (failed(passes.run(*module)))
    return "not compiled: " + seen;
  os << *module;
  return seen;
}
} // namespace

TEST(SameEverywhereTest, plans_ir_and_remarks) {
  std::string text;
  for (int number = 0; number < 6; ++number)
    text += productText(number, 100 + 150 * number, 300, 500 - 60 * number);
  std::string alone = compile(text, /*threads=*/1);
  EXPECT_NE(alone.find("trn.schedule"), std::string::npos) << alone;
  EXPECT_NE(alone.find("the best of the plans"), std::string::npos) << alone;
  EXPECT_EQ(alone, compile(text, /*threads=*/16));

  std::string besides[6];
  std::vector<std::thread> load;
  for (std::string &beside : besides)
    load.emplace_back([&] { beside = compile(text, /*threads=*/2); });
  for (std::thread &thread : load)
    thread.join();
  for (const std::string &beside : besides)
    EXPECT_EQ(alone, beside);
}

/// The modules after one pipeline, one after the other.
static std::vector<std::string>
planInTurn(llvm::ArrayRef<llvm::StringRef> machines) {
  DialectRegistry registry;
  trn::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  PassManager passes(&context);
  trn::CompileOptions options;
  options.effort = 12;
  trn::buildPlanningPipeline(passes, options);
  std::vector<std::string> planned;
  for (llvm::StringRef machine : machines) {
    std::string text =
        llvm::formatv("module attributes {{trn.machine = #trn.machine<{0}>} "
                      "{{ {1} }",
                      machine, productText(0, 700, 600, 500));
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (!module || failed(passes.run(*module)))
      return {};
    llvm::raw_string_ostream(planned.emplace_back()) << *module;
  }
  return planned;
}

TEST(SameEverywhereTest, known_plans_are_for_their_machine) {
  std::vector<llvm::StringRef> machines = {
      R"("trn1")", R"("trn2")", R"("trn1", {sbuf_partition_bytes = 8192})",
      R"("trn1")"};
  std::vector<std::string> inTurn = planInTurn(machines);
  ASSERT_EQ(inTurn.size(), machines.size());
  for (size_t i = 0; i < machines.size(); ++i)
    EXPECT_EQ(inTurn[i], planInTurn(machines[i]).front());
  EXPECT_NE(inTurn[0], inTurn[2]);
}
