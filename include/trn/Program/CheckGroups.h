//===- CheckGroups.h - Accumulation groups, without values ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_CHECKGROUPS_H
#define TRN_PROGRAM_CHECKGROUPS_H

#include "trn/Machine/Machine.h"
#include "trn/Program/Program.h"
#include "trn/Program/PsumGroups.h"

namespace mlir::trn {

/// The first matmul of a placed program that accumulates where it must not.
/// Accesses must stay inside PSUM. After `maxSteps` steps, the rest is left to
/// the interpreter, which has the same rules.
std::optional<GroupFault> checkGroups(const Program &program,
                                      const Machine &machine, int64_t maxSteps);

} // namespace mlir::trn

#endif // TRN_PROGRAM_CHECKGROUPS_H
