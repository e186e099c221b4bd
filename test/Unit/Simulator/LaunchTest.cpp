//===- LaunchTest.cpp - Tests of kernels that run as one program ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/Launch.h"

#include "RandomProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <numeric>

using namespace mlir::trn;

namespace {

constexpr ElementType bf16 = ElementType::BF16;

/// A copy of 128 x `columns` from argument 0 to argument 1 through `bytes` of
/// each partition.
Program copyThrough(int64_t bytes, int64_t columns = 512) {
  TileBuilder b;
  int32_t from = b.argument(bf16, 128 * columns);
  int32_t to = b.argument(bf16, 128 * columns, /*isResult=*/true);
  int32_t tile = b.sbuf(bf16, 128, bytes / 2, 0);
  b.alloc(tile);
  b.load(tile, from, 0, columns, columns);
  b.store(to, tile, 0, columns, columns);
  b.dealloc(tile);
  return b.take();
}

LaunchResult runAll(llvm::ArrayRef<LaunchCall> calls, const Machine &machine,
                    Recorder &recorder) {
  SimulationOptions options;
  options.timeline = &recorder;
  return simulateLaunch(joinCalls(calls, machine), machine, options);
}

TEST(Launch, OfOneCallTakesWhatItsProgramTakes) {
  std::mt19937 random(7);
  SimulationOptions options;
  options.criticalPath = true;
  Machine machine = defaultMachine();
  for (int i = 0; i < 50; ++i) {
    Program program = randomProgram(random);
    SimulationResult alone = simulate(program, machine, options);
    LaunchResult result = simulateLaunch(
        joinCalls(LaunchCall{&program}, machine), machine, options);
    ASSERT_EQ(result.calls.size(), 1u);
    const SimulationResult &call = result.calls.front();
    EXPECT_EQ(call.latency, alone.latency);
    EXPECT_EQ(call.busy, alone.busy);
    EXPECT_EQ(call.waits, alone.waits);
    EXPECT_EQ(call.dmaBusy, alone.dmaBusy);
    EXPECT_EQ(call.hbmReadBytes, alone.hbmReadBytes);
    EXPECT_EQ(call.psumPeakBanks, alone.psumPeakBanks);
    EXPECT_EQ(call.criticalPath->instructions,
              alone.criticalPath->instructions);
    EXPECT_EQ(call.criticalPath->total(), alone.latency);
  }
}

TEST(Launch, AddsUp) {
  std::mt19937 random(8);
  SimulationOptions options;
  options.criticalPath = true;
  Machine machine = defaultMachine();
  for (int i = 0; i < 20; ++i) {
    std::vector<Program> programs;
    for (int n = 0; n < 3; ++n)
      programs.push_back(randomProgram(random));
    std::vector<LaunchCall> calls;
    std::vector<std::array<uintptr_t, 2>> arguments;
    int64_t separate = 0;
    arguments.reserve(6);
    for (int n = 0; n < 6; ++n) {
      arguments.push_back({1 + random() % 4, 1 + random() % 4});
      calls.push_back({&programs[random() % 3], arguments.back()});
      separate += simulate(*calls.back().program, machine).latency;
    }
    Launch launch = joinCalls(calls, machine);
    LaunchResult result = simulateLaunch(launch, machine, options);
    int64_t sum = 0, instructions = 0, path = 0;
    for (auto [call, own] : llvm::zip_equal(calls, result.calls)) {
      SimulationResult alone = simulate(*call.program, machine);
      EXPECT_EQ(own.instructionCounts, alone.instructionCounts);
      EXPECT_EQ(own.dmaBusy, alone.dmaBusy);
      EXPECT_EQ(own.hbmWriteBytes, alone.hbmWriteBytes);
      sum += own.latency;
      instructions += own.instructions;
      path += own.criticalPath->total();
    }
    EXPECT_EQ(sum, result.whole.latency);
    EXPECT_EQ(path, result.whole.latency);
    EXPECT_EQ(instructions, result.whole.instructions);
    EXPECT_LT(result.whole.latency, separate);
    EXPECT_EQ(launch.findPart(0), 0u);
    EXPECT_EQ(launch.findPart(launch.program.instructions.size() - 1), 5u);
  }
}

TEST(Launch, WaitsForWhatACallBeforeItWrote) {
  Program copy = copyThrough(1024);
  Recorder recorder;
  uintptr_t first[] = {1, 2}, second[] = {2, 3};
  runAll({{&copy, first}, {&copy, second}}, roundMachine(), recorder);
  ASSERT_EQ(recorder.events.size(), 4u);
  EXPECT_GE(recorder.events[2].start, recorder.events[1].done);
}

TEST(Launch, LoadsWhileACallBeforeItStores) {
  Program copy = copyThrough(1024);
  Recorder recorder;
  uintptr_t first[] = {1, 2}, second[] = {3, 4};
  LaunchResult result =
      runAll({{&copy, first}, {&copy, second}}, roundMachine(), recorder);
  EXPECT_LT(recorder.events[2].start, recorder.events[1].start);
  EXPECT_LT(result.calls[1].latency, result.calls[0].latency);
}

TEST(Launch, WaitsForPlacesThatACallBeforeItUses) {
  Machine machine = roundMachine();
  int64_t all = machine.sbufPartitionBytes;
  Program most = copyThrough(all * 3 / 4), half = copyThrough(all / 2);
  auto startOfSecond = [&](const Program &program) {
    Recorder recorder;
    runAll({{&program}, {&program}}, machine, recorder);
    return recorder.events[2].start - recorder.events[1].end;
  };
  EXPECT_LT(startOfSecond(half), 0);
  EXPECT_GE(startOfSecond(most), 0);
}

/// Where buffer `number` of call `part` lies in SBUF.
std::pair<int64_t, int64_t> rangeOf(const Launch &launch, size_t part,
                                    size_t number) {
  const Buffer &buffer =
      launch.program.buffers[launch.parts[part].buffers[number]];
  return {buffer.offset, buffer.offset + buffer.bytesPerPartition};
}

TEST(Launch, PlacesEachCallBesideTheOneBeforeIt) {
  Machine machine = roundMachine();
  int64_t all = machine.sbufPartitionBytes;
  Program half = copyThrough(all / 2), few = copyThrough(all / 8);
  Launch launch =
      joinCalls({{&half}, {&few}, {&half}, {&few}, {&half}}, machine);
  for (size_t part = 0; part + 1 < launch.parts.size(); ++part) {
    auto [begin, end] = rangeOf(launch, part, 2);
    auto [nextBegin, nextEnd] = rangeOf(launch, part + 1, 2);
    EXPECT_TRUE(nextBegin >= end || nextEnd <= begin) << part;
    EXPECT_GE(nextBegin, 0);
    EXPECT_LE(nextEnd, all);
  }
}

/// Two copies, one after the other, each through half of SBUF.
Program copyTwice(const Machine &machine, bool isUpperFirst) {
  TileBuilder b;
  int32_t from = b.argument(bf16, 128 * 512);
  int32_t to = b.argument(bf16, 128 * 512, /*isResult=*/true);
  int64_t half = machine.sbufPartitionBytes / 2;
  for (bool isUpper : {isUpperFirst, !isUpperFirst}) {
    int32_t tile = b.sbuf(bf16, 128, half / 2, isUpper ? half : 0);
    b.alloc(tile);
    b.load(tile, from, 0, 512, 512);
    b.store(to, tile, 0, 512, 512);
    b.dealloc(tile);
  }
  return b.take();
}

TEST(Launch, LoadsFirstWhereACallBeforeItIsDoneFirst) {
  Machine machine = roundMachine();
  Program up = copyTwice(machine, false), down = copyTwice(machine, true);
  for (const Program *first : {&up, &down})
    for (const Program *second : {&up, &down}) {
      Launch launch = joinCalls({{first}, {second}}, machine);
      EXPECT_EQ(rangeOf(launch, 1, 2), rangeOf(launch, 0, 2));
      EXPECT_EQ(rangeOf(launch, 1, 3), rangeOf(launch, 0, 3));
    }
}

/// Half of what the call before it wrote, and more than that; the smaller one
/// may come first.
TEST(Launch, WaitsForItsPartOfWhatACallBeforeItWrote) {
  Program small = copyThrough(1024, 256), large = copyThrough(1024);
  const int64_t half = 128 * 256 * 2;
  uintptr_t first[] = {1, 2}, second[] = {2, 3};
  int64_t behind[] = {half, 0};
  auto waits = [&](LaunchCall one, LaunchCall other) {
    EXPECT_EQ(countJoinable({one, other}), 2u);
    Recorder recorder;
    runAll({one, other}, roundMachine(), recorder);
    return recorder.events[2].start >= recorder.events[1].done;
  };
  EXPECT_TRUE(waits({&large, first}, {&small, second, behind}));
  EXPECT_TRUE(waits({&small, first}, {&large, second}));
  Launch launch =
      joinCalls({{&small, first}, {&large, second}, {&small, second, behind}},
                roundMachine());
  EXPECT_EQ(launch.program.buffers[launch.parts[0].buffers[1]].bytes, 2 * half);
  EXPECT_EQ(launch.parts[2].buffers[0], launch.parts[0].buffers[1]);
  EXPECT_EQ(launch.program.instructions[4].reads[0].offset.constant, half / 2);
}

TEST(Launch, EndsBeforeUnknownPartsOfMemoryThatIsWritten) {
  Program small = copyThrough(1024, 256), large = copyThrough(1024);
  uintptr_t first[] = {1, 2}, other[] = {3, 4}, whole[] = {2, 5},
            again[] = {1, 6};
  int64_t somewhere[] = {unknownOffset, 0};
  EXPECT_EQ(countJoinable({{&small, first}, {&large, other}}), 2u);
  // What nobody writes may come in parts.
  EXPECT_EQ(countJoinable({{&small, first}, {&large, again, somewhere}}), 2u);
  EXPECT_EQ(countJoinable({{&small, first, somewhere}, {&large, other}}), 2u);
  EXPECT_EQ(countJoinable(
                {{&large, first}, {&large, other}, {&small, whole, somewhere}}),
            2u);
}

} // namespace
