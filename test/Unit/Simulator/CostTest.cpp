//===- CostTest.cpp - Tests of single instructions ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Simulator/Cost.h"

#include "RoundMachine.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

Instruction computing(Engine engine, int64_t cycles) {
  Instruction instruction;
  instruction.engine = engine;
  instruction.work.cycles = cycles;
  return instruction;
}

TEST(Rate, RoundsToTheNearestPicosecond) {
  Rate rate(1000 / 1.12); // 892.857... ps
  EXPECT_EQ(rate(1), 893);
  EXPECT_EQ(rate(512), 457143); // 457 142.857
  EXPECT_EQ(rate(1 << 20), 936228571);
}

TEST(Cost, AMatmulTakesItsColumnsAndShowsItsResultLater) {
  Costs costs(roundMachine());
  Instruction matmul = computing(Engine::Tensor, 512);
  EXPECT_EQ(costs.occupied(matmul), ns(256));      // 512 * 0.5
  EXPECT_EQ(costs.visible(matmul), ns(256 + 150)); // and the latency
}

TEST(Cost, OtherEnginesAddTheAccessAndDelayReaders) {
  Costs costs(roundMachine());
  Instruction copy = computing(Engine::Scalar, 512);
  EXPECT_EQ(costs.occupied(copy), ns(512 + 60));
  EXPECT_EQ(costs.visible(copy), ns(512 + 60 + 100));
}

TEST(Cost, TheMinimumHidesTheAccess) {
  Costs costs(roundMachine());
  EXPECT_EQ(costs.occupied(computing(Engine::Vector, 64)), ns(64));
  EXPECT_EQ(costs.visible(computing(Engine::Vector, 64)), ns(64 + 60 + 100));
  EXPECT_EQ(costs.occupied(computing(Engine::Vector, 100)),
            ns(100 + (100 - 64)));
  EXPECT_EQ(costs.occupied(computing(Engine::Vector, 124)), ns(124 + 60));
}

TEST(Cost, EveryDmaEngineMovesEightPartitions) {
  Costs costs(roundMachine());
  Work work;
  work.bytes = 128 * 1024;
  work.descriptors = 128;
  DmaShare share = costs.share(work, /*engine=*/3, /*first=*/0, /*count=*/128);
  EXPECT_EQ(share.bytes, 8 * 1024);
  EXPECT_EQ(share.descriptors, 8);
  // 8 KiB at 16 B/ns, 8 descriptors of 10 ns.
  EXPECT_EQ(costs.moved(share, /*transposed=*/false), ns(512 + 80));
}

TEST(Cost, APieceTakesItsLeastTime) {
  Machine machine = roundMachine();
  machine.dmaMinNsPerDescriptor = 70;
  Costs costs(machine);
  // 8 pieces of 512 bytes want 32 + 10 ns each, 8 of 1 KiB 64 + 10 ns.
  EXPECT_EQ(costs.moved({8 * 512, 8}, /*transposed=*/false), ns(8 * 70));
  EXPECT_EQ(costs.moved({8 * 1024, 8}, /*transposed=*/false), ns(8 * 74));
}

TEST(Cost, ATransferTakesItsLeastTime) {
  Machine machine = roundMachine();
  machine.dmaMinTransferNs = 800;
  Costs costs(machine);
  EXPECT_EQ(costs.completed({64, 1}), ns(800));
  EXPECT_EQ(costs.completed({64 * 8, 8}), ns(800));
  EXPECT_EQ(costs.completed({0, 0}), 0);
}

TEST(Cost, ScatteredElementsTakeTheirLeastTimeEach) {
  Machine machine = roundMachine();
  machine.dmaMinNsPerDescriptor = 70;
  machine.dmaMinTransferNs = 800;
  machine.dmaScatteredBytes = 32;
  Costs costs(machine);
  auto moved = [&](int64_t bytes, int64_t pieces) {
    return costs.moved({bytes * pieces, pieces}, /*transposed=*/false);
  };
  // One in each of eight partitions is a row; what comes beside it is not.
  EXPECT_EQ(moved(2, 8), ns(8 * 70));
  EXPECT_EQ(moved(2, 1024), ns(8 * 70 + 1016 * 100));
  EXPECT_EQ(moved(31, 16), ns(8 * 70 + 8 * 100));
  EXPECT_EQ(moved(32, 16), ns(16 * 70));
}

