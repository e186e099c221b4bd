//===- LimitTest.cpp - Simulations that end early -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomProgram.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

SimulationResult runUntil(const Program &program, const Machine &machine,
                          int64_t limit) {
  SimulationOptions options;
  options.limit = limit;
  return simulate(program, machine, options);
}

int64_t executionsIn(const SimulationResult &result) {
  int64_t sum = 0;
  for (const InstructionTotals &totals : result.totals)
    sum += totals.executions;
  return sum;
}

TEST(Limit, only_what_takes_longer_ends_early) {
  std::mt19937 random(20261124);
  int64_t all = 0, executed = 0;
  for (int i = 0; i < 200; ++i) {
    Program program = randomProgram(random);
    Machine machine = variedMachine(i);
    SimulationResult whole = simulate(program, machine);
    for (int64_t limit : {whole.latency, whole.latency + 1}) {
      SimulationResult same = runUntil(program, machine, limit);
      ASSERT_EQ(same.latency, whole.latency) << "program " << i;
      ASSERT_EQ(executionsIn(same), executionsIn(whole));
    }
    all += executionsIn(whole);
    for (int64_t limit : {int64_t(0), whole.latency / 2, whole.latency - 1}) {
      SimulationResult part = runUntil(program, machine, limit);
      ASSERT_GT(part.latency, limit) << "program " << i;
      ASSERT_LE(part.latency, whole.latency);
      if (limit == whole.latency / 2)
        executed += executionsIn(part);
    }
  }
  EXPECT_LT(executed, all / 2);
}

/// All copies are VectorE's: what is left of them tells after the first.
TEST(Limit, work_that_is_left_counts) {
  TileBuilder b;
  int32_t from = b.sbuf(ElementType::BF16, 128, 512, 0, 1);
  int32_t to = b.sbuf(ElementType::BF16, 128, 512, 1024, 1);
  b.alloc(from);
  b.alloc(to);
  b.beginLoop(1000);
  b.copy(Engine::Vector, from, to, 512);
  b.endLoop();
  Program program = b.take();
  int64_t latency = simulate(program, roundMachine()).latency;
  SimulationResult part = runUntil(program, roundMachine(), latency * 9 / 10);
  EXPECT_GT(part.latency, latency * 9 / 10);
  EXPECT_LE(executionsIn(part), 1);
}

} // namespace
