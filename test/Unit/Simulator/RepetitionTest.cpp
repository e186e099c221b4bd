//===- RepetitionTest.cpp - Tests of calls that repeat --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/Repetition.h"

#include "RandomProgram.h"
#include "trn/Simulator/SimulateCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <map>

using namespace mlir::trn;

namespace {

/// Calls whose arguments are numbers of matrices.
class Calls {
public:
  void add(const Program &program, std::vector<uintptr_t> memory,
           std::vector<int64_t> begins = {}) {
    memory.resize(16); // programs by chance have few arguments
    arguments.push_back(std::move(memory));
    offsets.push_back(std::move(begins));
    calls.push_back({&program, arguments.back(), offsets.back()});
  }
  std::vector<LaunchCall> calls;

private:
  std::vector<std::vector<uintptr_t>> arguments;
  std::vector<std::vector<int64_t>> offsets;
};

/// A kernel of a layer, and what it reads and writes.
struct LayerCall {
  enum Kind {
    /// The result of the call before it, and one of its own.
    Chain,
    /// What all layers have in common, and a result of its own.
    ReadCommon,
    WriteCommon,
    /// The result of the call before it, in place.
    InPlace
  };
  const Program *program;
  Kind kind = Chain;
};

/// A first call, `layers` times the calls of a layer, and a last call.
Calls makeLayers(llvm::ArrayRef<LayerCall> layer, const Program &first,
                 const Program &last, size_t layers) {
  Calls calls;
  const uintptr_t common = 3;
  uintptr_t next = 10, x = next++;
  calls.add(first, {1, x});
  for (size_t i = 0; i < layers; ++i)
    for (auto [program, kind] : layer) {
      uintptr_t from = kind == LayerCall::ReadCommon ? common : x;
      if (kind == LayerCall::WriteCommon)
        calls.add(*program, {from, common});
      else if (kind == LayerCall::InPlace)
        calls.add(*program, {x, x});
      else
        calls.add(*program, {from, x = next++});
    }
  calls.add(last, {x, 2});
  return calls;
}

void expectEqual(const SimulationResult &a, const SimulationResult &b) {
  EXPECT_EQ(a.latency, b.latency);
  EXPECT_EQ(a.busy, b.busy);
  EXPECT_EQ(a.waits, b.waits);
  EXPECT_EQ(a.dmaBusy, b.dmaBusy);
  EXPECT_EQ(a.throttled, b.throttled);
  EXPECT_EQ(a.swaps, b.swaps);
  EXPECT_EQ(a.hbmReadBytes, b.hbmReadBytes);
  EXPECT_EQ(a.instructionCounts, b.instructionCounts);
  ASSERT_EQ(a.totals.size(), b.totals.size());
  for (auto [own, other] : llvm::zip(a.totals, b.totals)) {
    EXPECT_EQ(own.executions, other.executions);
    EXPECT_EQ(own.busy, other.busy);
    EXPECT_EQ(own.waited, other.waited);
    EXPECT_EQ(own.waits, other.waits);
  }
  ASSERT_EQ(a.criticalPath.has_value(), b.criticalPath.has_value());
  if (!a.criticalPath)
    return;
  EXPECT_EQ(a.criticalPath->kernelOverhead, b.criticalPath->kernelOverhead);
  EXPECT_EQ(a.criticalPath->instructions, b.criticalPath->instructions);
}

/// Steps through all calls, and expects the same of repeating; returns how many
/// calls were repeated.
size_t expectSame(llvm::ArrayRef<LaunchCall> calls, const Machine &machine) {
  SimulationOptions options;
  options.criticalPath = true;
  LaunchResult all =
      simulateLaunch(joinCalls(calls, machine), machine, options);
  CallsResult some = simulateCalls(calls, machine, options);
  EXPECT_EQ(some.resultOf.size(), calls.size());
  for (auto [call, number] : llvm::zip(all.calls, some.resultOf))
    expectEqual(some.results[number], call);
  EXPECT_EQ(some.repeated > 0, some.stepped < all.whole.instructions);
  return some.repeated;
}

TEST(Repetition, TakesTheSameAsSteppingThroughAll) {
  std::mt19937 random(11);
  size_t repeated = 0;
  for (int i = 0; i < 24; ++i) {
    Machine machine = variedMachine(i);
    std::vector<Program> programs;
    std::vector<LayerCall> layer;
    for (int n = 0; n < 3; ++n)
      programs.push_back(randomProgram(random));
    for (int n = 0, end = 1 + i % 4; n < end; ++n)
      layer.push_back(
          {&programs[n % 3], static_cast<LayerCall::Kind>(random() % 4)});
    for (size_t layers : {1, 2, 3, 16, 21})
      repeated += expectSame(
          makeLayers(layer, programs[random() % 3], programs[2], layers).calls,
          machine);
  }
  // Some never come into step.
  EXPECT_GT(repeated, 700u);
}

/// The program of each call, and for the memory of its buffers which one that
/// is in the order of first use.
std::vector<size_t> describe(llvm::ArrayRef<LaunchCall> calls) {
  std::vector<size_t> told;
  std::map<uintptr_t, size_t> known;
  for (const LaunchCall &call : calls) {
    told.push_back(reinterpret_cast<uintptr_t>(call.program));
    for (const Buffer &buffer : call.program->buffers)
      if (std::optional<uintptr_t> memory = findMemory(call.arguments, buffer))
        told.push_back(known.try_emplace(*memory, known.size()).first->second);
  }
  return told;
}

TEST(Repetition, MoreRoundsAreLikeMoreLayers) {
  std::mt19937 random(12);
  size_t extended = 0;
  for (int i = 0; i < 60; ++i) {
    std::vector<Program> programs;
    std::vector<LayerCall> layer;
    for (int n = 0; n < 3; ++n)
      programs.push_back(randomProgram(random));
    for (int n = 0, end = 1 + i % 4; n < end; ++n)
      layer.push_back(
          {&programs[n % 3], static_cast<LayerCall::Kind>(random() % 4)});
    Calls few = makeLayers(layer, programs[random() % 3], programs[2], 6);
    Calls all = makeLayers(layer, *few.calls[0].program, programs[2], 17);
    std::optional<Repetition> found = findRepetition(few.calls);
    if (!found || 11 * layer.size() % found->round != 0)
      continue;
    std::optional<RepeatedCalls> more =
        addRounds(few.calls, *found, 11 * layer.size() / found->round);
    if (!more)
      continue;
    ++extended;
    EXPECT_EQ(describe(more->calls), describe(all.calls));
    ASSERT_EQ(more->like.size(), all.calls.size());
    for (auto [call, like] : llvm::zip(more->calls, more->like))
      EXPECT_EQ(call.program, few.calls[like].program);
  }
  EXPECT_GT(extended, 40u);
}

/// Moves 128 x `columns` from argument 0 to argument 1.
Program copyColumns(int64_t columns) {
  TileBuilder b;
  int32_t from = b.argument(ElementType::BF16, 1 << 16);
  int32_t to = b.argument(ElementType::BF16, 1 << 16, /*isResult=*/true);
  int32_t tile = b.sbuf(ElementType::BF16, 128, 512, 0);
  b.alloc(tile);
  b.load(tile, from, 0, columns, 512);
  b.store(to, tile, 0, columns, 512);
  b.dealloc(tile);
  return b.take();
}

/// Each layer reads a part of what the layer before it wrote, and so does the
/// last call, of the last layer.
TEST(Repetition, FollowsPartsOfMemory) {
  Program copy = copyColumns(512), part = copyColumns(128);
  const int64_t begin = 256;
  auto makeCalls = [&](size_t layers) {
    Calls calls;
    for (uintptr_t i = 0; i < layers; ++i) {
      calls.add(part, {100 + 2 * i, 101 + 2 * i}, {begin, 0});
      calls.add(copy, {101 + 2 * i, 102 + 2 * i});
    }
    calls.add(part, {100 + 2 * layers, 2}, {2 * begin, 0});
    return calls;
  };
  EXPECT_GT(expectSame(makeCalls(20).calls, roundMachine()), 0u);
  Calls few = makeCalls(6), all = makeCalls(17);
  std::optional<Repetition> found = findRepetition(few.calls);
  ASSERT_TRUE(found);
  std::optional<RepeatedCalls> more =
      addRounds(few.calls, *found, 22 / found->round);
  ASSERT_TRUE(more);
  EXPECT_EQ(describe(more->calls), describe(all.calls));
  for (auto [call, like] : llvm::zip_equal(more->calls, all.calls))
    EXPECT_EQ(call.offsets, like.offsets);
}

TEST(Repetition, OfLayersLeavesOutWhatIsDifferentAtBothEnds) {
  Program copy = copyColumns(512), other = copyColumns(256);
  Calls calls =
      makeLayers({{&copy}, {&other}, {&copy}}, other, other, /*layers=*/10);
  std::optional<Repetition> found = findRepetition(calls.calls);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->period, 6u); // of two layers, to be even
  EXPECT_EQ(found->distance, 1u);
  EXPECT_EQ(found->reach, 1u);
  EXPECT_LE(found->first, 3u);
  EXPECT_GE(found->end, 30u);

