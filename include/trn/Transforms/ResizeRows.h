//===- ResizeRows.h - Give X another number of rows -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_RESIZEROWS_H
#define TRN_TRANSFORMS_RESIZEROWS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::trn {

/// Gives the first argument of `entry` another number of rows, and with it
/// every tensor that has as many rows because of it: through the indexing maps
/// of linalg, elementwise ops, reshapes that keep the dimension, and calls.
///
/// The rows are the dimension of that argument that nothing sums over, beside
/// dimensions of size 1. Fails where there is none or more than one, and at an
/// op that ties the rows to something else. The module computes the same then.
LogicalResult resizeRows(func::FuncOp entry, int64_t rows);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_RESIZEROWS_H
