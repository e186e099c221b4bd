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

bool ProgramWriter::placeIn(Space space, int64_t capacity,
                            llvm::ArrayRef<placement::Life> all) {
  llvm::SmallVector<placement::Life, 0> own;
  llvm::SmallVector<int32_t> placed;
  for (auto [life, tiles] : llvm::zip_equal(all, onChip))
    if (buffers[tiles.buffer].space == space) {
      own.push_back(life);
      placed.push_back(tiles.buffer);
    }
  placement::Problem problem = placement::describe(own, capacity);
  placement::spreadEvenly(own, problem);
  std::optional<placement::Solution> solution = placement::place(own, problem);
  if (!solution)
    return false;
  for (auto [number, place, offset] :
       llvm::zip_equal(placed, problem.buffers, solution->offsets)) {
    Buffer &buffer = buffers[number];
    buffer.slots = place.slots;
    (space == Space::Psum ? buffer.bank : buffer.offset) = offset;
  }
  return true;
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
  if (!placeIn(Space::Sbuf, machine.sbufPartitionBytes, lives) ||
      !placeIn(Space::Psum, machine.psumBanks, lives))
    return std::nullopt;
  ProgramBuilder builder("kernel");
  builder.reserve(instructions.size());
  for (const Buffer &buffer : buffers)
    builder.buffer(buffer);
  // In the order of the passes: the latest scratch is allocated first, and the
  // latest buffer freed first.
  for (int32_t number = int32_t(buffers.size()) - 1; number >= 0; --number)
    if (buffers[number].space == Space::Hbm && buffers[number].argument < 0)
      builder.alloc(number);
  std::vector<llvm::SmallVector<int32_t, 2>> freed(steps.size());
  for (auto [life, tiles] : llvm::zip_equal(lives, onChip))
    freed[life.lastUse].push_back(tiles.buffer);
  for (auto [step, done] : llvm::zip_equal(steps, freed)) {
    write(builder, step.first, step.second);
    for (int32_t buffer : llvm::reverse(done))
      builder.dealloc(buffer);
  }
  Program program = builder.take();
  chooseQueues(program);
  return program;
}
