//===- DimRange.h - Slices of one dimension ---------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_NORMALIZE_DIMRANGE_H
#define TRN_TRANSFORMS_NORMALIZE_DIMRANGE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <optional>

namespace mlir::trn {

/// Some indices of one dimension of a tensor.
struct DimRange {
  int64_t dim, offset, size, stride;

  DimRange ofDim(int64_t other) const { return {other, offset, size, stride}; }
};

/// The one dimension that `slice` takes a part of, all others whole; none if it
/// takes parts of several.
std::optional<DimRange> matchRange(tensor::ExtractSliceOp slice);
/// The same of the tensor that a slice is inserted into.
std::optional<DimRange> matchRange(tensor::InsertSliceOp insert);

/// By operand of `op`, the dimension that is `dim` of its result, if it has
/// that; none if a slice of the result is none of the operands.
std::optional<SmallVector<std::optional<int64_t>>> findDims(linalg::LinalgOp op,
                                                            int64_t dim);

/// Whether kernels take `slice` out of an argument by themselves: neighbouring
/// rows and columns of a static matrix, or elements of a vector.
bool isInArgument(tensor::ExtractSliceOp slice);

/// Whether `range` of `source` costs nothing when the program runs: it is made
/// once, when weights are loaded, or by kernels that read it.
bool isFree(Value source, DimRange range);

/// Slices `source`, in front of ops that only move its elements.
Value emitRange(OpBuilder &builder, Value source, DimRange range);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_NORMALIZE_DIMRANGE_H
