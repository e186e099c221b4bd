//===- Simulator.h - How long a program takes -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model is explained, with its formulas and examples to recompute by hand,
// in docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SIMULATOR_SIMULATOR_H
#define TRN_SIMULATOR_SIMULATOR_H

#include "trn/Simulator/SimulationResult.h"
#include "llvm/ADT/ArrayRef.h"
#include <limits>

namespace mlir::trn {

struct Launch;
struct Machine;
struct Program;

struct SimulationOptions {
  /// Told about every instruction when present.
  TimelineSink *timeline = nullptr;
  /// Find the critical path. It needs memory for `pathWindow` instructions, or
  /// as many as it takes until their paths meet, up to `pathLimit`.
  bool criticalPath = false;
  int64_t pathWindow = 1 << 13;
  int64_t pathLimit = 1 << 20;
  /// Keep all executions on the critical path, too.
  bool pathSteps = false;
  /// Where the parts of the program begin, by instruction, the first one at 0:
  /// the kernels of a launch. None: the result has no parts.
  llvm::ArrayRef<int32_t> parts = {};
  /// Stop as soon as the latency is known to be more picoseconds than this. The
  /// result is of what was executed until then, and says that it takes longer.
  int64_t limit = std::numeric_limits<int64_t>::max();
};

/// Runs `program` on `machine` without values.
SimulationResult simulate(const Program &program, const Machine &machine,
                          const SimulationOptions &options = {});

struct LaunchResult {
  /// By instruction and buffer of `Launch::program`.
  SimulationResult whole;
  /// By call, as if they were of the call's program alone; without the steps of
  /// the critical path. A call's latency is how much later it ends than those
  /// before it; the time to start the launch is the first one's.
  std::vector<SimulationResult> calls;
};

/// Runs all calls of `launch`.
LaunchResult simulateLaunch(const Launch &launch, const Machine &machine,
                            const SimulationOptions &options = {});

} // namespace mlir::trn

#endif // TRN_SIMULATOR_SIMULATOR_H
