//===- LogicalCoresTest.cpp - Two cores that share HBM --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

static constexpr ElementType f32 = ElementType::F32;
static constexpr int64_t half = 8;

namespace {
/// The program of one core: it has halves of argument 0, of result 1, and of
/// scratch that both cores share.
class CoreBuilder : public KernelBuilder {
public:
  explicit CoreBuilder(int64_t core)
      : own(core * half), theirs((1 - core) * half) {
    at("own");
    input = argument(f32, 2 * half);
    output = argument(f32, 2 * half, /*result=*/true);
    board = scratch(f32, 2 * half);
    share(board, 0);
    tile = sbuf(f32, 1, half, 0);
    other = sbuf(f32, 1, half, 4 * half);
    alloc(board);
    alloc(tile);
    alloc(other);
    copy(at(input, own), row(tile));
  }

  Access at(int32_t buffer, int64_t first) {
    return hbm(buffer, first, {{half, 1}});
  }
  using KernelBuilder::at;
  Access row(int32_t buffer) { return KernelBuilder::tile(buffer, 1, 0, half); }
  void store(const Access &from, const Access &to) {
    execute(Engine::Store, Semantics::Copy, {from}, to);
  }
  void meet() {
    op("barrier");
    Access all = hbm(board, 0, {{2 * half, 1}});
    execute(Engine::Collective, Semantics::Barrier, {all}, all).collective =
        Collective{2};
  }
  void exchange(int64_t pipe) {
    op("exchange");
    execute(Engine::Collective, Semantics::SendReceive, {row(tile)}, row(other))
        .collective = Collective{2, 0, pipe};
  }
  /// Ends with the half of the result that is this core's.
  void finish(int32_t from) {
    op("end");
    store(row(from), at(output, own));
  }

  int64_t own, theirs;
  int32_t input, output, board, tile, other;
};

struct Outcome {
  std::vector<float> input, output;
  std::optional<Fault> fault;
};
} // namespace

static Outcome run(CoreBuilder &own, CoreBuilder &other) {
  Program program = own.take();
  program.others.push_back(other.take());
  Array input = Array::random(f32, 2 * half, 1), output(f32, 2 * half);
  void *pointers[] = {input.bytes.data(), output.bytes.data()};
  const char *ignored = std::getenv("TRN_IGNORED_RULE");
  std::optional<Fault> fault =
      interpret(program, defaultMachine(), pointers,
                {/*threads=*/1, /*written=*/{}, ignored ? ignored : ""});
  return {input.values(), output.values(), fault};
}

/// Halves have changed places.
static void expectSwapped(const Outcome &outcome) {
  ASSERT_FALSE(outcome.fault) << outcome.fault->message;
  for (int64_t i = 0; i < 2 * half; ++i)
    EXPECT_EQ(outcome.output[i], outcome.input[(i + half) % (2 * half)]);
}

TEST(LogicalCores, ExchangeTiles) {
  CoreBuilder cores[] = {CoreBuilder(0), CoreBuilder(1)};
  for (CoreBuilder &core : cores) {
    core.exchange(3);
    core.finish(core.other);
  }
  expectSwapped(run(cores[0], cores[1]));
}

TEST(LogicalCores, SeeWhatIsSharedBehindABarrier) {
  CoreBuilder cores[] = {CoreBuilder(0), CoreBuilder(1)};
  for (CoreBuilder &core : cores) {
    core.store(core.row(core.tile), core.at(core.board, core.own));
    core.meet();
    core.copy(core.at(core.board, core.theirs), core.row(core.other));
    core.finish(core.other);
  }
  expectSwapped(run(cores[0], cores[1]));
}

/// Each round needs two barriers: what was read must not be overwritten.
TEST(LogicalCores, MeetInLoops) {
  CoreBuilder cores[] = {CoreBuilder(0), CoreBuilder(1)};
  for (CoreBuilder &core : cores) {
    core.beginLoop(3);
    core.store(core.row(core.tile), core.at(core.board, core.own));
    core.meet();
    core.copy(core.at(core.board, core.theirs), core.row(core.tile));
    core.meet();
    core.endLoop();
    core.finish(core.tile);
  }
  expectSwapped(run(cores[0], cores[1]));
}

/// As kernels do that compute the same on both cores.
TEST(LogicalCores, MayWriteTheSameValues) {
  CoreBuilder cores[] = {CoreBuilder(0), CoreBuilder(1)};
  for (CoreBuilder &core : cores) {
    core.op("whole");
    for (int64_t first : {int64_t(0), half}) {
      core.copy(core.at(core.input, first), core.row(core.tile));
      core.store(core.row(core.tile), core.at(core.output, first));
    }
  }
  Outcome outcome = run(cores[0], cores[1]);
  ASSERT_FALSE(outcome.fault) << outcome.fault->message;
  EXPECT_EQ(outcome.output, outcome.input);
}

