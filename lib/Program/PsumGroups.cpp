//===- PsumGroups.cpp - Accumulation groups of PSUM banks -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/PsumGroups.h"

using namespace mlir::trn;

GroupFault PsumGroups::explain(int64_t bank, const PsumArea &area,
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

void PsumGroups::forEachBank(
    const PsumArea &area,
    llvm::function_ref<void(Bank &, const PsumArea &)> body) {
  for (int64_t bank = area.lo / bankBytes; bank * bankBytes < area.hi; ++bank)
    body(banks[bank], {area.p0, area.p1, std::max(area.lo, bank * bankBytes),
                       std::min(area.hi, (bank + 1) * bankBytes)});
}

std::optional<GroupFault>
PsumGroups::write(const Instruction &instruction, const PsumArea &area,
                  bool accumulates,
                  llvm::function_ref<bool(const PsumArea &group)> touches) {
  int64_t bank = area.lo / bankBytes, last = (area.hi - 1) / bankBytes;
  // group_c4
  if (instruction.engine == Engine::Tensor && bank != last)
    return GroupFault{
        "group_c4", instruction.op, instruction.writes.front().buffer,
        "writes PSUM banks " + std::to_string(bank) + " to " +
            std::to_string(last) +
            ", but the tensor engine writes inside one bank; split it"};
  if (instruction.semantics != Semantics::Matmul) {
    forEachBank(area, [&](Bank &at, const PsumArea &part) {
      if (at.state != State::Open || touches(at.area))
        at = {State::Overwritten, part, instruction.op};
    });
    return std::nullopt;
  }
  Bank &at = banks[bank];
  if (accumulates && !(at.state == State::Open && at.area.contains(area)))
    return explain(bank, area, instruction);
  if (!accumulates)
    at = {State::Open, area, instruction.op};
  return std::nullopt;
}

void PsumGroups::alloc(const PsumArea &area) {
  forEachBank(area, [](Bank &at, const PsumArea &part) {
    if (!at.area.overlaps(part))
      return;
    if (at.state == State::Open)
      at.state = State::Released;
    else
      at = Bank();
  });
}
