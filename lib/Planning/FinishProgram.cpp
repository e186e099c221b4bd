//===- FinishProgram.cpp - Engines, slots and places of a program ---------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramWriter.h"

#include "trn/Program/ChooseQueues.h"
#include "trn/Program/ProgramBuilder.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

void ProgramWriter::assignEvictions() {
  OpenBlock &block = blocks.back();
  std::vector<EngineLoad> copies(block.evictions.size());
  auto columns = [&](int32_t number) {
    return instructions[number].writes.front().dims.back().size;
  };
  for (auto [copy, number] : llvm::zip_equal(copies, block.evictions)) {
    copy.addVector(instructions[number].work.cycles, machine);
    copy.addScalar(activationCycles(columns(number)), Function::Copy, machine);
  }
  llvm::SmallVector<bool> choices = chooseScalar(copies, block.load, machine);
  for (auto [number, copy, isScalar] :
       llvm::zip_equal(block.evictions, copies, choices)) {
    if (isScalar) {
      instructions[number].engine = Engine::Scalar;
      instructions[number].work.cycles = activationCycles(columns(number));
    }
    (isScalar ? copy.vector : copy.scalar) = 0;
    copy.tables = isScalar ? copy.tables : 0;
    block.load.add(copy);
  }
}

void ProgramWriter::write(ProgramBuilder &builder, Step::Kind kind,
                          int32_t index) {
  switch (kind) {
  case Step::Kind::BeginLoop:
    builder.beginLoop(tripCounts[index]);
    return;
  case Step::Kind::EndLoop:
    return builder.endLoop();
  case Step::Kind::Alloc:
    return builder.alloc(index);
  case Step::Kind::Dealloc:
    return builder.dealloc(index);
  case Step::Kind::Execute:
    builder.execute(std::move(instructions[index]));
    return;
  }
}

std::optional<Program> ProgramWriter::finish() {
  assignEvictions();
  placement::Lives lives = recorder.take();
  if (!memory.placeIn(Space::Sbuf, machine.sbufPartitionBytes, lives) ||
      !memory.placeIn(Space::Psum, machine.psumBanks, lives))
    return std::nullopt;
  ProgramBuilder builder("kernel");
  builder.reserve(instructions.size());
  llvm::ArrayRef<Buffer> buffers = memory.all();
  for (const Buffer &buffer : buffers)
    builder.buffer(buffer);
  // In the order of the passes: the latest scratch is allocated first, and the
  // latest buffer freed first.
  for (int32_t number = int32_t(buffers.size()) - 1; number >= 0; --number)
    if (buffers[number].space == Space::Hbm && buffers[number].argument < 0)
      builder.alloc(number);
  std::vector<llvm::SmallVector<int32_t, 2>> freed(steps.size());
  for (auto [number, life] : llvm::enumerate(lives))
    freed[life.lastUse].push_back(memory.onChip(number));
  for (auto [step, done] : llvm::zip_equal(steps, freed)) {
    write(builder, step.first, step.second);
    for (int32_t buffer : llvm::reverse(done))
      builder.dealloc(buffer);
  }
  Program program = builder.take();
  chooseQueues(program);
  return program;
}
