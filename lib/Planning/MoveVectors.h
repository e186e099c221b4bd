//===- MoveVectors.h - Vectors behind transpositions ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_MOVEVECTORS_H
#define TRN_LIB_PLANNING_MOVEVECTORS_H

#include "trn/Planning/Graph.h"

namespace mlir::trn::planning {

/// Adds the transpose of `matrix`, which a stage is to compute.
unsigned addTranspose(Graph &graph, unsigned matrix);

/// Lets what rows are combined with last, one vector for all of them, wait for
/// their transposition: `y = mul(exp(x), g)` and `yt = transpose y` become
/// `gt = transpose g`, `y = exp(x)` and `yt = mul(transpose y, gt)`. There the
/// vector is a column, which the copy out of PSUM takes along for nothing.
/// Values stay the same: what is transposed has the result's type already. In
/// front of all products only.
void moveVectorsBehindTranspositions(Graph &graph);

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_MOVEVECTORS_H
