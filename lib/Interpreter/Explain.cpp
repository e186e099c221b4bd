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

/// Whether `write` of an execution is of the element at `hole` of the memory of
/// `buffer`.
static bool writesAt(const AddressMap &addresses, const OperandLayout &write,
                     const Walker &walker, int32_t buffer,
                     WrittenMap::Position hole) {
  const Access &access = *write.access;
  Space space = addresses.program.buffers[buffer].space;
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

/// The write of an execution that is of that element.
static const OperandLayout *findWrite(const AddressMap &addresses,
                                      const PreparedInstruction &instruction,
                                      const Walker &walker, int32_t buffer,
                                      WrittenMap::Position hole) {
  // Which rows an indirect one wrote is not known any more.
  if (!instruction.error.empty() || instruction.isEmpty ||
      isIndirect(instruction.source->semantics))
    return nullptr;
  for (const OperandLayout &write : instruction.writes())
    if (writesAt(addresses, write, walker, buffer, hole))
      return &write;
  return nullptr;
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

  int32_t writer = -1, written = -1;
  Walker walker(addresses.program);
  for (uint64_t i = 0; i < steps; ++i) {
    const Step *step = walker.next();
    if (step->kind != Step::Kind::Execute)
      continue;
    const PreparedInstruction &instruction = instructions[step->index];
    if (const OperandLayout *write =
            findWrite(addresses, instruction, walker, index, hole)) {
      writer = instruction.source->op;
      written = write->access->buffer;
    }
  }
  if (writer < 0)
    return fault;
  if (written == index) {
    fault.notes.push_back({writer,
                           "this wrote it before the alloc was executed again, "
                           "which gave the slot to a new owner"});
    return fault;
  }
  fault.notes.push_back({writer, "this wrote it for another buffer"});
  fault.notes.push_back(
      {addresses.program.buffers[written].op, "that buffer was freed since"});
  return fault;
}

static bool isSameRegion(const OperandLayout &a, const Memory::Located &aAt,
                         const OperandLayout &b, const Memory::Located &bAt) {
  auto sameDim = [](const Access::Dim &x, const Access::Dim &y) {
    return x.size == y.size && x.stride == y.stride;
  };
  return aAt.pointer == bAt.pointer && a.partitions == b.partitions &&
         a.runBytes == b.runBytes && llvm::equal(a.outer, b.outer, sameDim) &&
         // Not one of them repeated.
         a.access->numElements() == b.access->numElements();
}

bool mlir::trn::overlapInPart(const OperandLayout &other,
                              const Memory::Located &otherAt,
                              const OperandLayout &write,
                              const Memory::Located &writeAt, bool mayBeSame) {
  if (!otherAt.region.overlaps(writeAt.region) ||
      (mayBeSame && isSameRegion(other, otherAt, write, writeAt)))
    return false;
  std::vector<std::pair<int64_t, int64_t>> written;
  write.forEachRun([&](int64_t lo, int64_t hi) {
    written.push_back({writeAt.start + lo, writeAt.start + hi});
    return false;
  });
  llvm::sort(written);
  return other.forEachRun([&](int64_t lo, int64_t hi) {
    lo += otherAt.start;
    hi += otherAt.start;
    auto after = llvm::lower_bound(written, std::make_pair(hi, int64_t(0)));
    return after != written.begin() && std::prev(after)->second > lo;
  });
}
