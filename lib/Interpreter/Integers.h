//===- Integers.h - Integers that engines compute with ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_INTERPRETER_INTEGERS_H
#define TRN_LIB_INTERPRETER_INTEGERS_H

#include "Memory.h"

namespace mlir::trn {

/// One integer of `type`.
int64_t loadInteger(ElementType type, const char *from);

/// The fault of an operand of integers that f32 does not hold exactly, or that
/// were none when they were stored; floats have none. `verb` is "reads" or
/// "leaves".
std::optional<Fault> checkIntegers(const OperandLayout &operand,
                                   const Memory::Located &located,
                                   const Pitches &pitches, const char *verb);

/// The same of all operands from `begin` to `end` whose integers are computed
/// with in f32; others are moved as they are.
std::optional<Fault> checkIntegers(const PreparedInstruction &instruction,
                                   size_t begin, size_t end,
                                   llvm::ArrayRef<Memory::Located> located,
                                   const Pitches &pitches, const char *verb);

/// The fault of a place that the elements of a partition do not have, for an
/// instruction that chooses among them.
std::optional<Fault> checkChosen(const PreparedInstruction &instruction,
                                 llvm::ArrayRef<Memory::Located> located,
                                 const Pitches &pitches);

} // namespace mlir::trn

#endif // TRN_LIB_INTERPRETER_INTEGERS_H
