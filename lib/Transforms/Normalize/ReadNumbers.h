//===- ReadNumbers.h - Numbers instead of tensors of them -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_NORMALIZE_READNUMBERS_H
#define TRN_LIB_TRANSFORMS_NORMALIZE_READNUMBERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::trn {

/// Generics among `ops` of `func` that read a fill, or a constant of equal
/// elements, use its number instead.
void readFills(func::FuncOp func, ArrayRef<Operation *> ops);

/// Scalars that generics among `ops` read, or use in their bodies, are vectors
/// of one element. What is computed of scalars in each run is computed in these
/// bodies, rather than by the host between kernels.
void expandScalars(ArrayRef<Operation *> ops);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_NORMALIZE_READNUMBERS_H