/// Padding may be exchanged; what nobody wrote is not there on the other core.
TEST(LogicalCoresFault, memory_c2__OfPaddingThatWasExchanged) {
  CoreBuilder cores[] = {CoreBuilder(0), CoreBuilder(1)};
  for (CoreBuilder &core : cores) {
    int32_t wide = core.sbuf(f32, 1, 2 * half, 8 * half);
    int32_t taken = core.sbuf(f32, 1, 2 * half, 16 * half);
    core.alloc(wide);
    core.alloc(taken);
    Access first = core.KernelBuilder::tile(wide, 1, 0, half);
    core.copy(core.at(core.input, core.own), first);
    core.execute(Engine::Collective, Semantics::SendReceive,
                 {core.KernelBuilder::tile(wide, 1, 0, 2 * half)},
                 core.KernelBuilder::tile(taken, 1, 0, 2 * half))
        .collective = Collective{2};
    core.op("first");
    core.store(core.KernelBuilder::tile(taken, 1, 0, half),
               core.at(core.output, core.own));
    core.op("second");
    core.store(core.KernelBuilder::tile(taken, 1, half, half),
               core.at(core.board, core.own));
  }
  Program program = cores[0].program();
  std::optional<Fault> fault = run(cores[0], cores[1]).fault;
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->rule, "memory_c2");
  EXPECT_EQ(program.ops[fault->op].name, "second");
}

TEST(LogicalCoresFault, cores_c4__OneEnds) {
  CoreBuilder cores[] = {CoreBuilder(0), CoreBuilder(1)};
  cores[1].meet();
  for (CoreBuilder &core : cores)
    core.finish(core.tile);
  std::optional<Fault> fault = run(cores[0], cores[1]).fault;
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->rule, "cores_c4");
  EXPECT_EQ(fault->message, "waits for ever: the other core has ended without "
                            "a core_barrier of shared scratch 0");
  EXPECT_EQ(fault->core, 1);
}

TEST(LogicalCoresFault, cores_c4__OtherPipes) {
  CoreBuilder cores[] = {CoreBuilder(0), CoreBuilder(1)};
  for (auto [pipe, core] : llvm::enumerate(cores)) {
    core.exchange(int64_t(pipe));
    core.finish(core.other);
  }
  std::optional<Fault> fault = run(cores[0], cores[1]).fault;
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->rule, "cores_c4");
  EXPECT_EQ(
      fault->message,
      "is a send_receive of 1x8 f32 through pipe 0, but the other core is "
      "at a send_receive of 1x8 f32 through pipe 1; both come to the same "
      "meetings in one order");
  ASSERT_TRUE(fault->elsewhere);
}

TEST(LogicalCoresFault, cores_c4__Alone) {
  CoreBuilder core(0);
  core.meet();
  Array input = Array::random(f32, 2 * half, 1), output(f32, 2 * half);
  Array arrays[] = {input, output};
  std::optional<Fault> fault = core.run(arrays);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->rule, "cores_c4");
}

TEST(LogicalCoresFault, cores_c5__BothWrite) {
  CoreBuilder cores[] = {CoreBuilder(0), CoreBuilder(1)};
  for (CoreBuilder &core : cores) {
    core.op("write");
    core.store(core.row(core.tile), core.at(core.board, core.own / 2));
    core.meet();
    core.finish(core.tile);
  }
  std::optional<Fault> fault = run(cores[0], cores[1]).fault;
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->rule, "cores_c5");
  EXPECT_EQ(fault->message,
            "writes element 4 of what both cores share, and the other core "
            "writes another value there, without a core_barrier of it in "
            "between");
  ASSERT_TRUE(fault->elsewhere);
}

/// Without a second barrier, a core may still read what the other one
/// overwrites.
TEST(LogicalCoresFault, cores_c5__ReadAndOverwritten) {
  CoreBuilder cores[] = {CoreBuilder(0), CoreBuilder(1)};
  for (CoreBuilder &core : cores) {
    core.beginLoop(2);
    core.store(core.row(core.tile), core.at(core.board, core.own));
    core.meet();
    core.copy(core.at(core.board, core.theirs), core.row(core.tile));
    core.endLoop();
    core.finish(core.tile);
  }
  std::optional<Fault> fault = run(cores[0], cores[1]).fault;
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->rule, "cores_c5");
}

/// A barrier orders what is done with its own tensor.
TEST(LogicalCoresFault, cores_c5__BarrierOfAnotherTensor) {
  CoreBuilder cores[] = {CoreBuilder(0), CoreBuilder(1)};
  for (CoreBuilder &core : cores) {
    core.store(core.row(core.tile), core.at(core.output, 0));
    core.meet();
    core.finish(core.tile);
  }
  std::optional<Fault> fault = run(cores[0], cores[1]).fault;
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->rule, "cores_c5");
}
