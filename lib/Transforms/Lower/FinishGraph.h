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

/// Gives the matrices of `graph` this order, which has those in use once.
void orderMatrices(planning::Graph &graph, ArrayRef<unsigned> order);

/// The largest of some numbers is one of them, so an intermediate that holds it
/// gets their type.
void narrowMaxima(planning::Graph &graph);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_LOWER_FINISHGRAPH_H
