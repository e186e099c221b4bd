//===- PlanningDocsTest.cpp - docs/Planning.md shows real plans -----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanningTest.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace mlir::trn;
using llvm::formatv;

static std::string row(const BlockPlan &plan, llvm::StringRef name) {
  return formatv("| {0} | {1} | {2} | {3} | {4} | {5} | {6:F2} | {7} | {8:F1} "
                 "| {9:F1} | {10:F1} |\n",
                 name, plan.blockK, plan.blockR, plan.blockN,
                 plan.partials ? stringify(*plan.partials) : "-",
                 plan.residentRank, plan.hbmBytes() * 1e-9,
                 plan.sbufPartitionBytes / 1024, plan.tensorNs * 1e-6,
                 plan.dmaNs * 1e-6, plan.latencyNs * 1e-6);
}

static std::string renderTable() {
  std::string text =
      "| block-m | block-k | block-r | block-n | partial sums | rows of Y^T in "
      "SBUF | HBM GB | SBUF KiB | tensor ms | DMA ms | modelled ms "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|\n";
  BlockPlan chosen = plan(demoChain());
  text += row(chosen, formatv("0 ({0})", chosen.blockM).str());
  for (int64_t blockM : {128, 256, 512, 1024, 2048, 4096})
    text += row(plan(demoChain(), forcedM(blockM)), std::to_string(blockM));
  return text;
}

/// TRN_UPDATE_DOCS=1 writes the table instead of comparing it.
TEST(PlanningDocs, tableShowsTheDemosPlans) {
  std::string path = TRN_SOURCE_DIR "/docs/Planning.md";
  auto page = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(bool(page)) << path;
  llvm::StringRef begin = "<!-- plans begin -->\n";
  llvm::StringRef end = "<!-- plans end -->";
  auto [head, rest] = (*page)->getBuffer().split(begin);
  auto [table, tail] = rest.split(end);
  std::string expected = renderTable();
  if (table != expected && std::getenv("TRN_UPDATE_DOCS")) {
    std::string updated = (head + begin + expected + end + tail).str();
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << updated;
    ASSERT_FALSE(error);
    return;
  }
  EXPECT_EQ(table.str(), expected);
}
