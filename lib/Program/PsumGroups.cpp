//===- PsumGroups.cpp - Accumulation groups of PSUM banks -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/PsumGroups.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;

/// Takes `hole` out of `area`: above and below it, then left and right of it.
static void subtract(const PsumArea &area, const PsumArea &hole,
                     llvm::function_ref<void(const PsumArea &part)> body) {
  int64_t p0 = std::max(area.p0, hole.p0), p1 = std::min(area.p1, hole.p1);
  for (PsumArea part :
       {PsumArea{area.p0, hole.p0, area.lo, area.hi},
        PsumArea{hole.p1, area.p1, area.lo, area.hi},
        PsumArea{p0, p1, area.lo, hole.lo}, PsumArea{p0, p1, hole.hi, area.hi}})
    if (part.p0 < part.p1 && part.lo < part.hi)
      body(part);
}

GroupFault PsumGroups::explain(int64_t bank, const PsumArea &area,
                               const Instruction &matmul) const {
  const Bank &groups = banks[bank];
  int32_t buffer = matmul.writes.front().buffer;
  std::string where = "accumulates into PSUM bank " + std::to_string(bank);
  auto find = [&](State state) {
    return llvm::find_if(groups, [&](const Group &group) {
      return group.state == state && group.area.overlaps(area);
    });
  };
  // group_c3
  if (auto group = find(State::Overwritten); group != groups.end())
    return {"group_c3",
            matmul.op,
            buffer,
            where + ", which another instruction wrote; only a matmul that "
                    "overwrites starts a group",
            group->op,
            "this instruction wrote it"};
  // group_c2
  if (auto group = find(State::Open); group != groups.end())
    return {"group_c2",
            matmul.op,
            buffer,
            where + " beyond the group that is open there; a matmul adds "
                    "inside of what one matmul has started",
            group->op,
            "this matmul opened the group"};
  // group_c1
  GroupFault fault = {"group_c1", matmul.op, buffer,
                      where + ", where no group was started; the first matmul "
                              "of a group must overwrite"};
  if (auto group = find(State::Released); group != groups.end()) {
    fault.other = group->op;
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

void PsumGroups::replace(
    Bank &bank, const Group &group,
    llvm::function_ref<bool(const PsumArea &other)> touches) {
  Bank kept = {group};
  for (const Group &other : bank) {
    if (!other.area.overlaps(group.area) ||
        (other.state == State::Open && !touches(other.area)))
      kept.push_back(other);
    else if (other.state == State::Open)
      subtract(other.area, group.area, [&](const PsumArea &part) {
        kept.push_back({State::Open, part, other.op});
      });
  }
  bank = std::move(kept);
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
    forEachBank(area, [&](Bank &groups, const PsumArea &part) {
      replace(groups, {State::Overwritten, part, instruction.op}, touches);
    });
    return std::nullopt;
  }
  if (!accumulates) {
    replace(banks[bank], {State::Open, area, instruction.op}, touches);
    return std::nullopt;
  }
  bool isInside = llvm::any_of(banks[bank], [&](const Group &group) {
    return group.state == State::Open && group.area.contains(area);
  });
  return isInside ? std::nullopt
                  : std::optional(explain(bank, area, instruction));
}

void PsumGroups::alloc(const PsumArea &area) {
  forEachBank(area, [](Bank &groups, const PsumArea &part) {
    llvm::erase_if(groups, [&](const Group &group) {
      return group.state != State::Open && group.area.overlaps(part);
    });
    for (Group &group : groups)
      if (group.area.overlaps(part))
        group.state = State::Released;
  });
}
