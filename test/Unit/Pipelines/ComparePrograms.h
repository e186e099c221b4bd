//===- ComparePrograms.h - What differs between two programs ----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_UNIT_PIPELINES_COMPAREPROGRAMS_H
#define TRN_TEST_UNIT_PIPELINES_COMPAREPROGRAMS_H

#include "trn/Program/Program.h"

namespace mlir::trn {

/// What differs between a program that was written without IR, whose
/// instructions lack functions and constants, and one that was decoded, whose
/// buffers may be numbered otherwise; empty if nothing does.
std::string comparePrograms(const Program &written, const Program &decoded);

} // namespace mlir::trn

#endif // TRN_TEST_UNIT_PIPELINES_COMPAREPROGRAMS_H
