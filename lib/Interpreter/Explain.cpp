//===- Explain.cpp - Finds who else took part in a fault ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"

#include "trn/Program/Walker.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using llvm::ArrayRef;

/// Whether an execution writes the element at `hole` of the memory of `buffer`.
static bool writesAt(const AddressMap &addresses,
                     const PreparedInstruction &instruction,
                     const Walker &walker, int32_t buffer,
                     WrittenMap::Position hole) {
  if (!instruction.error.empty() || instruction.isEmpty)
    return false;
  const OperandLayout &write = instruction.write();
  const Access &access = *write.access;
  const Program &program = addresses.program;
  Space space = program.buffers[buffer].space;
  if (write.buffer->space != space ||
      (space == Space::Hbm && access.buffer != buffer))
    return false;
  int64_t p0 =
      space == Space::Hbm ? 0 : access.partition.evaluate(walker.counters());
  if (hole.partition < p0 || hole.partition >= p0 + write.partitions)
    return false;
  int64_t start =
      addresses.slotBegin(access.buffer, walker.slot(access.buffer)) +
      access.offset.evaluate(walker.counters()) * byteSize(access.type);
  return write.forEachRun([&](int64_t lo, int64_t hi) {
    return start + lo <= hole.byte && hole.byte < start + hi;
  });
}

Fault mlir::trn::explainHole(const AddressMap &addresses,
                             ArrayRef<PreparedInstruction> instructions,
                             const OperandLayout &operand, int64_t slot,
                             WrittenMap::Position hole, uint64_t steps) {
  int32_t index = operand.access->buffer;
  const Buffer &buffer = *operand.buffer;
  Fault fault{"memory_c2", -1, "reads ", {}};
  if (buffer.space != Space::Hbm)
    fault.message += "partition " + std::to_string(hole.partition) + ", ";
  fault.message +=
      "byte " + std::to_string(hole.byte - addresses.slotBegin(index, slot)) +
      (buffer.result ? " of a result" : " of a buffer") +
      ", which was never written";
  fault.notes.push_back({buffer.op, "this buffer"});

  const Instruction *writer = nullptr;
  Walker walker(addresses.program);
  for (uint64_t i = 0; i < steps; ++i) {
    const Step *step = walker.next();
    if (step->kind == Step::Kind::Execute &&
        writesAt(addresses, instructions[step->index], walker, index, hole))
      writer = instructions[step->index].source;
  }
  if (!writer)
    return fault;
  if (writer->writes[0].buffer == index) {
    fault.notes.push_back({writer->op,
                           "this wrote it before the alloc was executed again, "
                           "which gave the slot to a new owner"});
    return fault;
  }
  fault.notes.push_back({writer->op, "this wrote it for another buffer"});
  fault.notes.push_back({addresses.program.buffers[writer->writes[0].buffer].op,
                         "that buffer was freed since"});
  return fault;
}

static bool isSameRegion(const OperandLayout &a, const Memory::Located &aAt,
                         const OperandLayout &b, const Memory::Located &bAt) {
  auto sameDim = [](const Access::Dim &x, const Access::Dim &y) {
    return x.size == y.size && x.stride == y.stride;
  };
  return aAt.pointer == bAt.pointer && a.partitions == b.partitions &&
         a.runBytes == b.runBytes && llvm::equal(a.outer, b.outer, sameDim);
}

bool mlir::trn::overlapInPart(Semantics semantics, const OperandLayout &read,
                              const Memory::Located &readAt,
                              const OperandLayout &write,
                              const Memory::Located &writeAt) {
  if (!readAt.region.overlaps(writeAt.region) ||
      (semantics != Semantics::Transpose &&
       isSameRegion(read, readAt, write, writeAt)))
    return false;
  std::vector<std::pair<int64_t, int64_t>> written;
  write.forEachRun([&](int64_t lo, int64_t hi) {
    written.push_back({writeAt.start + lo, writeAt.start + hi});
    return false;
  });
  llvm::sort(written);
  return read.forEachRun([&](int64_t lo, int64_t hi) {
    lo += readAt.start;
    hi += readAt.start;
    auto after = llvm::lower_bound(written, std::make_pair(hi, int64_t(0)));
    return after != written.begin() && std::prev(after)->second > lo;
  });
}
