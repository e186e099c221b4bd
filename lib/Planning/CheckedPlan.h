//===- CheckedPlan.h - Whether a plan can be followed -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_CHECKEDPLAN_H
#define TRN_LIB_PLANNING_CHECKEDPLAN_H

#include "PlanFacts.h"
#include "trn/Machine/Machine.h"
#include "trn/Support/Refuse.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::trn::planning {

/// A plan that is checked, and the names that refusals use.
class CheckedPlan : public PlanFacts {
public:
  using PlanFacts::PlanFacts;

  llvm::ArrayRef<Loop> loopsOf(unsigned nest) const {
    return plan.nests[nest].loops;
  }
  llvm::StringRef nameOf(unsigned matrix) const {
    return graph.matrices[matrix].name;
  }
  /// Nests go by what they compute.
  llvm::StringRef nameOfNest(unsigned nest) const {
    return nameOf(stageOf(nest).result);
  }
  llvm::StringRef nameOfDim(unsigned dim) const { return graph.dims[dim].name; }
};

// Rules of `Plan::check`, by what they are about: each may ask for what those
// in front of it allow.
llvm::Error checkLoops(const CheckedPlan &checked);
llvm::Error checkHomes(const CheckedPlan &checked);
llvm::Error checkBatches(const CheckedPlan &checked);
llvm::Error checkAhead(const CheckedPlan &checked);

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_CHECKEDPLAN_H
