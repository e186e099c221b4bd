//===- HashProgram.cpp - Tells programs from each other -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/HashProgram.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/bit.h"

using namespace mlir::trn;
using llvm::hash_combine;
using llvm::hash_combine_range;

namespace mlir::trn {
static llvm::hash_code hash_value(const LinearExpr &expr) {
  llvm::hash_code hash = hash_combine(expr.constant);
  for (const auto &term : expr.terms)
    hash = hash_combine(hash, term.loop, term.coefficient);
  return hash;
}

static llvm::hash_code hash_value(const Access &access) {
  llvm::hash_code hash =
      hash_combine(access.buffer, access.type, access.partition, access.offset);
  for (const Access::Dim &dim : access.dims)
    hash = hash_combine(hash, dim.size, dim.stride);
  return hash;
}

static llvm::hash_code hash_value(const Instruction &instruction) {
  const Work &work = instruction.work;
  llvm::hash_code hash = hash_combine(
      instruction.engine, instruction.semantics, work.cycles, work.bytes,
      work.descriptors,
      hash_combine_range(instruction.reads.begin(), instruction.reads.end()),
      hash_combine_range(instruction.writes.begin(), instruction.writes.end()));
  if (instruction.accumulate)
    hash = hash_combine(hash, instruction.accumulate->predicate,
                        instruction.accumulate->expr);
  for (const auto &step : instruction.formula)
    hash = hash_combine(hash, step.function);
  if (instruction.fold)
    hash = hash_combine(hash, instruction.fold->function);
  return hash;
}
} // namespace mlir::trn

uint64_t mlir::trn::hashProgram(const Program &program) {
  llvm::hash_code hash = hash_combine_range(program.instructions.begin(),
                                            program.instructions.end());
  for (const Buffer &buffer : program.buffers)
    hash = hash_combine(hash, buffer.space, buffer.type, buffer.bytes,
                        buffer.bytesPerPartition, buffer.offset, buffer.bank,
                        buffer.slots, buffer.argument);
  for (const Loop &loop : program.loops)
    hash = hash_combine(hash, loop.tripCount, loop.end);
  for (const Step &step : program.steps)
    hash = hash_combine(hash, step.kind, step.index);
  for (const Program &other : program.others)
    hash = hash_combine(hash, hashProgram(other));
  return hash;
}
