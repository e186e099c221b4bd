//===- RepeatedElements.h - Views that overlap themselves -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_REPEATEDELEMENTS_H
#define TRN_PROGRAM_REPEATEDELEMENTS_H

#include "trn/Program/Instruction.h"

namespace mlir::trn {

/// Whether two positions in `dims` are the same element, as with strides [1,
/// 1]. Exact, except for interlocking dims of more than 2^28 elements, which
/// count as repeated.
bool hasRepeatedElements(llvm::ArrayRef<Access::Dim> dims);

} // namespace mlir::trn

#endif // TRN_PROGRAM_REPEATEDELEMENTS_H
