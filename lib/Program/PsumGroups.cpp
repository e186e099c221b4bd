//===- PsumGroups.cpp - Accumulation groups of PSUM banks -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/PsumGroups.h"

using namespace mlir::trn;

GroupFault PsumGroups::explain(int64_t bank, const BankArea &area,
                               const Instruction &matmul) const {
  const Bank &at = banks[bank];
  int32_t buffer = matmul.writes.front().buffer;
  std::string where = "accumulates into PSUM bank " + std::to_string(bank);
  // group_c2
  if (at.state == State::Open)
    return {"group_c2",
            matmul.op,
            buffer,
            where + " while another group is open there; a bank holds one open "
                    "group",
            at.op,
            "this matmul opened the other group"};
  // group_c3
  if (at.state == State::Overwritten && at.area.overlaps(area))
    return {"group_c3",
            matmul.op,
            buffer,
            where + ", which another instruction wrote; only a matmul that "
                    "overwrites starts a group",
            at.op,
            "this instruction wrote it"};
  // group_c1
  GroupFault fault = {"group_c1", matmul.op, buffer,
                      where + ", where no group was started; the first matmul "
                              "of a group must overwrite"};
  if (at.state == State::Released && at.area.overlaps(area)) {
    fault.other = at.op;
    fault.note = "this matmul opened a group, which ended when the bytes were "
                 "allocated again";
  }
  return fault;
}

void PsumGroups::write(
    int64_t bank, const BankArea &area, int32_t op,
    llvm::function_ref<bool(const BankArea &group)> touches) {
  Bank &at = banks[bank];
  if (at.state != State::Open || touches(at.area))
    at = {State::Overwritten, area, op};
}

void PsumGroups::alloc(int64_t bank, const BankArea &area) {
  Bank &at = banks[bank];
  if (!at.area.overlaps(area))
    return;
  if (at.state == State::Open)
    at.state = State::Released;
  else
    at = Bank();
}
