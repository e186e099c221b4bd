//===- CountSteps.cpp - How much work a program is ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/CountSteps.h"

#include "trn/Program/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir::trn;

/// Calls `visit` with each step, and how often it is executed or begins an
/// iteration.
static void
forEachStep(const Program &program,
            llvm::function_ref<void(const Step &, uint64_t)> visit) {
  llvm::SmallVector<uint64_t> executions = {1}; // by open loop
  for (const Step &step : program.steps) {
    if (step.kind == Step::Kind::BeginLoop) {
      int64_t tripCount = program.loops[step.index].tripCount;
      executions.push_back(llvm::SaturatingMultiply<uint64_t>(
          executions.back(), std::max<int64_t>(tripCount, 0)));
    }
    visit(step, executions.back());
    if (step.kind == Step::Kind::EndLoop)
      executions.pop_back();
  }
}

static int64_t saturate(uint64_t count) {
  return std::min<uint64_t>(count, std::numeric_limits<int64_t>::max());
}

int64_t mlir::trn::countSteps(const Program &program) {
  uint64_t steps = 0;
  forEachStep(program, [&](const Step &step, uint64_t executions) {
    if (step.kind == Step::Kind::BeginLoop || step.kind == Step::Kind::Execute)
      steps = llvm::SaturatingAdd(steps, executions);
  });
  return saturate(steps);
}

std::vector<int64_t> mlir::trn::countExecutions(const Program &program) {
  std::vector<int64_t> counts(program.instructions.size());
  forEachStep(program, [&](const Step &step, uint64_t executions) {
    if (step.kind == Step::Kind::Execute)
      counts[step.index] = saturate(executions);
  });
  return counts;
}
