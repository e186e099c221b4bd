//===- CostModelDocTest.cpp - The numbers of docs/CostModel.md ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoundMachine.h"
#include "trn/Machine/Work.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

constexpr ElementType bf16 = ElementType::BF16, f32 = ElementType::F32;

std::string text() {
  auto file = llvm::MemoryBuffer::getFile(TRN_SOURCE_DIR "/docs/CostModel.md");
  return file ? (*file)->getBuffer().str() : "";
}

/// Picoseconds as nanoseconds with three digits.
std::string spell(int64_t time) {
  std::string result;
  llvm::raw_string_ostream(result)
      << time / 1000 << '.' << llvm::format("%03d", int(time % 1000));
  return result;
}

Program oneTile() {
  TileBuilder b;
  int32_t wHbm = b.argument(bf16, 128 * 128);
  int32_t xHbm = b.argument(bf16, 128 * 512);
  int32_t oHbm = b.argument(bf16, 128 * 512, /*isResult=*/true);
  int32_t w = b.sbuf(bf16, 128, 128, 0), x = b.sbuf(bf16, 128, 512, 1024);
  int32_t y = b.psum(f32, 128, 512, 0), o = b.sbuf(bf16, 128, 512, 2048);
  b.load(w, wHbm, 0, 128, 128);
  b.load(x, xHbm, 0, 512, 512);
  b.matmul(y, w, x, 512).work.cycles =
      matmulCycles(defaultMachine(), bf16, 512);
  b.copy(Engine::Scalar, o, y, 512).work.cycles = activationCycles(512);
  b.store(oHbm, o, 0, 512, 512);
  return b.take();
}

TEST(CostModelDoc, OneTileByHand) {
  std::string doc = text();
  ASSERT_FALSE(doc.empty());
  Recorder recorder;
  SimulationResult result = run(oneTile(), defaultMachine(), recorder);
  const char *names[] = {"load W", "load X", "matmul", "copy", "store"};
  ASSERT_EQ(recorder.events.size(), std::size(names));
  for (auto [name, event] : llvm::zip(names, recorder.events)) {
    // The row `| name | starts | because | occupied | visible |`.
    std::string begin =
        std::string("| ") + name + " | " + spell(event.start) + " | ";
    std::string end = " | " + spell(event.end - event.start) + " | " +
                      spell(event.done) + " |\n";
    size_t row = doc.find(begin);
    ASSERT_NE(row, std::string::npos) << begin;
    EXPECT_NE(doc.substr(row, doc.find('\n', row) - row + 1).find(end),
              std::string::npos)
        << begin << "..." << end;
  }
  EXPECT_EQ(spell(result.latency), "20670.896");
}

TEST(CostModelDoc, OneShortRowByHand) {
  std::string doc = text();
  TileBuilder b;
  int32_t x = b.argument(bf16, 128 * 128);
  b.load(b.sbuf(bf16, 128, 128, 0), x, 0, 128, 128);
  Recorder recorder;
  run(b.program(), *findKnownMachine("trn2"), recorder);
  const TimelineEvent &event = recorder.events[0];
  for (const std::string &part :
       {"from " + spell(event.start) + " ns on",
        "= " + spell(event.end - event.start) + " ns",
        "complete after 870 ns, at " + spell(event.done) + " ns"})
    EXPECT_NE(doc.find(part), std::string::npos) << part;
  EXPECT_EQ(event.done - event.start, ns(870));
}

TEST(CostModelDoc, TheChainOfOneElementInstructions) {
  TileBuilder b;
  int32_t a = b.sbuf(bf16, 128, 1, 0);
  int32_t loop = b.beginLoop(10);
  (void)loop;
  b.copy(Engine::Scalar, a, a, 1);
  b.endLoop();
  Recorder recorder;
  run(b.program(), defaultMachine(), recorder);
  EXPECT_EQ(recorder.events[9].start - recorder.events[8].start, ns(160));
}

TEST(CostModelDoc, TheRatesThatItQuotes) {
  const Machine &machine = defaultMachine();
  EXPECT_NEAR(machine.dmaSustainedGBPerSecond(), 268, 0.5);
  double effectiveTflops = machine.tensorFlopsPerNs(/*f32=*/false) / 1000;
  EXPECT_NEAR(100 * effectiveTflops / machine.tensorPeakTflopsBF16, 88, 0.5);
}

} // namespace
