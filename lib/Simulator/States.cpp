//===- States.cpp - What the rest of a simulation depends on --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "States.h"

#include "trn/Program/CountSteps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;

PartStates::PartStates(const Program &program, llvm::ArrayRef<int32_t> begins,
                       llvm::ArrayRef<int32_t> asked, size_t distance)
    : begins(begins), asked(asked), distance(distance), memory(begins.size()),
      tiles(begins.size() + 1), users(begins.size() + 1, 0) {
  std::vector<size_t> latest(program.buffers.size(), size_t(-1));
  std::vector<int64_t> executions = countExecutions(program);
  size_t part = 0;
  for (auto [index, instruction] : llvm::enumerate(program.instructions)) {
    while (part + 1 < begins.size() && int32_t(index) >= begins[part + 1])
      ++part;
    if (executions[index] > 0)
      users[part] |= uint8_t(1 << static_cast<int>(instruction.engine));
    auto addBuffer = [&](const Access &access) {
      if (latest[access.buffer] == part)
        return;
      latest[access.buffer] = part;
      bool isHbm = program.buffers[access.buffer].space == Space::Hbm;
      (isHbm ? memory : tiles)[part].push_back(access.buffer);
    };
    llvm::for_each(instruction.reads, addBuffer);
    llvm::for_each(instruction.writes, addBuffer);
  }
  for (size_t i = users.size(); i-- > 1;)
    users[i - 1] |= users[i];
}

std::vector<int32_t> PartStates::memoryBefore(size_t part) const {
  std::vector<int32_t> buffers;
  for (size_t ago = 1; ago <= std::min(distance, part); ++ago) {
    const std::vector<int32_t> &used = memory[part - ago];
    buffers.insert(buffers.end(), used.begin(), used.end());
    buffers.push_back(-1);
  }
  return buffers;
}

size_t PartStates::partOf(int32_t instruction) const {
  return llvm::upper_bound(begins, instruction) - begins.begin() - 1;
}

void PartStates::addInstruction(int32_t instruction, size_t part,
                                StateWriter &writer) const {
  size_t own = partOf(instruction);
  writer.add(int64_t(part - own));
  writer.add(instruction - begins[own]);
}
