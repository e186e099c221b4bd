//===- Snapshot.cpp - What a buffer holds in the middle of a run ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Interpreter/Snapshot.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;

bool mlir::trn::writes(const Instruction &instruction, int32_t buffer) {
  return llvm::any_of(instruction.writes, [&](const Access &write) {
    return write.buffer == buffer;
  });
}

llvm::SmallVector<int32_t, 4>
mlir::trn::loopsAroundWrites(const Program &program, int32_t buffer) {
  llvm::SmallVector<int32_t, 4> around;
  std::optional<llvm::SmallVector<int32_t, 4>> common;
  for (const Step &step : program.steps) {
    if (step.kind == Step::Kind::BeginLoop)
      around.push_back(step.index);
    if (step.kind == Step::Kind::EndLoop)
      around.pop_back();
    if (step.kind != Step::Kind::Execute ||
        !writes(program.instructions[step.index], buffer))
      continue;
    if (!common)
      common = around;
    auto differ = llvm::mismatch(*common, around);
    common->erase(differ.first, common->end());
  }
  return common.value_or(llvm::SmallVector<int32_t, 4>());
}
