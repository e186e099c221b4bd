//===- EvictionsTest.cpp - Tests of which engine empties PSUM -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Machine/Evictions.h"
#include "trn/Machine/KnownMachines.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

/// On ScalarE, by copy, if all take as many cycles on both.
static std::vector<bool> choose(unsigned count, EngineLoad load,
                                const char *name) {
  Machine machine = *findKnownMachine(name);
  machine.vectorGHz = machine.scalarGHz = 1;
  std::vector<EngineLoad> copies(count, {100, 100});
  llvm::SmallVector<bool> choices = chooseScalar(copies, load, machine);
  return std::vector<bool>(choices.begin(), choices.end());
}

TEST(EvictionsTest, spread_over_both_engines) {
  EXPECT_EQ(choose(3, {}, "trn2"), std::vector<bool>({true, false, true}));
}

TEST(EvictionsTest, go_where_less_is_to_do) {
  EXPECT_EQ(choose(2, {0, 1000}, "trn2"), std::vector<bool>({false, false}));
  EXPECT_EQ(choose(2, {1000, 0}, "trn2"), std::vector<bool>({true, true}));
}

TEST(EvictionsTest, stay_together_where_the_engines_lock_each_other_out) {
  ASSERT_TRUE(findKnownMachine("trn1")->portLocks);
  EXPECT_EQ(choose(2, {}, "trn1"), std::vector<bool>({true, true}));
  EXPECT_EQ(choose(2, {0, 100}, "trn1"), std::vector<bool>({false, false}));
}

TEST(EvictionsTest, leave_scalar_its_table_of_functions) {
  Machine machine = *findKnownMachine("trn2");
  machine.vectorGHz = machine.scalarGHz = 1;
  EngineLoad silu, copy;
  silu.addScalar(100, Function::Silu, machine);
  copy.addVector(400, machine);
  copy.addScalar(300, Function::Copy, machine);
  EXPECT_FALSE(chooseScalar(copy, silu, machine).front());
  machine.functionSwapNs = 0;
  silu.tables = 0;
  silu.scalar = 0;
  EXPECT_TRUE(chooseScalar(copy, silu, machine).front());
}

TEST(EvictionsTest, loads_add_up_in_any_order) {
  Machine machine = defaultMachine();
  EngineLoad inner, outer;
  inner.addVector(10, machine);
  inner.addScalar(20, Function::Copy, machine);
  outer.add(inner, /*times=*/3);
  EXPECT_EQ(outer.vector, 3 * (10 + machine.vectorAccessCycles));
  EXPECT_EQ(outer.scalar, 3 * (20 + machine.scalarAccessCycles));
}