TEST(Cost, EveryEngineHasItsOwnAccess) {
  Machine machine = roundMachine();
  machine.vectorAccessCycles = 107;
  Costs costs(machine);
  EXPECT_EQ(costs.occupied(computing(Engine::Vector, 512)), ns(512 + 107));
  EXPECT_EQ(costs.visible(computing(Engine::Vector, 512)), ns(512 + 160));
  EXPECT_EQ(costs.occupied(computing(Engine::Scalar, 512)), ns(512 + 60));
}

TEST(Cost, TinyInstructionsTakeTheMinimum) {
  Costs costs(roundMachine());
  EXPECT_EQ(costs.occupied(computing(Engine::Vector, 1)), ns(64));
  EXPECT_EQ(costs.visible(computing(Engine::Vector, 1)), ns(224));
}

TEST(Cost, FunctionsAndFillsHaveLatenciesOfTheirOwn) {
  Machine machine = roundMachine();
  machine.scalarFunctionLatencyCycles = 340;
  machine.memsetLatencyCycles = 50;
  machine.minLatencyCycles = 0;
  Costs costs(machine);
  Instruction exp = computing(Engine::Scalar, 512);
  exp.formula = {{Function::Exp}};
  EXPECT_EQ(costs.visible(exp), ns(512 + 340));
  exp.formula = {{Function::Copy}};
  EXPECT_EQ(costs.visible(exp), ns(512 + 160));
  exp.reads.resize(2, Access{});
  EXPECT_EQ(costs.visible(exp), ns(512 + 340));
  Instruction fill = computing(Engine::Vector, 512);
  fill.semantics = Semantics::Fill;
  EXPECT_EQ(costs.occupied(fill), ns(512 + 50));
  EXPECT_EQ(costs.visible(fill), ns(512 + 50));
}

TEST(Cost, ScansWaitForTheirFirstValues) {
  Machine machine = roundMachine();
  machine.scanInitialsCycles = 58;
  Costs costs(machine);
  Instruction scan = computing(Engine::Vector, 512);
  scan.semantics = Semantics::Scan;
  scan.reads.resize(2, Access{});
  EXPECT_EQ(costs.visible(scan), ns(512 + 160));
  scan.reads.resize(3, Access{});
  EXPECT_EQ(costs.visible(scan), ns(512 + 160 + 58));
}

TEST(Cost, StaticDescriptorsHaveTheirOwnCosts) {
  Machine machine = roundMachine();
  machine.dmaStaticDescriptors = true;
  machine.dmaStaticGBPerSecondPerEngine = 32;
  machine.dmaStaticNsPerDescriptor = 5;
  machine.dmaStaticCompletionNs = 400;
  machine.dmaMinNsPerDescriptor = 70;
  machine.dmaMinTransferNs = 800;
  Costs costs(machine);
  EXPECT_EQ(costs.moved({8 * 512, 8}, /*transposed=*/false), ns(128 + 40));
  EXPECT_EQ(costs.completed({8 * 512, 8}), 0);
  EXPECT_EQ(costs.dmaCompletion, ns(400));
  // There are none of rows that a tile chooses.
  Instruction gather;
  gather.semantics = Semantics::Gather;
  EXPECT_EQ(costs.of(gather).completed({8 * 512, 8}), ns(800));
  EXPECT_EQ(costs.of(gather).dmaCompletion, 0);
  EXPECT_EQ(costs.of({}).completed({8 * 512, 8}), 0);
}

TEST(Cost, FewPartitionsUseFewDmaEngines) {
  Costs costs(roundMachine());
  Work work;
  work.bytes = 20 * 1024;
  work.descriptors = 20;
  // Partitions 4 ... 23: four on engine 0, eight on 1, eight on 2.
  int64_t rows[] = {4, 8, 8, 0};
  for (int64_t engine = 0; engine < 4; ++engine)
    EXPECT_EQ(costs.share(work, engine, /*first=*/4, /*count=*/20).descriptors,
              rows[engine]);
}

TEST(Cost, TransfersWithinHbmUseAllEngines) {
  Costs costs(roundMachine());
  Work work;
  work.bytes = 100;
  work.descriptors = 1;
  // 100 bytes in one piece, cut into 16: four engines with 7 bytes, 12 with 6.
  EXPECT_EQ(costs.share(work, 3).bytes, 7);
  EXPECT_EQ(costs.share(work, 4).bytes, 6);
  EXPECT_EQ(costs.share(work, 15).descriptors, 1);
}

TEST(Cost, TransposingTransfersAreSlower) {
  Machine machine = roundMachine();
  machine.dmaTransposeEfficiency = 0.5;
  Costs costs(machine);
  EXPECT_EQ(costs.moved({1600, 2}, /*transposed=*/true), ns(200 + 20));
}

} // namespace
