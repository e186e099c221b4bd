//===- TraceTest.cpp - Tests of the trace ---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Report/Trace.h"

#include "trn/Machine/KnownMachines.h"
#include "trn/Program/Launch.h"
#include "trn/Program/ProgramBuilder.h"
#include "trn/Simulator/Simulator.h"
#include "trn/Support/Version.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

/// Load a tile and negate it, with quotes in the location.
Program loadAndNegate() {
  ProgramBuilder b("kernel");
  int32_t x = b.argument(ElementType::BF16, 128 * 512);
  int32_t a = b.sbuf(ElementType::BF16, 128, 512, 0);
  b.alloc(a);
  b.op("trn.dma_copy", "loc(\"chain.mlir\":3:5)");
  Instruction &load =
      b.execute(Engine::Load, Semantics::Copy,
                {b.hbm(x, 0, {{128, 512}, {512, 1}})}, b.tile(a, 128, 0, 512));
  load.work.bytes = 128 * 1024;
  load.work.descriptors = 128;
  b.op("trn.tensor_scalar", "loc(\"chain.mlir\":4:5)");
  b.execute(Engine::Vector, Semantics::Copy, {b.tile(a, 128, 0, 512)},
            b.tile(a, 128, 0, 512))
      .work.cycles = 512;
  int32_t p = b.psum(ElementType::F32, 128, 512, /*bank=*/3);
  b.alloc(p);
  b.op("trn.tensor_copy", "loc(\"chain.mlir\":5:5)");
  b.execute(Engine::Vector, Semantics::Copy, {b.tile(a, 128, 0, 512)},
            b.tile(p, 128, 0, 512))
      .work.cycles = 512;
  b.dealloc(p);
  b.dealloc(a);
  return b.take();
}

/// The events of a trace of `calls` calls.
llvm::json::Array trace(int calls, const Program &program = loadAndNegate(),
                        const Machine &machine = defaultMachine()) {
  std::string text;
  llvm::raw_string_ostream os(text);
  TraceWriter writer(os, "@main", machine);
  SimulationOptions options;
  options.timeline = &writer;
  options.criticalPath = options.pathSteps = true;
  for (int i = 0; i < calls; ++i) {
    Launch launch = joinCalls({{&program}}, machine);
    writer.beginLaunch(launch, machine);
    options.others = writer.otherCores();
    writer.endLaunch(simulateLaunch(launch, machine, options));
  }
  writer.finish();
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  if (!parsed) {
    ADD_FAILURE() << llvm::toString(parsed.takeError());
    return {};
  }
  const llvm::json::Object &about =
      *parsed->getAsObject()->getObject("otherData");
  EXPECT_EQ(about.getString("function"), "@main");
  EXPECT_EQ(about.getString("modelled_on"), machine.name);
  EXPECT_EQ(about.getString("version"),
            std::string("trn-mlir ") + getVersion());
  return *parsed->getAsObject()->getArray("traceEvents");
}

/// Those of `events`, which must outlive the result.
std::vector<const llvm::json::Object *> named(llvm::json::Array &&,
                                              llvm::StringRef) = delete;
std::vector<const llvm::json::Object *> named(const llvm::json::Array &events,
                                              llvm::StringRef name) {
  std::vector<const llvm::json::Object *> result;
  for (const llvm::json::Value &event : events)
    if (event.getAsObject()->getString("name") == name)
      result.push_back(event.getAsObject());
  return result;
}

TEST(Trace, AnInstructionIsAnEventOnItsEnginesTrack) {
  llvm::json::Array events = trace(1);
  auto loads = named(events, "dma_copy argument 0");
  ASSERT_EQ(loads.size(), 1u);
  EXPECT_EQ(loads[0]->getInteger("tid"), int(Engine::Load) + 1);
  EXPECT_EQ(loads[0]->getObject("args")->getString("location"),
            "loc(\"chain.mlir\":3:5)");
  EXPECT_EQ(loads[0]->getObject("args")->getString("reads"), "argument 0");
  auto negations = named(events, "tensor_scalar argument 0");
  ASSERT_EQ(negations.size(), 1u);
  EXPECT_EQ(negations[0]->getObject("args")->getString("waited_for"), "data");
  EXPECT_GT(*negations[0]->getNumber("ts"), *loads[0]->getNumber("ts"));
}

TEST(Trace, AnInstructionTellsWhatTheThrottleCosts) {
  ProgramBuilder b("kernel");
  Access w = b.tile(b.sbuf(ElementType::BF16, 128, 128, 0), 128, 0, 128);
  Access x = b.tile(b.sbuf(ElementType::BF16, 128, 512, 1024), 128, 0, 512);
  b.op("trn.matmul");
  for (int32_t bank : {0, 1})
    b.execute(Engine::Tensor, Semantics::Matmul, {w, x},
              b.tile(b.psum(ElementType::F32, 128, 512, bank), 128, 0, 512))
        .work.cycles = 512;
  Machine machine = defaultMachine();
  machine.tensorNsPerColumn = 0.5;
  machine.tensorThrottleNs = 600; // half rate for 300 ns of work: 256 and 44
  llvm::json::Array events = trace(1, b.take(), machine);
  auto products = named(events, "matmul product");
  ASSERT_EQ(products.size(), 2u);
  EXPECT_EQ(products[0]->getObject("args")->getNumber("throttled_us"), 0.256);
  EXPECT_EQ(products[0]->getNumber("dur"), 0.512);
  EXPECT_EQ(products[1]->getObject("args")->getNumber("throttled_us"), 0.044);
  EXPECT_EQ(products[1]->getNumber("dur"), 0.3);
  llvm::json::Array unthrottled = trace(1);
  auto loads = named(unthrottled, "dma_copy argument 0");
  ASSERT_EQ(loads.size(), 1u);
  EXPECT_EQ(loads[0]->getObject("args")->get("throttled_us"), nullptr);
}

