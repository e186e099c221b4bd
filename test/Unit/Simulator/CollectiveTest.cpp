//===- CollectiveTest.cpp - Tests of what cores do together ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/Launch.h"

#include "RoundMachine.h"
#include "trn/Machine/KnownMachines.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

constexpr ElementType bf16 = ElementType::BF16;

Machine meetingMachine() {
  Machine machine = roundMachine();
  machine.collectiveGBPerSecond = 50;
  machine.collectiveLatencyNs = 10'000;
  machine.collectiveLargeLatencyNs = 30'000;
  machine.collectiveSmallBytes = 100'000;
  machine.collectiveLargeBytes = 300'000;
  machine.chipCores = 0;
  return machine;
}

Program meet(Semantics semantics, int64_t bytes, int64_t cores) {
  TileBuilder b;
  int32_t from = b.argument(bf16, bytes / 2);
  int32_t to = b.argument(bf16, bytes / 2, /*isResult=*/true);
  Instruction &added = b.execute(Engine::Collective, semantics,
                                 {b.hbm(from, 0, {{bytes / 2, 1}})},
                                 b.hbm(to, 0, {{bytes / 2, 1}}));
  added.collective = Collective{cores, bytes / 2};
  added.work.bytes = bytes;
  return b.take();
}

int64_t timeOf(Semantics semantics, int64_t bytes, int64_t cores,
               const Machine &machine = meetingMachine()) {
  return simulate(meet(semantics, bytes, cores), machine).latency;
}

