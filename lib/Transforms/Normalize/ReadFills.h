//===- ReadFills.h - Numbers instead of tensors of one number ---*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_NORMALIZE_READFILLS_H
#define TRN_LIB_TRANSFORMS_NORMALIZE_READFILLS_H

#include "mlir/IR/Operation.h"

namespace mlir::trn {

/// Generics among `ops` that read a fill, or a constant of equal elements, read
/// its number.
void readFills(ArrayRef<Operation *> ops);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_NORMALIZE_READFILLS_H
