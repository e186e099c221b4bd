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
/// Partitions [p0, p1) and bytes [lo, hi) of a bank.
struct Area {
  int64_t p0 = 0, p1 = 0, lo = 0, hi = 0;

  bool overlaps(const Area &other) const {
    return lo < other.hi && other.lo < hi && p0 < other.p1 && other.p0 < p1;
  }
  bool contains(const Area &other) const {
    return lo <= other.lo && other.hi <= hi && p0 <= other.p0 && other.p1 <= p1;
  }
};

/// What was last written to a bank, and whether it can be accumulated on.
struct Bank {
  Area area;
  int32_t op = -1;
  bool isOpen = false;
};

class Groups {
public:
  Groups(const Program &program, const Machine &machine)
      : program(program), walker(program), banks(machine.psumBanks) {}

  std::optional<GroupFault> check(int64_t maxExecutions);

private:
  Bank &bankOf(int32_t buffer) {
    return banks[program.buffers[buffer].bank + walker.slot(buffer)];
  }
  Area areaOf(const Access &access) const;
  std::optional<GroupFault> execute(const Instruction &instruction);
  GroupFault explain(const Instruction &instruction, const Bank &bank,
                     const Area &area) const;

  const Program &program;
  Walker walker;
  std::vector<Bank> banks;
};
} // namespace

/// Gaps between strided rows count as covered.
Area Groups::areaOf(const Access &access) const {
  int64_t elements = 1;
  for (Access::Dim dim : llvm::ArrayRef(access.dims).drop_front())
    elements += (dim.size - 1) * dim.stride;
  int64_t size = byteSize(access.type);
  int64_t p0 = access.partition.evaluate(walker.counters());
  int64_t lo = program.buffers[access.buffer].offset +
               access.offset.evaluate(walker.counters()) * size;
  return {p0, p0 + access.dims.front().size, lo, lo + elements * size};
}

GroupFault Groups::explain(const Instruction &instruction, const Bank &bank,
                           const Area &area) const {
  std::string where =
      "accumulates into PSUM bank " + std::to_string(&bank - banks.data());
  // group_c1
  if (bank.op < 0 || (!bank.isOpen && !bank.area.overlaps(area)))
    return {instruction.op, -1,
            where + ", where no group was started; the first matmul of a group "
                    "must overwrite",
            ""};
  // group_c2
  if (bank.isOpen)
    return {instruction.op, bank.op,
            where + " while another group is open there; a bank holds one open "
                    "group",
            "this matmul opened the other group"};
  // group_c3
  return {instruction.op, bank.op,
          where + ", which another instruction wrote; only a matmul that "
                  "overwrites starts a group",
          "this instruction wrote it"};
}

std::optional<GroupFault> Groups::execute(const Instruction &instruction) {
  const Access &write = instruction.writes.front();
  if (program.buffers[write.buffer].space != Space::Psum)
    return std::nullopt;
  Bank &bank = bankOf(write.buffer);
  Area area = areaOf(write);
  if (instruction.semantics != Semantics::Matmul) {
    // Beside an open group, other engines may write.
    if (!bank.isOpen || bank.area.overlaps(area))
      bank = {area, instruction.op, /*isOpen=*/false};
    return std::nullopt;
  }
  bool accumulates = instruction.accumulate &&
                     instruction.accumulate->evaluate(walker.counters());
  if (!accumulates)
    bank = {area, instruction.op, /*isOpen=*/true};
  else if (!bank.isOpen || !bank.area.contains(area))
    return explain(instruction, bank, area);
  return std::nullopt;
}

std::optional<GroupFault> Groups::check(int64_t maxExecutions) {
  while (const Step *step = walker.next()) {
    if (step->kind == Step::Kind::Alloc &&
        program.buffers[step->index].space == Space::Psum) {
      // The bytes change hands, so no group of the old owner goes on.
      const Buffer &buffer = program.buffers[step->index];
      Bank &bank = bankOf(step->index);
      if (bank.area.overlaps({0, buffer.partitions, buffer.offset,
                              buffer.offset + buffer.bytesPerPartition}))
        bank = Bank();
    }
    if (step->kind != Step::Kind::Execute)
      continue;
    if (maxExecutions-- <= 0)
      return std::nullopt;
    if (std::optional<GroupFault> fault =
            execute(program.instructions[step->index]))
      return fault;
  }
  return std::nullopt;
}

std::optional<GroupFault> mlir::trn::checkGroups(const Program &program,
                                                 const Machine &machine,
                                                 int64_t maxExecutions) {
  return Groups(program, machine).check(maxExecutions);
}
