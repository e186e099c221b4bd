//===- SimulateCalls.h - Launches of calls that repeat ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SIMULATOR_SIMULATECALLS_H
#define TRN_SIMULATOR_SIMULATECALLS_H

#include "trn/Program/Launch.h"
#include "trn/Simulator/Simulator.h"

namespace mlir::trn {

struct CallsResult {
  /// As `LaunchResult::calls`, but those that take the same have one.
  std::vector<SimulationResult> results;
  /// By call: its result.
  std::vector<size_t> resultOf;
  /// Executed instructions.
  int64_t stepped = 0;
  /// Calls that others, which are their like, stand for.
  size_t repeated = 0;
};

/// Runs all `calls` as one launch. Equal layers are stepped through until one
/// leaves the core in the state in which it began; then every further one takes
/// the same. All numbers are those of `simulateLaunch`. Without a timeline.
CallsResult simulateCalls(llvm::ArrayRef<LaunchCall> calls,
                          const Machine &machine,
                          const SimulationOptions &options = {});

} // namespace mlir::trn

#endif // TRN_SIMULATOR_SIMULATECALLS_H
