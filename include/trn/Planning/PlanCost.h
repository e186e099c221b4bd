//===- PlanCost.h - Traffic, memory and work of a plan ----------*- C++ -*-===//
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

/// The result of one walk over a schedule. Byte counts stop at the largest
/// number instead of wrapping around.
struct PlanCost {
  /// Traffic with HBM, including that of intermediates.
  int64_t readBytes = 0, writtenBytes = 0;
  int64_t reloadedBytes = 0, savedBytes = 0;
  /// The least time for which each engine is busy, without waits. Evictions,
  /// which VectorE or ScalarE does, are left out.
  double tensorNs = 0, dmaNs = 0, vectorNs = 0, scalarNs = 0;

  double busiestNs() const {
    return std::max({tensorNs, dmaNs, vectorNs, scalarNs});
  }

  /// The buffers in SBUF, as placement sees them, and their contents.
  placement::Problem sbuf;
  std::vector<PlannedBuffer> buffers;
  /// The banks of PSUM, before spare banks become further slots.
  placement::Problem psum;
};

PlanCost computeCost(const Schedule &schedule, const Machine &machine);

/// The same in a fraction of the time, but lives of buffers are those before
/// instructions of a scheduled plan are reordered.
PlanCost estimateCost(const Schedule &schedule, const Machine &machine);

/// SBUF needed at `peak` and available, and the buffers there, as text.
std::string describePeak(const Graph &graph, const PlanCost &cost,
                         const placement::Peak &peak);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_PLANCOST_H
