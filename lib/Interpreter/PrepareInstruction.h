//===- PrepareInstruction.h - What all executions share ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_INTERPRETER_PREPAREINSTRUCTION_H
#define TRN_LIB_INTERPRETER_PREPAREINSTRUCTION_H

#include "Layout.h"

namespace mlir::trn {

/// Prepares one instruction; failures are left in `error`.
PreparedInstruction prepareInstruction(const Program &program,
                                       const Instruction &instruction,
                                       const Pitches &pitches);

} // namespace mlir::trn

#endif // TRN_LIB_INTERPRETER_PREPAREINSTRUCTION_H
