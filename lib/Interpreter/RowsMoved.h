//===- RowsMoved.h - Rows that a tile chooses -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_INTERPRETER_ROWSMOVED_H
#define TRN_LIB_INTERPRETER_ROWSMOVED_H

#include "Memory.h"

namespace mlir::trn {

/// Which operand of a Gather or Scatter is the table of rows in HBM; the
/// indices are operand 1, and the tile whose partitions are rows is the third
/// one.
inline size_t tableOf(const PreparedInstruction &instruction) {
  return instruction.source->semantics == Semantics::Gather ? 0 : 2;
}

/// One execution of a Gather or Scatter, of which values decide where it reads
/// or writes. So nothing else may be under way.
class RowsMoved {
public:
  /// `located` are the operands of `instruction`.
  RowsMoved(const PreparedInstruction &instruction,
            llvm::ArrayRef<Memory::Located> located, Memory &memory)
      : instruction(instruction), located(located), memory(memory) {}

  /// Reads the indices.
  std::optional<Fault> choose();
  /// The first element of the rows that holds no value, of a Gather.
  std::optional<WrittenMap::Position> findHole() const;
  /// Moves the rows, which hold values from then on where they went.
  std::optional<Fault> move();

private:
  struct Pair {
    int64_t partition, row;
  };

  const OperandLayout &table() const {
    return instruction.operands[tableOf(instruction)];
  }
  const OperandLayout &tile() const {
    return instruction.operands[2 - tableOf(instruction)];
  }
  Memory::Located locateRow(int64_t row) const;
  Memory::Located locateTile(int64_t partition) const;
  Memory::Located locatePartition(size_t operand, int64_t partition) const;
  std::optional<Fault> checkOnce() const;

  const PreparedInstruction &instruction;
  llvm::ArrayRef<Memory::Located> located;
  Memory &memory;
  llvm::SmallVector<Pair> pairs;
};

} // namespace mlir::trn

#endif // TRN_LIB_INTERPRETER_ROWSMOVED_H
