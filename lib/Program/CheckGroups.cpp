//===- CheckGroups.cpp - Accumulation groups, without values --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/CheckGroups.h"

#include "trn/Program/Walker.h"

using namespace mlir::trn;

namespace {
/// What one execution writes in PSUM.
struct Target {
  PsumArea area;
  /// Byte of the first element, and the strided dims from there.
  int64_t first;
  llvm::ArrayRef<Access::Dim> dims;
  int64_t elementBytes;

  /// Whether an element from byte `lo` on, walked from `dim`, is in `group`.
  bool touches(const PsumArea &group, int64_t lo, size_t dim) const {
    if (dim == dims.size())
      return group.overlaps({area.p0, area.p1, lo, lo + elementBytes});
    for (int64_t i = 0; i < dims[dim].size; ++i)
      if (touches(group, lo + i * dims[dim].stride * elementBytes, dim + 1))
        return true;
    return false;
  }
};

class GroupChecker {
public:
  GroupChecker(const Program &program, const Machine &machine)
      : program(program), machine(machine), walker(program), groups(machine) {}

  std::optional<GroupFault> check(int64_t maxSteps);

private:
  /// The byte of PSUM at which the current slot of `buffer` begins.
  int64_t beginOf(int32_t buffer) const {
    return slotBegin(program.buffers[buffer], walker.slot(buffer), machine);
  }
  Target locate(const Access &access) const;
  std::optional<GroupFault> execute(const Instruction &instruction);
  std::optional<GroupFault> execute(const Instruction &instruction,
                                    const Access &write);

  const Program &program;
  const Machine &machine;
  Walker walker;
  PsumGroups groups;
};
} // namespace

Target GroupChecker::locate(const Access &access) const {
  llvm::ArrayRef<Access::Dim> dims = llvm::ArrayRef(access.dims).drop_front();
  int64_t size = byteSize(access.type);
  int64_t p0 = access.partition.evaluate(walker.counters());
  int64_t first =
      beginOf(access.buffer) + access.offset.evaluate(walker.counters()) * size;
  PsumArea area = {p0, p0 + access.dims.front().size, first, first + size};
  for (Access::Dim dim : dims)
    (dim.stride < 0 ? area.lo : area.hi) += (dim.size - 1) * dim.stride * size;
  return {area, first, dims, size};
}

std::optional<GroupFault>
GroupChecker::execute(const Instruction &instruction) {
  for (const Access &write : instruction.writes)
    if (program.buffers[write.buffer].space == Space::Psum)
      if (std::optional<GroupFault> fault = execute(instruction, write))
        return fault;
  return std::nullopt;
}

std::optional<GroupFault> GroupChecker::execute(const Instruction &instruction,
                                                const Access &write) {
  Target target = locate(write);
  bool accumulates = instruction.accumulate &&
                     instruction.accumulate->evaluate(walker.counters());
  return groups.write(instruction, target.area, accumulates,
                      [&](const PsumArea &group) {
                        return target.area.overlaps(group) &&
                               target.touches(group, target.first, 0);
                      });
}

std::optional<GroupFault> GroupChecker::check(int64_t maxSteps) {
  while (const Step *step = walker.next()) {
    if (maxSteps-- <= 0)
      return std::nullopt;
    if (step->kind == Step::Kind::Alloc) {
      const Buffer &buffer = program.buffers[step->index];
      if (buffer.space == Space::Psum)
        groups.alloc({0, buffer.partitions, beginOf(step->index),
                      beginOf(step->index) + buffer.bytesPerPartition});
    }
    if (step->kind != Step::Kind::Execute)
      continue;
    if (std::optional<GroupFault> fault =
            execute(program.instructions[step->index]))
      return fault;
  }
  return std::nullopt;
}

std::optional<GroupFault> mlir::trn::checkGroups(const Program &program,
                                                 const Machine &machine,
                                                 int64_t maxSteps) {
  return GroupChecker(program, machine).check(maxSteps);
}
