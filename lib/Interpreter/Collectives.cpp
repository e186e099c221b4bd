//===- Collectives.cpp - What cores do together ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Collectives.h"

#include "LayoutParts.h"
#include "RowFunctions.h"
#include "trn/Interpreter/CoreGroup.h"
#include "trn/Program/PrintProgram.h"
#include "trn/Program/Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cstring>

using namespace mlir::trn;
using llvm::ArrayRef;

/// What is wrong with the pieces of an AllToAll, or nothing.
static std::string checkExchange(const Instruction &source) {
  const Access &read = source.reads[0], &write = source.writes[0];
  const Collective &of = *source.collective;
  const auto dims = int64_t(read.dims.size());
  auto isDim = [&](int64_t dim) { return dim >= 0 && dim < dims; };
  if (!isDim(of.splitDim) || !isDim(of.concatDim) ||
      read.dims[of.splitDim].size % of.cores != 0)
    return "cuts " + describeSizes(read) + " along dimension " +
           std::to_string(of.splitDim) + " for " + std::to_string(of.cores) +
           " cores, and joins dimension " + std::to_string(of.concatDim);
  Access expected = read;
  expected.dims[of.splitDim].size /= of.cores;
  expected.dims[of.concatDim].size *= of.cores;
  return llvm::equal(expected.dims, write.dims,
                     [](const Access::Dim &left, const Access::Dim &right) {
                       return left.size == right.size;
                     })
             ? ""
             : "makes " + describeSizes(write) + " of pieces that make " +
                   describeSizes(expected);
}

/// What is wrong with the sources of a Permute, or nothing.
static std::string checkSources(const Collective &of) {
  const bool fit = llvm::all_of(of.sources, [&](int64_t source) {
    return source >= -1 && source < of.cores;
  });
  return fit && int64_t(of.sources.size()) == of.cores
             ? ""
             : "has no source for each of " + std::to_string(of.cores) +
                   " cores";
}

/// What is wrong with groups of cores, or nothing.
static std::string checkGroups(const Collective &of) {
  llvm::SmallBitVector named(of.groups.size());
  for (int64_t core : of.groups)
    if (core >= 0 && core < of.numCores())
      named.set(core);
  return of.numCores() % of.cores == 0 && named.all()
             ? ""
             : "has groups of " + std::to_string(of.cores) +
                   " cores that do not name each of " +
                   std::to_string(of.numCores()) + " once";
}

static bool isReduction(Semantics semantics) {
  return semantics == Semantics::AllReduce ||
         semantics == Semantics::ReduceScatter;
}