/// Tracks and times of one end of each flow, by id.
std::map<int64_t, std::pair<int64_t, double>>
flowEnds(const llvm::json::Array &events, llvm::StringRef phase) {
  std::map<int64_t, std::pair<int64_t, double>> ends;
  for (const llvm::json::Object *event : named(events, "critical path"))
    if (event->getString("ph") == phase)
      ends[*event->getInteger("id")] = {*event->getInteger("tid"),
                                        *event->getNumber("ts")};
  return ends;
}

TEST(Trace, FlowsLeadAlongTheCriticalPathOfEachCall) {
  llvm::json::Array events = trace(2);
  auto begins = flowEnds(events, "s"), ends = flowEnds(events, "f");
  // From the load to the negation, and from that to the copy.
  ASSERT_EQ(begins.size(), 4u);
  ASSERT_EQ(ends.size(), 4u);
  std::vector<std::pair<int64_t, double>> steps;
  for (const char *name : {"dma_copy argument 0", "tensor_scalar argument 0",
                           "tensor_copy argument 0"}) {
    auto both = named(events, name);
    ASSERT_EQ(both.size(), 2u);
    steps.emplace_back(*both[1]->getInteger("tid"), *both[1]->getNumber("ts"));
  }
  EXPECT_EQ(begins[2], steps[0]);
  EXPECT_EQ(ends[2], steps[1]);
  EXPECT_EQ(begins[3], steps[1]);
  EXPECT_EQ(ends[3], steps[2]);
}

TEST(Trace, TheProcessIsTheFunctionOnItsMachine) {
  llvm::json::Array events = trace(1);
  auto names = named(events, "process_name");
  ASSERT_EQ(names.size(), 1u);
  EXPECT_EQ(names[0]->getObject("args")->getString("name"),
            "@main on trn1 (modelled)");
}

TEST(Trace, CallsFollowEachOther) {
  llvm::json::Array events = trace(2);
  auto kernels = named(events, "kernel");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_NEAR(*kernels[1]->getNumber("ts"),
              *kernels[0]->getNumber("ts") + *kernels[0]->getNumber("dur"),
              1e-6);
}

TEST(Trace, CountersRiseAndFallToZero) {
  llvm::json::Array events = trace(1);
  auto counters = named(events, "SBUF in use");
  ASSERT_EQ(counters.size(), 2u);
  EXPECT_EQ(counters[0]->getObject("args")->getInteger("bytes"), 128 * 1024);
  EXPECT_EQ(counters[1]->getObject("args")->getInteger("bytes"), 0);
}

TEST(Trace, BanksAreCountedWhileTheirTilesAreUsed) {
  llvm::json::Array events = trace(1);
  auto counters = named(events, "PSUM in use");
  ASSERT_EQ(counters.size(), 2u);
  EXPECT_EQ(counters[0]->getObject("args")->getInteger("banks"), 1);
  auto copies = named(events, "tensor_copy argument 0");
  ASSERT_EQ(copies.size(), 1u);
  EXPECT_EQ(counters[0]->getNumber("ts"), copies[0]->getNumber("ts"));
  EXPECT_EQ(counters[1]->getObject("args")->getInteger("banks"), 0);
}

TEST(Trace, EveryEngineAndQueueHasATrack) {
  llvm::json::Array events = trace(1);
  std::vector<std::string> names;
  for (const llvm::json::Object *event : named(events, "thread_name"))
    names.push_back(event->getObject("args")->getString("name")->str());
  EXPECT_EQ(names, (std::vector<std::string>{"kernels", "tensor engine",
                                             "vector engine", "scalar engine",
                                             "gpsimd engine", "dma loads",
                                             "dma stores"}));
}

TEST(Trace, TheOtherCoreIsAProcessOfItsOwn) {
  Program program = loadAndNegate();
  program.others.push_back(loadAndNegate());
  const Machine machine = knownMachines()[1];
  llvm::json::Array events = trace(2, program, machine);
  auto titles = named(events, "process_name");
  ASSERT_EQ(titles.size(), 2u);
  EXPECT_EQ(titles[1]->getObject("args")->getString("name"),
            "@main on trn2 (modelled), core 1");
  // Both do the same at the same times.
  auto loads = named(events, "dma_copy argument 0");
  ASSERT_EQ(loads.size(), 4u);
  std::map<int64_t, std::vector<double>> starts;
  for (const llvm::json::Object *load : loads)
    starts[*load->getInteger("pid")].push_back(*load->getNumber("ts"));
  EXPECT_EQ(starts[1].size(), 2u);
  EXPECT_EQ(starts[1], starts[2]);
}

TEST(Trace, ThroughputAddsUpToTheBytes) {
  llvm::json::Array events = trace(1);
  double bytes = 0; // GB/s over bins of a microsecond: thousands of bytes
  for (const llvm::json::Object *counter : named(events, "DMA"))
    bytes += *counter->getObject("args")->getNumber("GB/s") * 1000;
  EXPECT_NEAR(bytes, 128 * 1024, 100);
}

} // namespace
