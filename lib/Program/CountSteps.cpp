//===- CountSteps.cpp - How much work a program is ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/CountSteps.h"

#include "trn/Program/Program.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;

int64_t mlir::trn::countSteps(const Program &program) {
  uint64_t steps = 0;
  /// How often the body of each open loop is executed.
  llvm::SmallVector<uint64_t> executions = {1};
  for (const Step &step : program.steps) {
    switch (step.kind) {
    case Step::Kind::BeginLoop: {
      int64_t tripCount = program.loops[step.index].tripCount;
      executions.push_back(llvm::SaturatingMultiply<uint64_t>(
          executions.back(), std::max<int64_t>(tripCount, 0)));
      steps = llvm::SaturatingAdd(steps, executions.back());
      break;
    }
    case Step::Kind::EndLoop:
      executions.pop_back();
      break;
    case Step::Kind::Execute:
      steps = llvm::SaturatingAdd(steps, executions.back());
      break;
    case Step::Kind::Alloc:
    case Step::Kind::Dealloc:
      break;
    }
  }
  return std::min<uint64_t>(steps, std::numeric_limits<int64_t>::max());
}