std::string mlir::trn::prepareCollective(const PreparedInstruction &prepared) {
  const Instruction &source = *prepared.source;
  const Access &read = source.reads[0], &write = source.writes[0];
  for (const OperandLayout &operand : prepared.operands)
    if (isOnChip(operand) || !operand.isDense())
      return "meets other cores over what is no array in HBM";
  if (read.type != write.type ||
      (isInteger(read.type) && isReduction(source.semantics)))
    return "makes " + stringify(write.type).str() + " of " +
           stringify(read.type).str();
  const int64_t cores = source.collective->cores,
                pieceElements = source.collective->pieceElements;
  if (cores < 1)
    return "is of " + std::to_string(cores) + " cores";
  if (std::string error = checkGroups(*source.collective); !error.empty())
    return error;
  if (source.semantics == Semantics::AllToAll)
    return checkExchange(source);
  int64_t piece = read.numElements(), whole = write.numElements();
  if (source.semantics == Semantics::ReduceScatter)
    std::swap(piece, whole);
  if (source.semantics == Semantics::Permute)
    return piece == whole
               ? checkSources(*source.collective)
               : "moves " + describeSizes(read) + " to " + describeSizes(write);
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
/// What cores brought, added up in f32, or folded otherwise.
class Summer {
public:
  Summer(const Instruction &instruction, CoreGroup::Parts parts)
      : type(instruction.writes[0].type), parts(parts),
        fold(findMap(
            {instruction.fold ? instruction.fold->function : Function::Add,
             /*second=*/Source::Read})) {}

  /// Stores the sums of `count` elements from element `first` on.
  void store(int64_t first, char *to, int64_t count) {
    for (int64_t begin = 0; begin < count; begin += chunk)
      storeChunk(first + begin, to + begin * byteSize(type),
                 std::min(chunk, count - begin));
  }

private:
  static constexpr int64_t chunk = 1024;

  void storeChunk(int64_t first, char *to, int64_t count) {
    const float *const inputs[] = {sums, others};
    loadFloats(type, parts[0] + first * byteSize(type), sums, count);
    for (const char *part : parts.drop_front()) {
      loadFloats(type, part + first * byteSize(type), others, count);
      fold(inputs, sums, count, /*parameters=*/{});
    }
    storeFloats(type, sums, to, count);
  }

  ElementType type;
  CoreGroup::Parts parts;
  RowFunction fold;
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
  Summer summer(instruction, parts);
  for (int64_t row = 0; row * piece < write.numElements(); ++row)
    summer.store((row * cores + rank) * piece, to + row * bytes, piece);
}

/// Copies a block of elements of `bytes` each, which are `sizes` in all
/// dimensions of `from` and `to`.
static void copyBlock(const char *from, ArrayRef<Access::Dim> fromDims,
                      char *to, ArrayRef<Access::Dim> toDims,
                      ArrayRef<int64_t> sizes, int64_t bytes) {
  if (sizes.empty()) {
    std::memcpy(to, from, bytes);
    return;
  }
  const Access::Dim &source = fromDims.front(), &target = toDims.front();
  if (sizes.size() == 1 && source.stride == 1 && target.stride == 1) {
    std::memcpy(to, from, sizes.front() * bytes);
    return;
  }
  for (int64_t i = 0; i < sizes.front(); ++i)
    copyBlock(from + i * source.stride * bytes, fromDims.drop_front(),
              to + i * target.stride * bytes, toDims.drop_front(),
              sizes.drop_front(), bytes);
}

static void exchange(const Instruction &instruction, CoreGroup::Parts parts,
                     int64_t rank, char *to) {
  const Access &read = instruction.reads[0], &write = instruction.writes[0];
  const Collective &of = *instruction.collective;
  const int64_t bytes = byteSize(read.type);
  llvm::SmallVector<int64_t, 5> piece;
  for (const Access::Dim &dim : read.dims)
    piece.push_back(dim.size);
  piece[of.splitDim] /= of.cores;
  const int64_t mine =
      rank * piece[of.splitDim] * read.dims[of.splitDim].stride;
  const int64_t next = piece[of.concatDim] * write.dims[of.concatDim].stride;
  for (auto [core, part] : llvm::enumerate(parts))
    copyBlock(part + mine * bytes, read.dims, to + int64_t(core) * next * bytes,
              write.dims, piece, bytes);
}

static void permute(const Instruction &instruction, CoreGroup::Parts parts,
                    int64_t rank, char *to) {
  const int64_t source = instruction.collective->sources[rank],
                bytes = instruction.writes[0].numBytes();
  if (source < 0)
    std::memset(to, 0, bytes);
  else
    std::memcpy(to, parts[source], bytes);
}

/// For the core that is `rank` of its group, which has these `parts`.
static void combineGroup(const Instruction &instruction, CoreGroup::Parts parts,
                         int64_t rank, char *to) {
  const Access &write = instruction.writes[0];
  switch (instruction.semantics) {
  case Semantics::AllGather:
    return gather(instruction, parts, to);
  case Semantics::ReduceScatter:
    return reduceScatter(instruction, parts, rank, to);
  case Semantics::AllToAll:
    return exchange(instruction, parts, rank, to);
  case Semantics::Permute:
    return permute(instruction, parts, rank, to);
  default:
    return Summer(instruction, parts).store(0, to, write.numElements());
  }
}

static void combine(const Instruction &instruction, CoreGroup::Parts parts,
                    int64_t rank, char *to) {
  const Collective &of = *instruction.collective;
  if (of.groups.empty())
    return combineGroup(instruction, parts, rank, to);
  const int64_t place = llvm::find(of.groups, rank) - of.groups.begin();
  const int64_t own = place % of.cores;
  llvm::SmallVector<const char *> group;
  for (int64_t core : ArrayRef<int64_t>(of.groups).slice(place - own, of.cores))
    group.push_back(parts[core]);
  combineGroup(instruction, group, own, to);
}

/// `all_reduce of 64 bytes`, and what else must be the same for all cores.
static std::string describe(const Instruction &instruction) {
  const Collective &of = *instruction.collective;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << stringify(instruction.semantics);
  if (instruction.fold)
    os << " by " << stringify(instruction.fold->function);
  if (instruction.semantics == Semantics::AllToAll)
    os << " from dimension " << of.splitDim << " to " << of.concatDim;
  if (instruction.semantics == Semantics::Permute) {
    os << " from [";
    llvm::interleaveComma(of.sources, os);
    os << ']';
  }
  if (!of.groups.empty()) {
    os << " in groups [";
    llvm::interleaveComma(of.groups, os);
    os << "] of " << of.cores;
  }
  os << " of " << instruction.reads[0].numBytes() << " bytes";
  return text;
}

std::optional<Fault> mlir::trn::runCollective(const Instruction &instruction,
                                              const OpInfo &op,
                                              const char *from, char *to,
                                              CoreGroup *cores) {
  const int64_t size = cores ? cores->size() : 1;
  const int64_t expected = instruction.collective->numCores();
  if (expected != size)
    return Fault{"cores_c2",
                 -1,
                 llvm::formatv("is of {0} cores, but the program runs on {1}",
                               expected, size),
                 {}};
  const int64_t bytes = instruction.reads[0].numBytes();
  if (!cores) {
    combine(instruction, {from}, /*rank=*/0, to);
    return std::nullopt;
  }
  CoreGroup::Meeting meeting{describe(instruction),
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
