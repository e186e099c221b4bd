//===- KnownMachinesTest.cpp - Tests of the machines that we ship ---------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Machine/KnownMachines.h"
#include "trn/Machine/MachineFields.h"
#include "trn/Machine/MachineIO.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

TEST(KnownMachines, EveryConstantHasASourceUnlessOptional) {
  for (const Machine &machine : knownMachines())
    for (auto [field, origin] : llvm::zip(machineFields(), machine.origins))
      EXPECT_TRUE(field.optional || !origin.source.empty())
          << machine.name << " " << field.key.str();
}

TEST(KnownMachines, ArePossible) {
  for (const Machine &machine : knownMachines())
    EXPECT_FALSE(errorToBool(verifyMachine(machine, machine.name)));
}

TEST(KnownMachines, KeysAreUniqueAndFound) {
  llvm::StringSet<> keys;
  for (auto [index, field] : llvm::enumerate(machineFields())) {
    EXPECT_TRUE(keys.insert(field.key).second) << field.key.str();
    EXPECT_EQ(findMachineField(field.key), index);
  }
}

TEST(KnownMachines, UnknownNameIsNull) {
  EXPECT_EQ(findKnownMachine("trn9"), nullptr);
  EXPECT_EQ(findKnownMachine("trn1"), &defaultMachine());
}

TEST(KnownMachines, RidgeOfTrn1UsesRatesThatKernelsReach) {
  // 2 * 128 * 128 FLOP in 0.408 ns are 80.31 TFLOP/s; 4 KiB rows take
  // 4096 / 17 + 4 ns on each of 16 engines, 267.6 GB/s; 80.31e3 / 267.6.
  const Machine &trn1 = *findKnownMachine("trn1");
  EXPECT_NEAR(trn1.dmaSustainedGBPerSecond(), 267.56, 0.05);
  EXPECT_NEAR(trn1.ridge(), 300.2, 0.1);
}

TEST(KnownMachines, F32TakesFourPasses) {
  const Machine &trn1 = *findKnownMachine("trn1");
  EXPECT_DOUBLE_EQ(trn1.tensorFlopsPerNs(/*f32=*/false),
                   4 * trn1.tensorFlopsPerNs(/*f32=*/true));
}

TEST(KnownMachines, AbsentConstantsHoldTheirDefault) {
  const Machine &trn1 = *findKnownMachine("trn1");
  EXPECT_TRUE(
      trn1.origins[*findMachineField("tensor_throttle_ns")].source.empty());
  EXPECT_EQ(trn1.tensorThrottleNs, 0);
  EXPECT_EQ(findKnownMachine("trn2")->tensorThrottleNs, 3000);
}

TEST(KnownMachines, FunctionsHaveTables) {
  const Machine &trn2 = *findKnownMachine("trn2");
  const MachineField &exp =
      machineFields()[*findMachineField("function_table_exp")];
  EXPECT_TRUE(exp.isInteger());
  EXPECT_EQ(exp.get(trn2), 4);
  EXPECT_EQ(trn2.functionTables[int64_t(Function::Copy)],
            trn2.functionTables[int64_t(Function::Rsqrt)]);
  EXPECT_EQ(trn2.functionTables[int64_t(Function::Relu)], 0);
}

TEST(KnownMachines, NumbersArePrintedShort) {
  EXPECT_EQ(formatNumber(0.4167), "0.4167");
  EXPECT_EQ(formatNumber(180224), "180224");
  EXPECT_EQ(formatNumber(1234567), "1234567");
  EXPECT_EQ(formatNumber(1.0 / 3), "0.3333333333333333");
}
