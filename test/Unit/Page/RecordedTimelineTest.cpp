//===- RecordedTimelineTest.cpp - Tests of the page's timeline ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Page/RecordedTimeline.h"

#include "trn/Machine/KnownMachines.h"
#include "trn/Program/Launch.h"
#include "trn/Program/ProgramBuilder.h"
#include "trn/Simulator/Simulator.h"
#include "gtest/gtest.h"

using namespace mlir::trn;
namespace json = llvm::json;

namespace {

/// Load X, transpose it by way of PSUM, store the transpose.
Program transposeTile() {
  ProgramBuilder b("kernel");
  int32_t x = b.argument(ElementType::F32, 128 * 128);
  int32_t o = b.argument(ElementType::F32, 128 * 128, /*isResult=*/true);
  int32_t raw = b.sbuf(ElementType::F32, 128, 128, 0);
  int32_t bank = b.psum(ElementType::F32, 128, 128, /*bank=*/2);
  int32_t copy = b.sbuf(ElementType::F32, 128, 128, 512);
  b.alloc(raw);
  b.op("trn.dma_copy", "x.mlir:1:1");
  b.execute(Engine::Load, Semantics::Copy,
            {b.hbm(x, 0, {{128, 128}, {128, 1}})}, b.tile(raw, 128, 0, 128));
  b.alloc(bank);
  b.op("trn.transpose", "x.mlir:2:1");
  b.execute(Engine::Tensor, Semantics::Transpose, {b.tile(raw, 128, 0, 128)},
            b.tile(bank, 128, 0, 128));
  b.alloc(copy);
  b.op("trn.activation", "x.mlir:3:1");
  b.execute(Engine::Scalar, Semantics::Map, {b.tile(bank, 128, 0, 128)},
            b.tile(copy, 128, 0, 128));
  b.op("trn.dma_copy", "x.mlir:4:1");
  b.execute(Engine::Store, Semantics::Copy, {b.tile(copy, 128, 0, 128)},
            b.hbm(o, 0, {{128, 128}, {128, 1}}));
  b.dealloc(raw);
  b.dealloc(bank);
  b.dealloc(copy);
  return b.take();
}

json::Object record(const Program &program, int calls,
                    const Machine &machine = defaultMachine()) {
  RecordedTimeline timeline;
  for (int i = 0; i < calls; ++i) {
    Launch launch = joinCalls({{&program}}, machine);
    timeline.beginLaunch(launch, machine);
    timeline.endLaunch(
        simulateLaunch(launch, machine, {&timeline, timeline.otherCores()}));
  }
  return std::move(*timeline.toJson().getAsObject());
}

std::vector<std::string> textsOf(const json::Object &from, const char *list,
                                 const char *key) {
  std::vector<std::string> texts;
  for (const json::Value &value : *from.getArray(list))
    texts.push_back(value.getAsObject()->getString(key)->str());
  return texts;
}

using Texts = std::vector<std::string>;

TEST(RecordedTimeline, BuffersSayWhatTheyHold) {
  json::Object timeline = record(transposeTile(), 1);
  EXPECT_EQ(textsOf(timeline, "buffers", "holds"),
            (Texts{"argument 0", "argument 0 transposed", "result 0"}));
  EXPECT_EQ(textsOf(timeline, "buffers", "space"),
            (Texts{"sbuf", "psum", "sbuf"}));
}

/// Two tiles are copied to each other before one of them is loaded.
TEST(RecordedTimeline, BuffersInACycleHoldWhatComesFromOutside) {
  ProgramBuilder b("kernel");
  int32_t x = b.argument(ElementType::F32, 128 * 128);
  Access first = b.tile(b.sbuf(ElementType::F32, 128, 128, 0), 128, 0, 128);
  Access second = b.tile(b.sbuf(ElementType::F32, 128, 128, 512), 128, 0, 128);
  b.op("trn.tensor_copy");
  b.execute(Engine::Vector, Semantics::Copy, {second}, first);
  b.execute(Engine::Load, Semantics::Copy,
            {b.hbm(x, 0, {{128, 128}, {128, 1}})}, first);
  b.execute(Engine::Vector, Semantics::Copy, {first}, second);
  EXPECT_EQ(textsOf(record(b.take(), 1), "buffers", "holds"),
            (Texts{"argument 0", "argument 0"}));
}

TEST(RecordedTimeline, OpsSayWhatTheyReadAndWrite) {
  json::Object timeline = record(transposeTile(), 1);
  const json::Array &ops = *timeline.getArray("ops");
  const json::Object &store = *ops.back().getAsObject();
  EXPECT_EQ(store.getString("location"), "x.mlir:4:1");
  EXPECT_EQ(store.getString("reads"), "result 0");
  EXPECT_EQ(store.getString("writes"), "result 0");
}

/// Names of the kernel win; transposes are of their argument.
TEST(RecordedTimeline, OpsAndBuffersAreOfMatrices) {
  Program program = transposeTile();
  for (Buffer &buffer : program.buffers)
    if (buffer.space == Space::Hbm)
      buffer.matrix = buffer.result ? "o" : "x";
  json::Object timeline = record(program, 1);
  EXPECT_EQ(textsOf(timeline, "matrices", "name"),
            (Texts{"x", "x transposed", "o"}));
  EXPECT_EQ(textsOf(timeline, "matrices", "role"),
            (Texts{"argument", "argument", "product"}));
  std::vector<int64_t> matrices;
  for (const json::Value &op : *timeline.getArray("ops"))
    if (auto matrix = op.getAsObject()->getInteger("matrix"))
      matrices.push_back(*matrix);
  EXPECT_EQ(matrices, (std::vector<int64_t>{0, 1, 2, 2}));
}

/// A load, a transpose, a copy and a store, one after the other.
TEST(RecordedTimeline, TheCriticalPathIsATrack) {
  Program program = transposeTile();
  SimulationOptions options;
  options.criticalPath = options.pathSteps = true;
  RecordedTimeline recorded;
  for (int call = 0; call < 2; ++call) {
    Launch launch = joinCalls({{&program}}, defaultMachine());
    recorded.beginLaunch(launch, defaultMachine());
    recorded.endLaunch(simulateLaunch(launch, defaultMachine(), options));
  }
  json::Value timeline = recorded.toJson();
  EXPECT_EQ(timeline.getAsObject()->getObject("path")->getInteger("count"), 8);
}

/// Two calls: each begins with a cold tensor engine.
TEST(RecordedTimeline, TracksHaveTheirStretchesAtHalfRate) {
  Program program = transposeTile();
  for (Instruction &instruction : program.instructions)
    if (instruction.engine == Engine::Tensor)
      instruction.work.cycles = 512;
  Machine machine = defaultMachine();
  machine.tensorThrottleNs = 3000;
  json::Object timeline = record(program, 2, machine);
  for (const json::Value &track : *timeline.getArray("tracks")) {
    const json::Object *throttled = track.getAsObject()->getObject("throttled");
    if (track.getAsObject()->getString("name") != "tensor engine") {
      EXPECT_EQ(throttled, nullptr);
      continue;
    }
    ASSERT_NE(throttled, nullptr);
    EXPECT_EQ(throttled->getInteger("count"), 2);
  }
  json::Object never = record(program, 2);
  for (const json::Value &track : *never.getArray("tracks"))
    EXPECT_EQ(track.getAsObject()->get("throttled"), nullptr);
}

TEST(RecordedTimeline, CallsShareOneAxisAndTheTablesOfTheirProgram) {
  Program program = transposeTile();
  json::Object once = record(program, 1), twice = record(program, 2);
  EXPECT_EQ(*twice.get("ops"), *once.get("ops"));
  EXPECT_EQ(*twice.get("buffers"), *once.get("buffers"));
  int64_t latency = *once.getInteger("end");
  EXPECT_EQ(twice.getInteger("end"), 2 * latency);
  const json::Array &kernels = *twice.getArray("kernels");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[1].getAsObject()->getInteger("start"), latency);
  for (const json::Value &track : *twice.getArray("tracks")) {
    const json::Object &object = *track.getAsObject();
    // The transposition of a tile: nothing for these three.
    bool isIdle = object.getString("name") == "vector engine" ||
                  object.getString("name") == "gpsimd engine" ||
                  object.getString("name") == "collectives";
    EXPECT_EQ(object.getInteger("count"), isIdle ? 0 : 2);
  }
}

TEST(RecordedTimeline, TheOtherCoreHasTracksAndOpsOfItsOwn) {
  Program program = transposeTile();
  program.others.push_back(transposeTile());
  json::Object one = record(transposeTile(), 1),
               both = record(program, 2, knownMachines()[1]);
  const size_t engines = one.getArray("tracks")->size();
  Texts names = textsOf(both, "tracks", "name");
  ASSERT_EQ(names.size(), 2 * engines);
  const json::Array &ops = *both.getArray("ops");
  ASSERT_EQ(ops.size(), 2 * one.getArray("ops")->size());
  for (size_t engine = 0; engine < engines; ++engine) {
    EXPECT_EQ(names[engines + engine], "core 1: " + names[engine]);
    auto countOf = [&](size_t track) {
      const json::Value &value = (*both.getArray("tracks"))[track];
      return *value.getAsObject()->getInteger("count");
    };
    EXPECT_EQ(countOf(engines + engine), countOf(engine));
  }
  for (size_t op = 0; op < ops.size() / 2; ++op)
    if (auto engine = ops[op].getAsObject()->getInteger("engine"))
      EXPECT_EQ(ops[ops.size() / 2 + op].getAsObject()->getInteger("engine"),
                *engine + int64_t(engines));
}

} // namespace
