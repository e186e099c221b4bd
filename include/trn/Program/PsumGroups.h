//===- PsumGroups.h - Accumulation groups of PSUM banks ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_PSUMGROUPS_H
#define TRN_PROGRAM_PSUMGROUPS_H

#include "trn/Program/Instruction.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace mlir::trn {

/// Partitions [p0, p1) and bytes [lo, hi) of a PSUM bank.
struct BankArea {
  int64_t p0 = 0, p1 = 0, lo = 0, hi = 0;

  bool overlaps(const BankArea &other) const {
    return lo < other.hi && other.lo < hi && p0 < other.p1 && other.p0 < p1;
  }
  bool contains(const BankArea &other) const {
    return lo <= other.lo && other.hi <= hi && p0 <= other.p0 && other.p1 <= p1;
  }
};

/// A matmul that accumulates where it must not.
struct GroupFault {
  llvm::StringRef rule;
  /// Indices into `Program::ops`: the matmul, and its obstacle, if any.
  int32_t op;
  /// Index into `Program::buffers`: the destination.
  int32_t buffer;
  std::string message;
  int32_t other = -1;
  std::string note = {};
};

/// Follows the accumulation groups of a walk through a program. A matmul that
/// overwrites opens a group in its bank and ends the previous one. Only matmuls
/// add to a group, and only inside it. Any other write to it ends it, and so
/// does an alloc of its bytes. Breaking a rule is undefined on the hardware
/// (ISA:536-555):
/// - `group_c1`: a group starts with a matmul that overwrites
/// - `group_c2`: a bank has one open group
/// - `group_c3`: nothing is accumulated on what another instruction wrote
class PsumGroups {
public:
  explicit PsumGroups(int64_t banks) : banks(banks) {}

  /// Functions take a bank of the machine; `op` is an index into
  /// `Program::ops`.
  void open(int64_t bank, const BankArea &area, int32_t op) {
    banks[bank] = {State::Open, area, op};
  }
  std::optional<GroupFault> accumulate(int64_t bank, const BankArea &area,
                                       const Instruction &matmul) const {
    const Bank &at = banks[bank];
    if (at.state == State::Open && at.area.contains(area))
      return std::nullopt;
    return explain(bank, area, matmul);
  }
  /// Another instruction wrote inside `area`; `touches` tells whether it wrote
  /// any byte of a group.
  void write(int64_t bank, const BankArea &area, int32_t op,
             llvm::function_ref<bool(const BankArea &group)> touches);
  /// `area` has a new owner.
  void alloc(int64_t bank, const BankArea &area);

private:
  enum class State { Empty, Open, Overwritten, Released };
  struct Bank {
    State state = State::Empty;
    BankArea area;
    /// The op that opened or overwrote the group.
    int32_t op = -1;
  };

  GroupFault explain(int64_t bank, const BankArea &area,
                     const Instruction &matmul) const;

  std::vector<Bank> banks;
};

} // namespace mlir::trn

#endif // TRN_PROGRAM_PSUMGROUPS_H
