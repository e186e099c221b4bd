//===- BuildStages.h - Write the stages of a kernel -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_BUILDSTAGES_H
#define TRN_LIB_TRANSFORMS_BUILDSTAGES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::trn {

// Stages.h says what a stage is.

/// How the left operand of a product is stored: as rows [m, k], or the way the
/// tensor engine wants its stationary operand, [k, m].
enum class LhsLayout { Rows, ContractionFirst };

/// Where the two halves of a product stage come from in the source.
struct ProductLocation {
  Location product;
  Location eviction;
};

/// Emits a product stage with rhs [k, n]; returns the eviction's result [m, n]
/// of `type`.
Value buildProduct(OpBuilder &builder, ProductLocation loc, Value lhs,
                   LhsLayout layout, Value rhs, Type type);

/// Emits a stage that transposes `source`; returns the eviction's result.
Value buildTransposition(OpBuilder &builder, Location loc, Value source);

/// Emits `outs = cast(in)`, element by element.
linalg::GenericOp buildEviction(OpBuilder &builder, Location loc, Value source,
                                Value destination);

/// Emits `outs = cast(outs + in)`: the eviction that adds a partial sum.
linalg::GenericOp buildAccumulation(OpBuilder &builder, Location loc,
                                    Value source, Value destination);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_BUILDSTAGES_H
