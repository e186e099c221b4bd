//===- SearchPlan.h - The fastest plan by simulation ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PIPELINES_SEARCHPLAN_H
#define TRN_LIB_PIPELINES_SEARCHPLAN_H

#include "trn/Planning/PlanSpace.h"

namespace mlir::trn {

struct FoundPlan {
  planning::Schedule schedule;
  int64_t latency = 0; // of the kernel, in picoseconds
  int64_t timed = 0;   // schedules that were compared
  /// Otherwise they are too long for that, and `latency` is how long the
  /// busiest engine works.
  bool isSimulated = true;
  /// If not 0, they were compared for that many rows or batches, and `latency`
  /// is scaled.
  int64_t fewerRows = 0, fewerBatches = 0;

  bool isScaled() const { return fewerRows || fewerBatches; }
};

/// The fastest of the plans for `source` that are tried, which are `effort` at
/// most: from a few that promise much, for strips of each size, what differs
/// along one axis at a time; then what differs in one number, from the fastest
/// of each kind and from what is near the best. Fails with what is in the way
/// if none fits. Strips and batches are alike, so many of them are planned as
/// fewer. The answer depends on nothing but the arguments.
llvm::Expected<FoundPlan> searchPlan(const planning::Graph &source,
                                     const planning::Constraints &constraints,
                                     const Machine &machine, int64_t effort);

} // namespace mlir::trn

#endif // TRN_LIB_PIPELINES_SEARCHPLAN_H
