//===- CheckGroups.h - Rules of groups of columns ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_CHECKGROUPS_H
#define TRN_LIB_PLANNING_CHECKGROUPS_H

#include "trn/Planning/Graph.h"

namespace mlir::trn::planning {

/// Holds what of `graph_c18` is about dims.
llvm::Error checkGroups(const Graph &graph);

/// Holds what of `graph_c18` is about the matrices that `stage` uses.
llvm::Error checkGroups(const Graph &graph, const Stage &stage);

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_CHECKGROUPS_H
