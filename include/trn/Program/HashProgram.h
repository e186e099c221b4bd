//===- HashProgram.h - Hashes of programs -----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_HASHPROGRAM_H
#define TRN_PROGRAM_HASHPROGRAM_H

#include "trn/Program/Program.h"

namespace mlir::trn {

/// A hash of the steps and addresses of a program, and so of its latency.
/// Names, locations and constants do not matter. Not to be stored.
uint64_t hashProgram(const Program &program);

} // namespace mlir::trn

#endif // TRN_PROGRAM_HASHPROGRAM_H
