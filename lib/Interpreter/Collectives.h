//===- Collectives.h - What cores do together -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_INTERPRETER_COLLECTIVES_H
#define TRN_LIB_INTERPRETER_COLLECTIVES_H

#include "Layout.h"
#include "trn/Interpreter/Fault.h"

namespace mlir::trn {

class CoreGroup;
struct OpInfo;

/// What is wrong with a collective, or nothing.
std::string prepareCollective(const PreparedInstruction &prepared);

/// Runs one, from `op`, that reads `from` and writes `to`. `cores` may be null
/// if there is one core.
std::optional<Fault> runCollective(const Instruction &instruction,
                                   const OpInfo &op, const char *from, char *to,
                                   CoreGroup *cores);

} // namespace mlir::trn

#endif // TRN_LIB_INTERPRETER_COLLECTIVES_H
