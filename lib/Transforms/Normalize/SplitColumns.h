//===- SplitColumns.h - Columns that are told apart -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_NORMALIZE_SPLITCOLUMNS_H
#define TRN_LIB_TRANSFORMS_NORMALIZE_SPLITCOLUMNS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::trn {

/// Rewrites `product`, which accumulates onto zeros, as one for each slice of
/// its columns, if that is all that is read of it and of elementwise ops behind
/// it, and its weight is known at load; otherwise a remark says what to do.
void splitColumns(linalg::LinalgOp product);

/// Lets `slice`, which takes columns of each head apart, take them of matrices
/// without dimensions of one index, as kernels read them in place.
void sliceHeads(tensor::ExtractSliceOp slice);

/// Lets `slice`, which takes one row or column of each of several matrices, as
/// the first token of each sequence, take columns of one matrix, as kernels
/// read them in place.
void sliceRow(tensor::ExtractSliceOp slice);

/// Lets `op`, if it is a reshape of columns of matrices that leaves these, be
/// such columns of what is reshaped before.
void sliceReshaped(Operation *op);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_NORMALIZE_SPLITCOLUMNS_H
