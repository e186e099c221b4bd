//===- MachineRangeTest.cpp - Tests of the ends of a machine --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Machine/MachineRange.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Machine/MachineFields.h"
#include "trn/Machine/MachineIO.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

TEST(MachineRange, TimesAreShortAndRatesHighOnTheFastest) {
  Machine machine = defaultMachine();
  for (Origin &origin : machine.origins)
    origin.range.reset();
  auto setRange = [&](llvm::StringRef key, double low, double high) {
    machine.origins[*findMachineField(key)].range = {low, high};
  };
  setRange("semaphore_ns", 90, 300);
  setRange("dma_gb_per_second_per_engine", 15, 18);
  MachineEnds ends = endsOf(machine);
  EXPECT_EQ(ends.fastest.semaphoreNs, 90);
  EXPECT_EQ(ends.slowest.semaphoreNs, 300);
  EXPECT_EQ(ends.fastest.dmaGBPerSecondPerEngine, 18);
  EXPECT_EQ(ends.slowest.dmaGBPerSecondPerEngine, 15);
  // Nothing is known about how far this one is right.
  EXPECT_EQ(ends.fastest.dmaLatencyNs, machine.dmaLatencyNs);
  EXPECT_EQ(ends.slowest.dmaLatencyNs, machine.dmaLatencyNs);
}

TEST(MachineRange, KnownMachinesLieWithinTheirRanges) {
  for (const Machine &machine : knownMachines()) {
    for (auto [field, origin] : llvm::zip(machineFields(), machine.origins)) {
      if (!origin.range)
        continue;
      EXPECT_TRUE(field.isCost()) << field.key.str();
      EXPECT_LE(origin.range->first, field.get(machine)) << field.key.str();
      EXPECT_GE(origin.range->second, field.get(machine)) << field.key.str();
    }
    MachineEnds ends = endsOf(machine);
    for (const Machine &end : {ends.fastest, ends.slowest})
      EXPECT_EQ(toString(verifyMachine(end, machine.name)), "");
  }
}

TEST(MachineRange, EveryFittedConstantHasOne) {
  for (const Machine &machine : knownMachines())
    for (auto [field, origin] : llvm::zip(machineFields(), machine.origins))
      EXPECT_TRUE(origin.kind != FactKind::Fitted || origin.range ||
                  field.unit == "%")
          << machine.name << ": " << field.key.str();
}

} // namespace
