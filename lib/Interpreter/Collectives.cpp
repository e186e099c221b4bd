//===- Collectives.cpp - What cores do together ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Collectives.h"

#include "LayoutParts.h"
#include "trn/Interpreter/CoreGroup.h"
#include "trn/Program/PrintProgram.h"
#include "trn/Program/Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cstring>

using namespace mlir::trn;

std::string mlir::trn::prepareCollective(const PreparedInstruction &prepared) {
  const Instruction &source = *prepared.source;
  const Access &read = source.reads[0], &write = source.writes[0];
  for (const OperandLayout &operand : prepared.operands)
    if (isOnChip(operand) || !operand.isDense())
      return "meets other cores over what is no array in HBM";
  if (read.type != write.type || isInteger(read.type))
    return "makes " + stringify(write.type).str() + " of " +
           stringify(read.type).str();
  const int64_t cores = source.collective->cores,
                pieceElements = source.collective->pieceElements;
  if (cores < 1)
    return "is of " + std::to_string(cores) + " cores";
  int64_t piece = read.numElements(), whole = write.numElements();
  if (source.semantics == Semantics::ReduceScatter)
    std::swap(piece, whole);
  if (source.semantics == Semantics::AllReduce)
    return piece == whole
               ? ""
               : "sums " + describeSizes(read) + " to " + describeSizes(write);
  if (piece * cores == whole && pieceElements > 0 && piece % pieceElements == 0)
    return "";
  return "has pieces of " + std::to_string(piece) + " elements of " +
         std::to_string(whole) + " for " + std::to_string(cores) + " cores";
}

namespace {
/// What cores brought, added up in f32.
class Summer {
public:
  Summer(ElementType type, CoreGroup::Parts parts) : type(type), parts(parts) {}

  /// Stores the sums of `count` elements from element `first` on.
  void store(int64_t first, char *to, int64_t count) {
    for (int64_t begin = 0; begin < count; begin += chunk)
      storeChunk(first + begin, to + begin * byteSize(type),
                 std::min(chunk, count - begin));
  }

private:
  static constexpr int64_t chunk = 1024;

  void storeChunk(int64_t first, char *to, int64_t count) {
    loadFloats(type, parts[0] + first * byteSize(type), sums, count);
    for (const char *part : parts.drop_front()) {
      loadFloats(type, part + first * byteSize(type), others, count);
      for (int64_t i = 0; i < count; ++i)
        sums[i] += others[i];
    }
    storeFloats(type, sums, to, count);
  }

  ElementType type;
  CoreGroup::Parts parts;
  float sums[chunk], others[chunk];
};
} // namespace

static void gather(const Instruction &instruction, CoreGroup::Parts parts,
                   char *to) {
  const Access &read = instruction.reads[0];
  const int64_t bytes =
      instruction.collective->pieceElements * byteSize(read.type);
  for (int64_t begin = 0; begin < read.numBytes(); begin += bytes)
    for (const char *part : parts) {
      std::memcpy(to, part + begin, bytes);
      to += bytes;
    }
}

static void reduceScatter(const Instruction &instruction,
                          CoreGroup::Parts parts, int64_t rank, char *to) {
  const Access &write = instruction.writes[0];
  const int64_t piece = instruction.collective->pieceElements,
                bytes = piece * byteSize(write.type),
                cores = instruction.collective->cores;
  Summer summer(write.type, parts);
  for (int64_t row = 0; row * piece < write.numElements(); ++row)
    summer.store((row * cores + rank) * piece, to + row * bytes, piece);
}

static void combine(const Instruction &instruction, CoreGroup::Parts parts,
                    int64_t rank, char *to) {
  const Access &write = instruction.writes[0];
  if (instruction.semantics == Semantics::AllGather)
    gather(instruction, parts, to);
  else if (instruction.semantics == Semantics::ReduceScatter)
    reduceScatter(instruction, parts, rank, to);
  else
    Summer(write.type, parts).store(0, to, write.numElements());
}

std::optional<Fault> mlir::trn::runCollective(const Instruction &instruction,
                                              const OpInfo &op,
                                              const char *from, char *to,
                                              CoreGroup *cores) {
  const int64_t size = cores ? cores->size() : 1;
  if (instruction.collective->cores != size)
    return Fault{"cores_c2",
                 -1,
                 llvm::formatv("is of {0} cores, but the program runs on {1}",
                               instruction.collective->cores, size),
                 {}};
  const int64_t bytes = instruction.reads[0].numBytes();
  if (!cores) {
    combine(instruction, {from}, /*rank=*/0, to);
    return std::nullopt;
  }
  CoreGroup::Meeting meeting{llvm::formatv("{0} of {1} bytes",
                                           stringify(instruction.semantics),
                                           bytes),
                             op.location.empty() ? op.name : op.location};
  // Others may still read what this core overwrites.
  std::vector<char> own(from == to ? bytes : 0);
  char *target = own.empty() ? to : own.data();
  std::optional<std::string> problem =
      cores->meet(meeting, from, bytes, [&](CoreGroup::Parts parts) {
        combine(instruction, parts, cores->rank(), target);
      });
  if (!problem) {
    llvm::copy(own, to);
    return std::nullopt;
  }
  return Fault{
      "cores_c1", -1, "does not meet the other cores: " + *problem, {}};
}