  std::optional<OwnedCalls> fewer =
      dropCalls(calls.calls, found->first + 6, 12);
  ASSERT_TRUE(fewer);
  ASSERT_EQ(fewer->calls.size(), calls.calls.size() - 12);
  for (size_t i = 1; i < fewer->calls.size(); ++i)
    EXPECT_EQ(fewer->calls[i].arguments[0], fewer->calls[i - 1].arguments[1]);
}

TEST(Repetition, IsNoneWhereALaterCallReadsWhatAllLayersLeave) {
  Program copy = copyColumns(512);
  Calls calls = makeLayers({{&copy}, {&copy}}, copy, copy, /*layers=*/10);
  for (uintptr_t memory = 10; memory < 30; ++memory)
    calls.add(copy, {memory, 100 + memory});
  std::vector<LaunchCall> first(calls.calls.begin(), calls.calls.begin() + 22);
  EXPECT_GT(expectSame(first, roundMachine()), 0u);
  EXPECT_FALSE(dropCalls(calls.calls, 5, 8));
  expectSame(calls.calls, roundMachine());
}

TEST(Repetition, IsNoneOfLayersThatDiffer) {
  std::vector<Program> programs;
  for (int64_t i = 1; i <= 20; ++i)
    programs.push_back(copyColumns(16 * i));
  Calls calls;
  for (auto [index, program] : llvm::enumerate(programs))
    calls.add(program, {10 + index, 11 + index});
  EXPECT_FALSE(findRepetition(calls.calls));
  EXPECT_EQ(expectSame(calls.calls, roundMachine()), 0u);
}

} // namespace
