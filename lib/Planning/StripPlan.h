//===- StripPlan.h - Plans of kernels that run strip by strip ---*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_STRIPPLAN_H
#define TRN_LIB_PLANNING_STRIPPLAN_H

#include "trn/Planning/PlanSpace.h"

namespace mlir::trn::planning {

/// The plan of `graph`, which is legal, with strips of `dim`, which all results
/// have.
/// With `recompute`, intermediates are computed again for every block of the
/// result's columns.
Plan planStrips(const Graph &graph, unsigned dim, const Candidate &candidate,
                bool recompute);

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_STRIPPLAN_H
