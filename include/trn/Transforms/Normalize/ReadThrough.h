//===- ReadThrough.h - Products that read stored tensors --------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_NORMALIZE_READTHROUGH_H
#define TRN_TRANSFORMS_NORMALIZE_READTHROUGH_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::trn {

/// An op that only moves, repeats or extends the elements of one tensor. It is
/// a transposition, a broadcast or arith.extf in a generic.
struct Movement {
  Value source;
  /// From indices of the result to those of the source.
  AffineMap map;
};
std::optional<Movement> matchMovement(Value value);

/// The same, behind which dimensions of one index may be dropped. Its map has
/// zeros for these.
std::optional<Movement> matchUnits(Value value);

/// `source` without the dimensions of which `map` has index 0. The map loses
/// them, too.
std::pair<Value, AffineMap> dropZeros(OpBuilder &builder, Value source,
                                      AffineMap map);

/// The element type of the tensor that `value` moves or reshapes.
Type getStoredType(Value value);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_NORMALIZE_READTHROUGH_H
