//===- Columns.h - Columns taken apart and put together ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_NORMALIZE_COLUMNS_H
#define TRN_LIB_TRANSFORMS_NORMALIZE_COLUMNS_H

#include "trn/Transforms/Normalize/DimRange.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <optional>

namespace mlir::trn {

/// Some columns of a tensor, in some order. A row is the last dimension, or the
/// last ones where these are parts of one, as pairs of neighbours are.
struct Columns {
  Value source;
  /// How many columns the source has.
  int64_t width = 0;
  SmallVector<int64_t> indices = {};
  bool isNegated = false;
};

/// Static `type` with a row of `width` columns as one dimension, without those
/// of one index behind it.
RankedTensorType withFlatRows(RankedTensorType type, int64_t width);

/// The most columns that a product moves: it takes time for all of them for
/// each one. Heads have 64 to 256, and more is no rotary embedding.
constexpr int64_t maxColumns = 256;

/// The columns that `slice` takes, if it takes nothing else.
std::optional<Columns> matchColumns(tensor::ExtractSliceOp slice);

/// What the `count` columns of `value` are, after any number of slices and
/// negations, of a tensor with at most `maxColumns` or that they begin with.
Columns findColumns(Value value, int64_t count);

/// Tensors, each with the range of one dimension that it fills.
using JoinedRanges = SmallVector<std::pair<Value, DimRange>>;

/// What `op` puts together: by `tensor.concat`, as the last of some
/// `tensor.insert_slice`, or as JAX writes it, with `scf.if`. Nothing if it
/// does something else, or parts of the tensor come from elsewhere.
JoinedRanges findJoinedRanges(Operation *op);

/// A tensor that is put together of others along its columns.
struct JoinedColumns {
  /// Its result is the tensor.
  Operation *op = nullptr;
  int64_t width = 0;
  /// What is put together. `Columns::indices` are those of the result.
  SmallVector<Columns> pieces = {};

  RankedTensorType type() const {
    return cast<RankedTensorType>(op->getResult(0).getType());
  }
};

/// The tensor that `op` puts together, if these are columns of all of it.
std::optional<JoinedColumns> matchJoinedColumns(Operation *op);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_NORMALIZE_COLUMNS_H
