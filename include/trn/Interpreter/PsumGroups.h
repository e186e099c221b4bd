//===- PsumGroups.h - Accumulation groups of PSUM banks ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_INTERPRETER_PSUMGROUPS_H
#define TRN_INTERPRETER_PSUMGROUPS_H

#include "trn/Interpreter/Memory.h"

namespace mlir::trn {

/// Follows the accumulation groups: a matmul that overwrites opens a group in
/// its bank and ends the one before; only matmuls may add to it, and only to
/// what it covers; any other write to its bytes ends it.
class PsumGroups {
public:
  PsumGroups(const Program &program, const Machine &machine)
      : program(program), bankBytes(machine.psumBankBytes),
        banks(machine.psumBanks) {}

  void open(const Instruction &instruction, const Region &region);
  std::optional<Fault> accumulate(const Region &region) const;
  void write(const Instruction &instruction, const OperandLayout &operand,
             const Memory::Located &located);
  /// The bytes change hands.
  void alloc(const Region &region);

private:
  struct Bank {
    bool isOpen = false;
    Region region{};
    int32_t op = -1;
    /// What ended the group: another engine's write.
    const Instruction *intruder = nullptr;
  };

  const Program &program;
  int64_t bankBytes;
  std::vector<Bank> banks;
};

} // namespace mlir::trn

#endif // TRN_INTERPRETER_PSUMGROUPS_H
