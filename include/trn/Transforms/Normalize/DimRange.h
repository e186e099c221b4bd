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

/// The only dimension of which `slice` takes a part; none if it takes parts of
/// several.
std::optional<DimRange> matchRange(tensor::ExtractSliceOp slice);
/// The same for the tensor into which a slice is inserted.
std::optional<DimRange> matchRange(tensor::InsertSliceOp insert);

/// By operand of `op`, the dimension that is `dim` of its result, if it has it.
/// None if slicing the result is not slicing the operands.
std::optional<SmallVector<std::optional<int64_t>>> findDims(linalg::LinalgOp op,
                                                            int64_t dim);

/// Whether kernels can read `slice` directly from an argument: contiguous rows
/// and columns of a static matrix, elements of a vector, or columns of several
/// matrices.
bool isInArgument(tensor::ExtractSliceOp slice);

/// Whether `value` is columns of several matrices, as a kernel reads them.
bool isPartOfMatrices(Value value);

/// Whether slicing `source` by `range` costs nothing per run: it happens once,
/// when weights are loaded, or in the kernels that read it.
bool isFree(Value source, DimRange range);

/// Slices `source` before ops that only move its elements.
Value emitRange(OpBuilder &builder, Value source, DimRange range);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_NORMALIZE_DIMRANGE_H
