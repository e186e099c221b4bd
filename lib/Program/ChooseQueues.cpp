//===- ChooseQueues.cpp - Queues of loads ---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/ChooseQueues.h"

#include "trn/Program/Program.h"
#include <optional>

using namespace mlir::trn;

namespace {
/// From the first to the last element of an access in HBM.
struct Stretch {
  int32_t buffer;
  int64_t first, last;

  bool overlaps(const Stretch &other) const {
    return buffer == other.buffer && first <= other.last && other.first <= last;
  }
};
} // namespace

/// Of the last time that loops execute it; none if no access is in HBM.
static std::optional<Stretch> findInHbm(const Program &program,
                                        llvm::ArrayRef<Access> accesses,
                                        llvm::ArrayRef<int64_t> lastCounters) {
  for (const Access &access : accesses) {
    if (program.buffers[access.buffer].space != Space::Hbm)
      continue;
    int64_t first = access.offset.evaluate(lastCounters), last = first;
    for (const Access::Dim &dim : access.dims)
      last += (dim.size - 1) * dim.stride;
    return Stretch{access.buffer, first, last};
  }
  return std::nullopt;
}

void mlir::trn::chooseQueues(Program &program) {
  llvm::SmallVector<int64_t> lastCounters;
  for (const Loop &loop : program.loops)
    lastCounters.push_back(loop.tripCount - 1);
  auto find = [&](llvm::ArrayRef<Access> accesses) {
    return findInHbm(program, accesses, lastCounters);
  };
  std::optional<Stretch> stored;          // by the last store
  llvm::SmallVector<Instruction *> loads; // of that buffer, since then
  bool isRead = false;
  auto choose = [&] {
    if (isRead)
      for (Instruction *load : loads)
        load->engine = Engine::Store;
    loads.clear();
    isRead = false;
  };
  int64_t depth = 0;
  for (const Step &step : program.steps) {
    depth += int64_t(step.kind == Step::Kind::BeginLoop) -
             int64_t(step.kind == Step::Kind::EndLoop);
    if (step.kind != Step::Kind::Execute)
      continue;
    Instruction &instruction = program.instructions[step.index];
    if (instruction.engine == Engine::Store) {
      choose();
      stored = find(instruction.writes);
    } else if (instruction.engine == Engine::Load && stored) {
      std::optional<Stretch> read = find(instruction.reads);
      if (!read || read->buffer != stored->buffer)
        continue;
      isRead |= read->overlaps(*stored);
      if (depth == 0)
        loads.push_back(&instruction);
    }
  }
  choose();
}
