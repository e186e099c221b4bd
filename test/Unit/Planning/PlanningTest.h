//===- PlanningTest.h - Shapes and calls shared by the tests ----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_UNIT_PLANNING_PLANNINGTEST_H
#define TRN_TEST_UNIT_PLANNING_PLANNINGTEST_H

#include "trn/Machine/KnownMachines.h"
#include "trn/Planning/BlockModel.h"
#include "gtest/gtest.h"

namespace mlir::trn {

/// The chain of tools/demo.sh: 56 tiles of k, 32 of r.
inline ChainShape demoChain(ElementType type = ElementType::BF16) {
  return {4096, 7168, 4096, 18432, type, false, false};
}

struct Options {
  Strategy strategy = Strategy::StripCache;
  TransposeMode transpose = TransposeMode::Implicit;
  BlockRequest blocks = {};
};

inline llvm::Expected<BlockPlan>
tryPlan(const ChainShape &shape, const Options &options = {},
        const Machine &machine = defaultMachine()) {
  return planBlocks(shape, options.strategy, options.transpose, options.blocks,
                    machine);
}

inline BlockPlan plan(const ChainShape &shape, const Options &options = {},
                      const Machine &machine = defaultMachine()) {
  llvm::Expected<BlockPlan> plan = tryPlan(shape, options, machine);
  if (plan)
    return *plan;
  ADD_FAILURE() << llvm::toString(plan.takeError());
  return {};
}

inline Options forcedM(int64_t blockM) {
  Options options;
  options.blocks.blockM = blockM;
  return options;
}

} // namespace mlir::trn

#endif // TRN_TEST_UNIT_PLANNING_PLANNINGTEST_H
