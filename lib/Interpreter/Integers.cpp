//===- Integers.cpp - Integers that engines compute with ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Integers.h"

#include "LayoutParts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace mlir::trn;
using llvm::formatv;

int64_t mlir::trn::loadInteger(ElementType type, const char *from) {
  uint32_t bits;
  std::memcpy(&bits, from, sizeof bits);
  return type == ElementType::I32 ? int64_t(int32_t(bits)) : int64_t(bits);
}

/// Whether all operands have one type and no value changes.
static bool isMove(const PreparedInstruction &instruction) {
  Semantics semantics = instruction.source->semantics;
  bool isCopy = semantics == Semantics::Copy ||
                semantics == Semantics::Transpose ||
                semantics == Semantics::Shuffle;
  return isCopy && llvm::all_equal(llvm::map_range(
                       instruction.operands, [](const OperandLayout &operand) {
                         return operand.access->type;
                       }));
}

/// Whether a result has places, one of which stands for what is not found.
static bool hasPlaces(const PreparedInstruction &instruction, size_t operand) {
  std::optional<PartitionFunction> function =
      instruction.source->partitionFunction;
  size_t reads = instruction.source->reads.size();
  return (function == PartitionFunction::FindIndex8 && operand == reads) ||
         (function == PartitionFunction::MatchReplace8 && operand == reads + 1);
}

/// In f32; others are moved as they are.
static bool computesIntegers(const PreparedInstruction &instruction,
                             size_t operand) {
  return isInteger(instruction.operands[operand].access->type) &&
         !isMove(instruction) && !isIndirect(instruction.source->semantics) &&
         !hasPlaces(instruction, operand);
}

std::optional<Fault> mlir::trn::checkIntegers(const OperandLayout &operand,
                                              const Memory::Located &located,
                                              const Pitches &pitches,
                                              const char *verb) {
  ElementType type = operand.access->type;
  if (!isInteger(type) || isStorage(type))
    return std::nullopt;
  int64_t pitch = isOnChip(operand) ? pitchOf(operand, pitches) : 0;
  int64_t partitions = located.region.p1 - located.region.p0;
  std::optional<int64_t> wrong;
  for (int64_t partition = 0; partition < partitions && !wrong; ++partition)
    operand.forEachRun([&](int64_t lo, int64_t hi) {
      for (int64_t byte = lo; byte < hi && !wrong; byte += byteSize(type)) {
        int64_t value =
            loadInteger(type, located.pointer + partition * pitch + byte);
        if (std::abs(value) >= exactIntegers)
          wrong = value;
      }
      return wrong.has_value();
    });
  if (!wrong)
    return std::nullopt;
  bool isRead = llvm::StringRef(verb) == "reads";
  std::string value = isRead ? formatv("the integer {0}", *wrong).str()
                             : "what is no such integer";
  return Fault{"integer_c1",
               -1,
               formatv("{0} {1} in a buffer of {2}, but engines compute in "
                       "f32, where integers are exact below {3} in magnitude; "
                       "use smaller ones{4}",
                       verb, value, stringify(type), exactIntegers,
                       isRead ? "" : ", or a buffer of f32"),
               {{operand.buffer->op, "this buffer"}}};
}

std::optional<Fault>
mlir::trn::checkIntegers(const PreparedInstruction &instruction, size_t begin,
                         size_t end, llvm::ArrayRef<Memory::Located> located,
                         const Pitches &pitches, const char *verb) {
  for (size_t index = begin; index < end; ++index)
    if (computesIntegers(instruction, index))
      if (std::optional<Fault> fault = checkIntegers(
              instruction.operands[index], located[index], pitches, verb))
        return fault;
  return std::nullopt;
}

std::optional<Fault>
mlir::trn::checkChosen(const PreparedInstruction &instruction,
                       llvm::ArrayRef<Memory::Located> located,
                       const Pitches &pitches) {
  if (instruction.source->partitionFunction != PartitionFunction::Gather)
    return std::nullopt;
  const OperandLayout &data = instruction.operands[0];
  const OperandLayout &places = instruction.operands[1];
  ElementType type = places.access->type;
  int64_t count = freeElements(data), pitch = pitchOf(places, pitches);
  for (int64_t partition = 0; partition < places.partitions; ++partition) {
    const char *at = located[1].pointer + partition * pitch;
    std::optional<int64_t> wrong;
    places.forEachRun([&](int64_t lo, int64_t hi) {
      for (int64_t byte = lo; byte < hi && !wrong; byte += byteSize(type))
        if (int64_t place = loadInteger(type, at + byte); place >= count)
          wrong = place;
      return wrong.has_value();
    });
    if (wrong)
      return Fault{"indirect_c3",
                   -1,
                   formatv("has index {0} in partition {1}, but a partition of "
                           "data has {2} elements, 0 to {3}; correct it",
                           *wrong, partition, count, count - 1),
                   {{data.buffer->op, "this buffer"}}};
  }
  return std::nullopt;
}