TEST(Collective, TakesALatencyAndTheTimeOfWhatACoreSends) {
  // Two cores send half of the array twice; one piece of four to three others.
  EXPECT_EQ(timeOf(Semantics::AllReduce, 50'000, 2), ns(10'000 + 1'000));
  EXPECT_EQ(timeOf(Semantics::AllReduce, 50'000, 4), ns(10'000 + 1'500));
  EXPECT_EQ(timeOf(Semantics::AllGather, 50'000, 4), ns(10'000 + 750));
  EXPECT_EQ(timeOf(Semantics::ReduceScatter, 50'000, 4), ns(10'000 + 750));
  EXPECT_EQ(timeOf(Semantics::AllToAll, 50'000, 4), ns(10'000 + 750));
  // All of it, to one other core.
  EXPECT_EQ(timeOf(Semantics::Permute, 50'000, 4), ns(10'000 + 1'000));
}

TEST(Collective, LatencyGrowsFromSmallToLarge) {
  EXPECT_EQ(timeOf(Semantics::AllReduce, 100'000, 2), ns(10'000 + 2'000));
  EXPECT_EQ(timeOf(Semantics::AllReduce, 200'000, 2), ns(20'000 + 4'000));
  EXPECT_EQ(timeOf(Semantics::AllReduce, 300'000, 2), ns(30'000 + 6'000));
  EXPECT_EQ(timeOf(Semantics::AllReduce, 600'000, 2), ns(30'000 + 12'000));
}

/// The latency of one passes while the bytes of the other move.
TEST(Collective, OnesThatDoNotDependOnEachOtherOverlap) {
  Program one = meet(Semantics::AllGather, 50'000, 2);
  uintptr_t first[] = {1, 2}, other[] = {3, 4}, behind[] = {2, 5};
  Machine machine = meetingMachine();
  auto timeBoth = [&](llvm::ArrayRef<uintptr_t> second) {
    return simulateLaunch(joinCalls({{&one, first}, {&one, second}}, machine),
                          machine)
        .whole.latency;
  };
  EXPECT_EQ(timeBoth(other), ns(10'000 + 2 * 500));
  EXPECT_GE(timeBoth(behind), ns(2 * 10'500));
}

/// Small arrays go to all other chips at once, large ones by doubling.
TEST(Collective, ChipsAreHopsAway) {
  Machine machine = meetingMachine();
  machine.chipCores = 2;
  machine.linkHopNs = 1500;
  machine.linkGBPerSecond = 1000;
  auto reduce = [&](int64_t bytes, int64_t cores) {
    return timeOf(Semantics::AllReduce, bytes, cores, machine);
  };
  EXPECT_EQ(reduce(50'000, 2), ns(10'000 + 1'000));
  EXPECT_EQ(reduce(50'000, 4), ns(10'000 + 1'500 + 1'500));
  EXPECT_EQ(reduce(50'000, 8), ns(10'000 + 1'500 + 1'750));
  EXPECT_EQ(reduce(600'000, 8), ns(30'000 + 2 * 1'500 + 21'000));
  // Two cores share the links of their chip.
  machine.linkGBPerSecond = 50;
  EXPECT_EQ(reduce(50'000, 4), ns(10'000 + 1'500 + 3'000));
}

/// Groups of two: neighbours on one chip, or those of other chips.
TEST(Collective, GroupsReachAsFarAsTheirCores) {
  Machine machine = meetingMachine();
  machine.chipCores = 2;
  machine.linkHopNs = 1500;
  machine.linkGBPerSecond = 1000;
  auto reduce = [&](std::initializer_list<int64_t> groups) {
    Program program = meet(Semantics::AllReduce, 50'000, 2);
    program.instructions[0].collective->groups.assign(groups);
    return simulate(program, machine).latency;
  };
  EXPECT_EQ(reduce({0, 1, 2, 3}), ns(10'000 + 1'000));
  EXPECT_EQ(reduce({0, 2, 1, 3}), ns(10'000 + 1'500 + 1'000));
  machine.lnc = 2;
  EXPECT_LT(reduce({0, 1, 2, 3}), ns(10'000));
  EXPECT_EQ(reduce({0, 2, 1, 3}), ns(10'000 + 1'500 + 1'000));
}

/// Each core loads its half of both arrays, adds them, and stores the sum: at
/// 64 ns a kilobyte on each of 16 engines, and an element of 128 partitions a
/// nanosecond. A barrier is two semaphores of 200 ns.
TEST(Collective, CoresOfALogicalOneMeetInHbm) {
  Machine machine = meetingMachine();
  machine.lnc = 2;
  const int64_t load = 1000 + 256 + 10, add = 128 + 160,
                store = 1000 + 128 + 10, handoffs = 2 * 200, barrier = 400;
  EXPECT_EQ(timeOf(Semantics::AllReduce, 65'536, 2, machine),
            ns(load + add + store + handoffs + 2 * barrier));
  EXPECT_EQ(timeOf(Semantics::ReduceScatter, 65'536, 2, machine),
            ns(load + add + store + handoffs + barrier));
  EXPECT_EQ(timeOf(Semantics::AllGather, 65'536, 2, machine), ns(barrier));
  for (Semantics moved : {Semantics::AllToAll, Semantics::Permute})
    EXPECT_EQ(timeOf(moved, 65'536, 2, machine), ns(barrier + load));
  // Two logical ones are far from each other.
  EXPECT_EQ(timeOf(Semantics::AllGather, 50'000, 4, machine),
            timeOf(Semantics::AllGather, 50'000, 4));
}

/// One core fills a tile of so many columns, and sends it to the other one.
Program exchange(int64_t columns) {
  TileBuilder b;
  int32_t own = b.sbuf(bf16, 128, 512, 0),
          theirs = b.sbuf(bf16, 128, 512, 1024);
  b.fill(Engine::Vector, own, columns);
  Instruction &sent =
      b.execute(Engine::Collective, Semantics::SendReceive,
                {b.tile(own, 128, 0, 64)}, b.tile(theirs, 128, 0, 64));
  sent.collective = Collective{2};
  sent.work.bytes = 128 * 64 * 2;
  sent.work.descriptors = 128;
  return b.take();
}

/// Both go on when the later one has come. What they exchange is behind a
/// barrier of two semaphores, and moves at 64 ns a kilobyte on each engine, and
/// 10 ns for each of eight rows.
TEST(Collective, CoresWaitForTheLaterOne) {
  Program program = exchange(100);
  program.others.push_back(exchange(400));
  Recorder recorder;
  SimulationResult result = run(program, roundMachine(), recorder);
  const int64_t first = 100 + 160 + 200, later = 400 + 160 + 200,
                end = later + 400 + 1000 + 64 + 8 * 10;
  EXPECT_EQ(result.latency, ns(end));
  EXPECT_EQ(result.end, ns(end));
  ASSERT_EQ(result.others.size(), 1u);
  EXPECT_EQ(result.others.front().end, ns(end));
  ASSERT_EQ(recorder.events.size(), 2u);
  EXPECT_EQ(recorder.events[1].start, ns(first));
  EXPECT_EQ(recorder.events[1].end, ns(end));
  EXPECT_EQ(result.busy[int(Engine::Collective)], ns(end - first));
  EXPECT_EQ(result.others.front().busy[int(Engine::Collective)],
            ns(end - later));
  EXPECT_EQ(result.collectiveBytes, 128 * 64 * 2);
}

/// A stack that gives 256 bytes a nanosecond is as fast as the 16 engines of
/// one core; two have half of it each.
TEST(Collective, CoresOfALogicalOneShareTheRateOfHbm) {
  auto load = [] {
    TileBuilder b;
    b.load(b.sbuf(bf16, 128, 512, 0), b.argument(bf16, 128 * 512), 0, 512, 512);
    return b.take();
  };
  Machine machine = roundMachine();
  machine.hbmCores = 2;
  machine.hbmGBPerSecond = 256;
  Program program = load();
  const int64_t latency = 1000 + 8 * 10, moved = 512;
  EXPECT_EQ(simulate(program, machine).latency, ns(latency + moved));
  program.others.push_back(load());
  EXPECT_EQ(simulate(program, machine).latency, ns(latency + 2 * moved));
}

/// A core that ends later than the other one ends the kernel.
TEST(Collective, TheLatencyIsThatOfAllCores) {
  TileBuilder b;
  b.fill(Engine::Vector, b.sbuf(bf16, 128, 512, 0), 100);
  Program program = b.take();
  TileBuilder other;
  other.fill(Engine::Vector, other.sbuf(bf16, 128, 512, 0), 400);
  program.others.push_back(other.take());
  SimulationResult result = simulate(program, roundMachine());
  EXPECT_EQ(result.end, ns(260));
  EXPECT_EQ(result.latency, ns(560));
}

/// The three sizes that the vendor publishes for two cores of trn1.
TEST(Collective, MeetsWhatIsPublished) {
  Machine machine = *findKnownMachine("trn1");
  auto microseconds = [&](int64_t bytes) {
    return machine.collectiveNs(2, double(bytes), double(bytes)) / 1e3;
  };
  EXPECT_NEAR(microseconds(4 << 20), 107, 107 * 0.03);
  EXPECT_NEAR(microseconds(16 << 20), 332, 332 * 0.01);
  EXPECT_NEAR(microseconds(64 << 20), 1214, 1214 * 0.01);
  EXPECT_NEAR(microseconds(int64_t(1) << 30), 18930, 18930 * 0.01);
}

TEST(Collective, IsNoTrafficOfACore) {
  SimulationResult result =
      simulate(meet(Semantics::AllReduce, 50'000, 2), meetingMachine());
  EXPECT_EQ(result.collectiveBytes, 50'000);
  EXPECT_EQ(result.hbmReadBytes + result.hbmWriteBytes, 0);
  EXPECT_EQ(result.busy[int(Engine::Collective)], ns(1'000));
}

/// The next kernel's weights are loaded while cores meet; what it computes of
/// the sum waits.
TEST(Collective, WeightsOfTheNextKernelDoNotWait) {
  Program reduce = meet(Semantics::AllReduce, 128 * 512 * 2, 2);
  TileBuilder b;
  int32_t sum = b.argument(bf16, 128 * 512), weight = b.argument(bf16, 65536);
  int32_t out = b.argument(bf16, 128 * 512, /*isResult=*/true);
  int32_t x = b.sbuf(bf16, 128, 512, 0), w = b.sbuf(bf16, 128, 512, 1024);
  b.alloc(x);
  b.load(x, sum, 0, 512, 512);
  b.alloc(w);
  b.load(w, weight, 0, 512, 512);
  b.store(out, x, 0, 512, 512);
  Program next = b.take();
  Recorder recorder;
  SimulationOptions options;
  options.timeline = &recorder;
  Machine machine = meetingMachine();
  uintptr_t first[] = {1, 2}, second[] = {2, 3, 4};
  simulateLaunch(joinCalls({{&reduce, first}, {&next, second}}, machine),
                 machine, options);
  ASSERT_EQ(recorder.events.size(), 4u);
  EXPECT_GE(recorder.events[1].start, recorder.events[0].done);
  EXPECT_LT(recorder.events[2].start, recorder.events[0].done);
}

TEST(Collective, CoresShareHbm) {
  Machine machine = meetingMachine(); // 16 engines of 16 GB/s
  machine.hbmGBPerSecond = 320;
  machine.hbmCores = 2;
  EXPECT_EQ(machine.ofCores(1).dmaGBPerSecondPerEngine, 16);
  EXPECT_EQ(machine.ofCores(2).dmaGBPerSecondPerEngine, 10);
  EXPECT_EQ(machine.ofCores(8).dmaGBPerSecondPerEngine, 10);
  machine.hbmGBPerSecond = 800;
  EXPECT_EQ(machine.ofCores(2).dmaGBPerSecondPerEngine, 16);
}

} // namespace
