//===- FoundPlan.h - What a search has found --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SEARCH_FOUNDPLAN_H
#define TRN_SEARCH_FOUNDPLAN_H

#include "trn/Planning/Plan.h"

namespace mlir::trn::search {

struct FoundPlan {
  planning::Schedule schedule;
  int64_t latency = 0; // of the kernel, in picoseconds
  /// Latency of the fastest plan, at most 1 % less.
  int64_t fastest = 0;
  int64_t timed = 0; // schedules that were compared
  /// False: programs were too long for that, and `latency` is the busy time of
  /// the busiest engine.
  bool isSimulated = true;
  /// If not 0, plans were compared for so many rows or batches, and `latency`
  /// is scaled.
  int64_t fewerRows = 0, fewerBatches = 0;

  bool isScaled() const { return fewerRows || fewerBatches; }
};

} // namespace mlir::trn::search

#endif // TRN_SEARCH_FOUNDPLAN_H
