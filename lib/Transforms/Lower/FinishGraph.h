//===- FinishGraph.h - The last steps of making a graph ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_LOWER_FINISHGRAPH_H
#define TRN_LIB_TRANSFORMS_LOWER_FINISHGRAPH_H

#include "trn/Planning/Graph.h"

#include "mlir/Support/LLVM.h"

namespace mlir::trn {

/// The last steps of making a graph, whose matrices get this `order`: scales go
/// where they are cheap, and the largest of some numbers, which is one of them,
/// gets their type. Returns the order of those that are left.
SmallVector<unsigned> finishGraph(planning::Graph &graph,
                                  SmallVector<unsigned> order);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_LOWER_FINISHGRAPH_H
