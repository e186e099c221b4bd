//===- Explain.h - Finds who else took part in a fault ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_INTERPRETER_EXPLAIN_H
#define TRN_INTERPRETER_EXPLAIN_H

#include "Memory.h"

namespace mlir::trn {

/// The fault of reading `operand` where `hole` holds no value. Walks the first
/// `steps` steps again to find who wrote there last, so that a run without
/// faults need not remember it.
Fault explainHole(const AddressMap &addresses,
                  llvm::ArrayRef<PreparedInstruction> instructions,
                  const OperandLayout &operand, int64_t slot,
                  WrittenMap::Position hole, uint64_t steps);

/// Whether two operands of one instruction, in one buffer, share bytes; if they
/// may be the same, without being the same region element by element.
bool overlapInPart(const OperandLayout &other, const Memory::Located &otherAt,
                   const OperandLayout &write, const Memory::Located &writeAt,
                   bool mayBeSame);

} // namespace mlir::trn

#endif // TRN_INTERPRETER_EXPLAIN_H
