//===- PsumGroups.cpp - Accumulation groups of PSUM banks -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Interpreter/PsumGroups.h"

using namespace mlir::trn;

void PsumGroups::open(const Instruction &instruction, const Region &region) {
  banks[region.lo / bankBytes] = {true, region, instruction.op, nullptr};
}

std::optional<Fault> PsumGroups::accumulate(const Region &region) const {
  int64_t index = region.lo / bankBytes;
  const Bank &bank = banks[index];
  if (bank.isOpen && bank.region.contains(region))
    return std::nullopt;
  Fault fault{-1, "accumulates into PSUM bank " + std::to_string(index), {}};
  if (bank.intruder && bank.region.overlaps(region)) {
    fault.message += ", which another instruction wrote; only a matmul "
                     "that overwrites starts a group";
    fault.notes.push_back({bank.intruder->op, "this instruction wrote it"});
  } else if (bank.isOpen) {
    fault.message += " while another group is open there; a bank holds one "
                     "open group";
    fault.notes.push_back({bank.op, "this matmul opened the other group"});
  } else {
    fault.message += ", where no group was started; the first matmul of a "
                     "group must overwrite";
  }
  fault.notes.push_back({program.buffers[region.buffer].op, "this buffer"});
  return fault;
}

void PsumGroups::write(const Instruction &instruction,
                       const OperandLayout &operand,
                       const Memory::Located &located) {
  Bank &bank = banks[located.region.lo / bankBytes];
  bool touchesGroup =
      bank.isOpen && operand.forEachRun([&](int64_t lo, int64_t hi) {
        Region run = located.region;
        run.lo = located.start + lo;
        run.hi = located.start + hi;
        return bank.region.overlaps(run);
      });
  bool isFresh = !bank.isOpen && !bank.intruder;
  if (isFresh || touchesGroup)
    bank = {false, located.region, instruction.op, &instruction};
}

void PsumGroups::alloc(const Region &region) {
  Bank &bank = banks[region.lo / bankBytes];
  if (bank.region.overlaps(region))
    bank = Bank();
}
