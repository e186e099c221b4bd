//===- MoveScales.h - Numbers are scaled where that is cheap ----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_LOWER_MOVESCALES_H
#define TRN_LIB_TRANSFORMS_LOWER_MOVESCALES_H

#include "trn/Planning/Graph.h"

#include "mlir/Support/LLVM.h"

namespace mlir::trn {

/// Factors of products whose rows are multiplied with a column, or divided by
/// it, are no more: what the products compute is instead, as often it has fewer
/// columns. They must be f32, as no rounding moves. Returns the matrices that
/// are left over.
SmallVector<unsigned> scaleBehindProducts(planning::Graph &graph);

/// Sums that are multiplied with a positive constant are multiplied where they,
/// or the largest and least of them, are read instead: exponentials take that
/// along, and what is copied out of PSUM any engine copies.
void scaleWhereRead(planning::Graph &graph);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_LOWER_MOVESCALES_H
