//===- CheckAccesses.cpp - Whether engines can reach their operands -------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/CheckAccesses.h"

#include "trn/Program/DmaWork.h"
#include "trn/Program/RepeatedElements.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::formatv;

namespace {
/// One access of one instruction.
struct Checker {
  const Machine &machine;
  const Buffer &buffer;
  const Access &access;
  llvm::ArrayRef<int64_t> tripCounts;
  /// "reads" or "writes".
  const char *verb;
  Semantics semantics;

  bool isOnChip() const { return buffer.space != Space::Hbm; }
  int64_t partitions() const { return access.dims.front().size; }
  llvm::ArrayRef<Access::Dim> freeDims() const {
    return llvm::ArrayRef(access.dims).drop_front(isOnChip() ? 1 : 0);
  }
  const char *memory() const {
    return buffer.space == Space::Psum ? "psum" : "sbuf";
  }

  std::string checkBounds() const;
  std::string checkStart() const;
  std::string checkColumns() const;
  std::string checkSize() const;
  std::string checkDims() const;
  std::string checkRepeats() const;
};
} // namespace

/// Farther than any buffer reaches, and far from overflow.
static constexpr int64_t beyond = int64_t(1) << 61;

/// access_c1
std::string Checker::checkBounds() const {
  Interval range = rangeOf(access.offset, tripCounts);
  int64_t low = std::max(range.min, -beyond);
  int64_t high = std::min(range.max, beyond);
  for (Access::Dim dim : freeDims())
    (dim.stride < 0 ? low : high) += (dim.size - 1) * dim.stride;
  int64_t bytes = isOnChip() ? buffer.bytesPerPartition : buffer.bytes;
  int64_t elements = bytes / byteSize(buffer.type);
  const char *where = isOnChip() ? " of a partition" : "";
  if (low < 0 || high >= elements)
    return formatv("{0} element {1}{2}, but the buffer has {3} of them", verb,
                   low < 0 ? low : high, where, elements);
  if (!isOnChip())
    return "";
  Interval rows = rangeOf(access.partition, tripCounts);
  int64_t last = std::min(rows.max, beyond) + partitions() - 1;
  if (rows.min >= 0 && last < buffer.partitions)
    return "";
  return formatv("{0} partition {1}, but the buffer has {2} of them", verb,
                 rows.min < 0 ? rows.min : last, buffer.partitions);
}

/// Whether `access` starts at a multiple of `step` in each iteration.
static bool startsAtMultiple(const Access &access, int64_t step) {
  return access.partition.constant % step == 0 &&
         llvm::all_of(access.partition.terms,
                      [&](const LinearExpr::Term &term) {
                        return term.coefficient % step == 0;
                      });
}

/// access_c2: up to 32 partitions start anywhere in steps of 32, up to 64 in
/// steps of 64, more at the first one.
std::string Checker::checkStart() const {
  int64_t step = machine.partitionGranule;
  while (step < partitions())
    step *= 2;
  if (startsAtMultiple(access, step))
    return "";
  Interval start = rangeOf(access.partition, tripCounts);
  std::string from = access.partition.isConstant()
                         ? formatv("partition {0}", start.min).str()
                         : formatv("partitions {0} to {1} in steps that are "
                                   "not multiples of it",
                                   start.min, start.max)
                               .str();
  return formatv("{0} {1} partitions of {2}, which must start at a multiple of "
                 "{3}, but start at {4}",
                 verb, partitions(), memory(), step, from);
}

/// access_c7
std::string Checker::checkColumns() const {
  int64_t step = machine.tensorColumnGranule;
  if (step == 0 || startsAtMultiple(access, step))
    return "";
  return formatv(
      "{0} {1} partitions of {2} that do not start at a multiple of "
      "{3}, but the tensor engine of {4} writes partition by column, "
      "and parts of its columns start at multiples of {3}",
      verb, partitions(), memory(), step, machine.name);
}

/// access_c3
std::string Checker::checkSize() const {
  int64_t elements = access.numElements() / partitions();
  int64_t limit =
      buffer.space == Space::Psum ? machine.psumFreeMax : machine.sbufFreeMax;
  if (elements <= limit)
    return "";
  return formatv("{0} {1} elements of a partition of {2}, but one instruction "
                 "reaches at most {3}; split it",
                 verb, elements, memory(), limit);
}

/// access_c4, access_c5: of the pattern with the fewest dimensions, since
/// contiguous ones can be one.
std::string Checker::checkDims() const {
  AccessDims dims(access.dims);
  mergeDims({&dims}, /*keepFirst=*/true);
  int64_t count = dims.size() - 1;
  if (count > machine.accessDimsMax)
    return formatv("{0} {1} strided dimensions of a partition, but one "
                   "instruction walks over at most {2}; split it",
                   verb, count, machine.accessDimsMax);
  for (Access::Dim dim : llvm::ArrayRef(dims).drop_front())
    if (std::abs(dim.stride) > machine.accessStrideMax)
      return formatv("{0} elements that are {1} apart in a partition, but one "
                     "instruction steps over at most {2}; split it",
                     verb, dim.stride, machine.accessStrideMax);
  return "";
}

/// access_c6: partitions are different elements by themselves.
std::string Checker::checkRepeats() const {
  // Which rows a scatter writes only a run shows.
  size_t rows = semantics == Semantics::Scatter && !isOnChip() ? 1 : 0;
  if (!hasRepeatedElements(freeDims().drop_front(rows)))
    return "";
  return formatv("{0} an element more than once, so that the order of elements "
                 "would decide about its value; use strides that keep them "
                 "apart",
                 verb);
}

static std::string check(const Checker &checker, Engine engine, bool isWrite) {
  std::string message = checker.checkBounds();
  if (message.empty() && isWrite)
    message = checker.checkRepeats();
  bool isDma = engine == Engine::Load || engine == Engine::Store;
  if (isDma || !checker.isOnChip())
    return message;
  if (message.empty())
    message = checker.checkStart();
  if (message.empty() && isWrite && engine == Engine::Tensor)
    message = checker.checkColumns();
  if (message.empty())
    message = checker.checkSize();
  if (message.empty())
    message = checker.checkDims();
  return message;
}

std::optional<AccessFault> mlir::trn::checkAccesses(const Program &program,
                                                    const Machine &machine) {
  llvm::SmallVector<int64_t> tripCounts;
  for (const Loop &loop : program.loops)
    tripCounts.push_back(loop.tripCount);
  for (const Instruction &instruction : program.instructions) {
    auto checkAll = [&](llvm::ArrayRef<Access> accesses,
                        const char *verb) -> std::optional<AccessFault> {
      for (const Access &access : accesses) {
        Checker checker = {machine, program.buffers[access.buffer],
                           access,  tripCounts,
                           verb,    instruction.semantics};
        bool isWrite = accesses.data() == instruction.writes.data();
        std::string message = check(checker, instruction.engine, isWrite);
        if (!message.empty())
          return AccessFault{instruction.op, access.buffer, message};
      }
      return std::nullopt;
    };
    if (std::optional<AccessFault> fault = checkAll(instruction.reads, "reads"))
      return fault;
    if (std::optional<AccessFault> fault =
            checkAll(instruction.writes, "writes"))
      return fault;
  }
  return std::nullopt;
}
