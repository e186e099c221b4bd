//===- ReadThrough.h - Products that read what is stored --------*- C++ -*-===//
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

/// An op that only moves, repeats or widens the elements of one tensor: a
/// transposition, a broadcast, arith.extf in a generic.
struct Movement {
  Value source;
  /// From an index of the result to one of the source.
  AffineMap map;
};
std::optional<Movement> matchMovement(Value value);

/// The element type of what is behind movements and reshapes of `value`.
Type getStoredType(Value value);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_NORMALIZE_READTHROUGH_H
