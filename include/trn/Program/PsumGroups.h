//===- PsumGroups.h - Accumulation groups of PSUM banks ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_PSUMGROUPS_H
#define TRN_PROGRAM_PSUMGROUPS_H

#include "trn/Machine/Machine.h"
#include "trn/Program/Instruction.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace mlir::trn {

/// Partitions [p0, p1) and bytes [lo, hi) of PSUM, or of one of its banks.
struct PsumArea {
  int64_t p0 = 0, p1 = 0, lo = 0, hi = 0;

  bool overlaps(const PsumArea &other) const {
    return lo < other.hi && other.lo < hi && p0 < other.p1 && other.p0 < p1;
  }
  bool contains(const PsumArea &other) const {
    return lo <= other.lo && other.hi <= hi && p0 <= other.p0 && other.p1 <= p1;
  }
};

/// An instruction of the tensor engine that writes where it must not.
struct GroupFault {
  llvm::StringRef rule;
  /// Indices into `Program::ops`: the instruction, and its obstacle, if any.
  int32_t op;
  /// Index into `Program::buffers`: the destination.
  int32_t buffer;
  std::string message;
  int32_t other = -1;
  std::string note = {};
};

/// Follows the accumulation groups of a walk through a program. A matmul that
/// overwrites opens a group, and ends what it overlaps of others. Groups that
/// do not overlap are open beside each other, in one bank, too. Whether a
/// matmul overwrites is a matter of the elements that it writes (ISA:536-555).
/// The vendor's own kernels interleave such groups (NKL). Only matmuls add to a
/// group, and only inside it. Any other write to it ends it, and so does an
/// alloc of its bytes:
/// - `group_c1`: a group starts with a matmul that overwrites
/// - `group_c2`: a matmul adds to one group, inside of what that started with
/// - `group_c3`: nothing is accumulated on what another instruction wrote
/// - `group_c4`: the tensor engine writes inside one bank (A1:790-795)
class PsumGroups {
public:
  explicit PsumGroups(const Machine &machine)
      : bankBytes(machine.psumBankBytes), banks(machine.psumBanks) {}

  /// `instruction` writes inside `area` and, if it is a matmul, `accumulates`
  /// or not; `touches` tells whether it writes any byte of a group.
  std::optional<GroupFault>
  write(const Instruction &instruction, const PsumArea &area, bool accumulates,
        llvm::function_ref<bool(const PsumArea &group)> touches);
  /// `area` has a new owner.
  void alloc(const PsumArea &area);

private:
  enum class State { Open, Overwritten, Released };
  struct Group {
    State state;
    PsumArea area;
    /// The op that opened or overwrote the group.
    int32_t op;
  };
  /// The last ones first. What has ended stays until a new group overlaps it,
  /// to be named.
  using Bank = std::vector<Group>;

  /// `body` for each bank of `area`, with what it has of that.
  void forEachBank(const PsumArea &area,
                   llvm::function_ref<void(Bank &, const PsumArea &)> body);
  /// Adds `group`, and takes its area out of the others that an instruction
  /// touches.
  static void replace(Bank &bank, const Group &group,
                      llvm::function_ref<bool(const PsumArea &other)> touches);
  GroupFault explain(int64_t bank, const PsumArea &area,
                     const Instruction &matmul) const;

  const int64_t bankBytes;
  std::vector<Bank> banks;
};

} // namespace mlir::trn

#endif // TRN_PROGRAM_PSUMGROUPS_H
