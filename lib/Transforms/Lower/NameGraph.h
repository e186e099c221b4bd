//===- NameGraph.h - Names for what a kernel computes -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_LOWER_NAMEGRAPH_H
#define TRN_LIB_TRANSFORMS_LOWER_NAMEGRAPH_H

#include "trn/Planning/Graph.h"

#include "mlir/Support/LLVM.h"

namespace mlir::trn {

/// Names what has none: x, w, o of a product, x, u, v, o of a chain of two, x,
/// w1, w2, w3, o of others, b and c of vectors and matrices that expressions
/// read; m, k, n of dims, r of a rank, batch of batches. Vectors have one of
/// `units` beside their own dim.
void nameGraph(planning::Graph &graph, ArrayRef<unsigned> units);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_LOWER_NAMEGRAPH_H
