//===- CheckMasks.h - Masks and constants of a graph ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_CHECKMASKS_H
#define TRN_LIB_PLANNING_CHECKMASKS_H

#include "trn/Planning/Graph.h"

namespace mlir::trn::planning {

/// Holds `graph_c13`, and what of `graph_c15` is about the matrix alone.
llvm::Error checkMask(const Matrix &matrix);

/// Holds the rest of `graph_c15`, of a graph that is sound but for that.
llvm::Error checkConstants(const Graph &graph);

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_CHECKMASKS_H
