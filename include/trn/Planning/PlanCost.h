//===- PlanCost.h - What a plan moves, holds and computes -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_PLANCOST_H
#define TRN_PLANNING_PLANCOST_H

#include "trn/Placement/Problem.h"
#include "trn/Planning/Walk.h"
#include <algorithm>

namespace mlir::trn::planning {

/// What one walk over a schedule tells. Bytes stop at the largest number there
/// is instead of wrapping around.
struct PlanCost {
  /// Traffic with HBM; that of intermediates is part of it.
  int64_t readBytes = 0, writtenBytes = 0;
  int64_t reloadedBytes = 0, savedBytes = 0;
  /// How long engines are busy at least, whatever they wait for. Evictions,
  /// which go to VectorE or ScalarE, are not part of it.
  double tensorNs = 0, dmaNs = 0, vectorNs = 0, scalarNs = 0;

  double busiestNs() const {
    return std::max({tensorNs, dmaNs, vectorNs, scalarNs});
  }

  /// The buffers in SBUF, as placement sees them, and what they are for.
  placement::Problem sbuf;
  std::vector<PlannedBuffer> buffers;
  /// The banks of PSUM, before those that are left over rotate.
  placement::Problem psum;
};

PlanCost computeCost(const Schedule &schedule, const Machine &machine);

/// What is needed of SBUF at `peak`, what there is, and for which buffers.
std::string describePeak(const Graph &graph, const PlanCost &cost,
                         const placement::Peak &peak);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_PLANCOST_H
