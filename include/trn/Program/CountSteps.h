//===- CountSteps.h - Work of a program in steps ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_COUNTSTEPS_H
#define TRN_PROGRAM_COUNTSTEPS_H

#include <cstdint>
#include <vector>

namespace mlir::trn {

struct Program;

/// How many instructions and iterations a walk of `program` executes, found
/// without walking. Stops at the largest number there is.
int64_t countSteps(const Program &program);

/// How often each instruction is executed, likewise.
std::vector<int64_t> countExecutions(const Program &program);

} // namespace mlir::trn

#endif // TRN_PROGRAM_COUNTSTEPS_H
