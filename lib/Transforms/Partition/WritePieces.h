//===- WritePieces.h - A function as each core runs it ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_PARTITION_WRITEPIECES_H
#define TRN_LIB_TRANSFORMS_PARTITION_WRITEPIECES_H

#include "Propagation.h"

namespace mlir::trn {

/// Replaces the body and the type of `func` by those for pieces.
void writePieces(func::FuncOp func, const Propagation &propagation);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_PARTITION_WRITEPIECES_H
